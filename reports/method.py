"""Explains how this run was measured, from its settings and the reasons why sampling stopped."""

from collections import Counter

from reports import emulated
from reports.captions import clock
from reports.document import Bullets, Code, Section, Text, say, text
from reports.language import mark, tr
from reports.record import Run
from reports.numbers import general, seconds_text, significant
from reports.text import line, plural, sentence

STOPS = {
    "precision": mark("reached the requested precision"),
    "plateau": mark("stopped because more samples no longer narrowed the interval"),
    "time_cap": mark("reached the time limit of a case"),
    "sample_cap": mark("reached the largest number of samples"),
    "slower": mark("stopped because another case of its group is clearly faster"),
    "budget": mark("stopped because the share of the case in the time budget was used up"),
}


def stop_text(reason: str) -> str:
    return tr(STOPS[reason]) if reason in STOPS else tr("stopped: {reason}", reason=line(reason, 60))


def section(run: Run) -> Section:
    items = [order(run), emulated.method(run), time(run), stopping(run), statistics(run), comparing(run), published(run),
             sandbox(run), budget(run)]
    return Section(say("How this was measured"), "method",
                   (Bullets(tuple(item for item in items if item)),))


def order(run: Run) -> Text | None:
    timed = [case for case in run.cases if case.metrics]
    if not timed:
        return None
    again = sum(case.check.timed_output for case in timed)
    which = tr("in every case") if again == len(timed) else tr("in {n} of {cases}", n=again, cases=plural(len(timed), "case"))
    return say("Every build was checked before it was timed. An output of the timed calls was checked again {which}. A case with a "
               "wrong output has no time in this report.", which=which)


def time(run: Run) -> Text | None:
    how = clock(run, run.cases)
    if not how:
        return None
    split = [name for name in ("h2d_ms", "d2h_ms", "alloc_ms", "first_call_ms") if any(name in c.metrics for c in run.cases)]
    apart = tr(" Copies, allocation and the first call are timed separately and are not part of the kernel time.") if split else ""
    return text(sentence(how), tr(" Warm-up calls are not samples."), apart)


def stopping(run: Run) -> Text | None:
    if not any(case.metrics for case in run.cases):
        return None
    policy, parts = run.policy, []
    if 0 < (precision := policy.precision) < 1:
        parts.append(tr("until the 95 % interval of the median was within ±{percent} %", percent=general(float(significant(100 * precision, 2)))))
    if cap := policy.max_time_s:
        parts.append(tr("for at most {time}", time=seconds_text(cap)))
    low, high = policy.min_samples, policy.max_samples
    if low and high:
        parts.append(tr("with {low} to {high} samples (fewer if the time ran out first)", low=general(low), high=general(high)))
    counts = Counter(case.stop_reason for case in run.cases if case.stop_reason and case.metrics)
    ended = tr("; ").join(tr("{cases} {how}", cases=plural(count, "case"), how=stop_text(reason))
                          for reason, count in counts.most_common() if reason != "none")
    if not parts:
        return text(sentence(ended)) if ended else None
    return text(tr("Each case was sampled {how}.", how=tr(", ").join(parts)), f" {sentence(ended)}" if ended else "")


def statistics(run: Run) -> Text | None:
    if not any(case.metrics for case in run.cases):
        return None
    return say("Numbers are medians. Intervals are 95 % intervals of the median. They come from order statistics, which assume no "
                "distribution and need six samples. A number has only those digits that its interval supports, and the spread after "
                "± is rounded up. In sentences, the interval follows in parentheses. Rates and shares are computed from the median "
                "time. All samples are in run.json.")


def comparing(run: Run) -> Text | None:
    speedups = [m for case in run.cases if (m := case.metrics.get("speedup")) and m.over and m.over != case.variant]
    if not speedups:
        return None
    paired = sum(bool(m.paired) for m in speedups)
    how = (tr("The samples of both were interleaved in random order and compared round by round.") if paired == len(speedups) else
           tr("{n} of {all} speedups come from samples that were interleaved in random order and compared round by round, the others from "
              "the intervals of two medians.", n=paired, all=len(speedups)))
    return say("Speedup is the time of {baseline} divided by the time of the variant on the same problem. {how} The two are tied (~) if the "
               "interval of their ratio contains 1. Any other two cases are tied if their intervals overlap.",
               baseline=Code(line(run.baseline, 80)), how=how)


def published(run: Run) -> Text | None:
    if not run.published:
        return None
    return say("Published figures are not targets. The report shows their ratio to the measured figures and compares the orders.")


def sandbox(run: Run) -> Text | None:
    if not run.run.sandbox:
        return None
    if run.run.sandbox == "none":
        return say("Variants ran without a sandbox, as requested.")
    return say("Compilers and variants ran in a sandbox ({name}), in processes that never had the seed, the reference or the tolerance. "
               "The harness checked their outputs outside the sandbox.", name=Code(line(run.run.sandbox, 40)))


def budget(run: Run) -> Text | None:
    if not run.run.budget_s:
        return None
    return say("The run had a time budget of {time}. It limits the number of samples, so intervals can be wider than the requested precision.",
               time=seconds_text(run.run.budget_s))
