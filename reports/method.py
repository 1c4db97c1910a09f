"""How this was measured, in plain words, from the settings and stop reasons of this very run."""

from collections import Counter

from reports import emulated
from reports.captions import clock
from reports.document import Bullets, Code, Section, Text, text
from reports.model import Run
from reports.numbers import general, seconds_text, significant
from reports.text import line, plural, sentence

STOPS = {
    "precision": "reached the precision asked for",
    "plateau": "stopped at a plateau, where more samples no longer narrowed the interval",
    "time_cap": "ran into the time limit of a case",
    "sample_cap": "reached the largest number of samples",
    "budget": "used up a case's share of the run's time budget",
    "single": "took one sample, because one was already too long",
}


def section(run: Run) -> Section:
    items = [order(run), emulated.method(run), time(run), stopping(run), statistics(run), comparing(run), checking(run), sandbox(run),
             budget(run)]
    return Section(text("How this was measured"), "method",
                   (Bullets(tuple(item for item in items if item)),))


def order(run: Run) -> Text | None:
    timed = [case for case in run.cases if case.metrics]
    if not timed:
        return None
    again = sum(case.check.timed_output for case in timed)
    which = "in every case" if again == len(timed) else f"in {again} of {plural(len(timed), 'case')}"
    return text("Every build was checked before it was timed, and an output of the timed calls themselves was checked again "
                f"{which}. A case that is not right has no time in this report.")


def time(run: Run) -> Text | None:
    how = clock(run, run.cases)
    if not how:
        return None
    split = [name for name in ("h2d_ms", "d2h_ms", "alloc_ms", "first_call_ms") if any(name in c.metrics for c in run.cases)]
    apart = " Copies, allocation and the first call are timed apart and never part of the kernel time." if split else ""
    return text(f"Time is {how}. Warm-up calls are kept apart from the samples.{apart}")


def stopping(run: Run) -> Text | None:
    policy, parts = run.policy, []
    if 0 < (precision := policy.get("precision", 0)) < 1:
        parts.append(f"until the 95 % interval of the median was within ±{general(float(significant(100 * precision, 2)))} %")
    if cap := policy.get("max_time_s"):
        parts.append(f"for at most {seconds_text(cap)}")
    low, high = policy.get("min_samples"), policy.get("max_samples")
    if low and high:
        parts.append(f"with {general(low)} to {general(high)} samples (fewer where the time ran out first)")
    counts = Counter(case.stop_reason for case in run.cases if case.stop_reason and case.metrics)
    ended = "; ".join(f"{plural(count, 'case')} {STOPS.get(reason, 'stopped: ' + line(reason, 60))}"
                      for reason, count in counts.most_common() if reason != "none")
    if not parts:
        return text(sentence(ended)) if ended else None
    return text(f"Each case was sampled {', '.join(parts)}." + (f" {sentence(ended)}" if ended else ""))


def statistics(run: Run) -> Text | None:
    if not any(case.metrics for case in run.cases):
        return None
    return text("Numbers are medians. Intervals are 95 % intervals of the median from order statistics, which assume no "
                "distribution; they need six samples. Only digits that the interval supports are printed, and the spread "
                "after ± is rounded up. Rates and shares are computed from the median time. All raw samples are in run.json.")


def comparing(run: Run) -> Text | None:
    speedups = [m for case in run.cases if (m := case.metrics.get("speedup")) and m.over and m.over != case.variant]
    if not speedups:
        return None
    paired = sum(m.paired for m in speedups)
    how = ("their samples were interleaved in random order and compared round by round" if paired == len(speedups) else
           f"{paired} of {len(speedups)} from samples interleaved in random order and compared round by round, the others "
           "from the intervals of two medians")
    return text("Speedup is the time of ", Code(line(run.baseline, 80)), f" over the time of the variant on the same problem: {how}. "
                "Where the interval of the ratio contains 1 the two are called equal (~). Other pairs are told apart only "
                "where their intervals do not touch.")


def checking(run: Run) -> Text | None:
    if not run.published:
        return None
    return text("A published figure is never a target: it stands beside ours with its ratio, and its order is compared.")


def sandbox(run: Run) -> Text | None:
    if not run.sandbox:
        return None
    if run.sandbox == "none":
        return text("Variants ran without a sandbox, as was asked for.")
    return text("Compilers and variants ran in a sandbox (", Code(line(run.sandbox, 40)), ") as processes of their own, which "
                "never held the seed, the reference or the tolerance. Results were judged outside.")


def budget(run: Run) -> Text | None:
    if not run.budget_s:
        return None
    return text(f"The run was given a budget of {seconds_text(run.budget_s)}, which shortens the sampling: intervals can be wider "
                "than the precision asked for.")
