"""Captions of tables and figures. They describe how the shown cases were measured."""

from dataclasses import dataclass
from typing import Sequence

from reports.document import Code, Text, join, say, text
from reports.language import mark, tr, tr_many
from reports.metrics import NOT_SAMPLED, MetricInfo
from reports.record import Case, Run
from reports.numbers import general
from reports.text import line, listing, plural, sentence, unique

ENDS = mark(" Compare the ends of the bars, not their lengths.")  # where they begin means nothing on a logarithmic axis
TIMED = {"UNSTABLE", "THROTTLED", "SUSPECT", "PASSED"}


def clock(run: Run, cases: Sequence[Case]) -> str:
    """Which clock timed these cases, and what was in the caches."""
    parts = []
    devices = {case.device for case in cases if case.metrics}
    cpu, gpu = (tr("time on the CPU"), tr("time on the GPU")) if {"cpu", "gpu"} <= devices else (tr("time"), tr("time"))
    if "cpu" in devices:
        batch = run.policy.min_batch_ms
        batches = tr(", in batches of at least {ms} ms", ms=general(batch)) if batch else ""
        threads = unique(case.threads for case in cases if case.device == "cpu" and case.metrics)
        count = plural(threads[0], "pinned thread") if len(threads) == 1 else tr("pinned threads")
        where = {"fresh": tr(", in the cache that the cores share (L3) or in one nearer to the core,"), "cold": tr(", in memory and in no cache (cold),")}.get(
            run.policy.cpu_cache, "")
        parts.append(tr("{time} is the wall time of each call{batches}, with fresh inputs before each call{where} and {threads}", time=cpu,
                        batches=batches, where=where, threads=count))
    if "gpu" in devices:
        cold = run.policy.gpu_cache == "cold"
        how = (mark("{time} is measured with device events, with fresh inputs and a flushed second-level cache before each call (cold)") if cold else
               mark("{time} is measured with device events, with fresh inputs before each call, which may still be in the caches (hot)"))
        parts.append(tr(how, time=gpu))
    return tr("; ").join(parts)


def samples(cases: Sequence[Case], names: Sequence[str]) -> tuple[str, bool]:
    """`n = 11 to 2000 samples`, empty if no case has enough of them; and whether some cases have too few for an interval."""
    metrics = [case.metrics[name] for case in cases for name in names if name in case.metrics and name not in NOT_SAMPLED]
    counts = [metric.n for metric in metrics if metric.n and metric.interval]
    few = any(metric.n and not metric.interval for metric in metrics)
    if not counts:
        return "", few
    low, high = min(counts), max(counts)
    return (tr("n = {n} samples", n=low) if low == high else tr("n = {low} to {high} samples", low=low, high=high)), few


def quantity(infos: Sequence[MetricInfo]) -> str:
    if len(infos) > 1:
        return tr("; ").join(info.label + tr(": ") + info.doc if info.doc else info.head for info in infos)
    info = infos[0]
    better = {"lower": tr(" (lower is better)"), "higher": tr(" (higher is better)")}.get(info.better, "")
    return with_unit(info) + better + (tr(": ") + info.doc if info.doc else "")


def with_unit(info: MetricInfo) -> str:
    return tr("{label} in {unit}", label=info.label, unit=info.unit) if info.unit else info.label


def table(run: Run, cases: Sequence[Case], infos: Sequence[MetricInfo], best_scope: str, tied: bool, caption: str) -> Text:
    names = [info.name for info in infos]
    parts: list = [sentence(quantity(infos))]
    count, few = samples(cases, names)
    if count or few:
        parts.append(tr("Each cell shows the median of {count} ± the larger distance to an end of its 95 % interval (order statistics).",
                        count=count) if count else tr("Each cell shows a median: there are too few samples for an interval."))
        parts.append(sentence(clock(run, cases)))
    if few and count:
        parts.append(tr("If there are too few samples for an interval, the cell shows their number (n=…)."))
    if "speedup" in names:
        paired = all(case.metrics["speedup"].paired for case in cases if "speedup" in case.metrics)
        how = mark("Speedups are relative to {baseline} and come from samples of the same rounds.") if paired else mark(
            "Speedups are relative to {baseline} and come from samples of the same rounds where possible.")
        parts.append(say(how, baseline=Code(run.baseline)))
    parts += compared_with(run, names)
    parts.append(best_scope)
    if tied:
        parts.append(say("~: tied with {baseline}.", baseline=Code(run.baseline)))
    if any(case.status in TIMED - {"PASSED"} and case.metrics for case in cases):
        parts.append(tr("Numbers with a footnote are not ranked."))
    parts.append(sentence(line(caption)))
    return sentences(parts)


def sentences(parts: Sequence[str | Text]) -> Text:
    """Those that are not empty, with spaces between them."""
    return text(*[word for part in parts if part for word in (" ", part)][1:])


def compared_with(run: Run, names: Sequence[str]) -> list:
    """What shares and speedups refer to if not to the baseline."""
    parts: list = []
    if run.recorded_baseline and "speedup_recorded" in names:
        source = tr(", ") + line(run.recorded_baseline.source) if run.recorded_baseline.source else ""
        parts.append(say("The recorded baseline is {file}{source}; a size that it lacks has no speedup.",
                         file=Code(line(run.recorded_baseline.file, 200)), source=source))
    if run.vendors and "percent_of_vendor" in names:
        vendors = [Code(line(vendor, 80)) for vendor in run.vendors]
        parts.append(say("The vendor library is {names}, on the same device and with the same precision.",
                         names=join([text(vendor) for vendor in vendors], ", ", mark(" or "))))
    return parts


@dataclass(frozen=True)
class Marks:
    """What a drawing shows in addition to its points."""

    intervals: bool = False
    bands: bool = False
    published: bool = False
    roofs: bool = False
    bars: bool = False
    best: bool = False


def plot(run: Run, cases: Sequence[Case], infos: Sequence[MetricInfo], marks: Marks, undrawn: int, log: Sequence[str], caption: str,
         left_out: str = "") -> Text:
    names = [info.name for info in infos]
    count, few = samples(cases, names)
    parts: list = [sentence(quantity(infos))]
    if count:
        how = (mark("Medians of {count}; bars and bands are 95 % intervals.") if marks.intervals and marks.bands else
               mark("Medians of {count}; bars are 95 % intervals.") if marks.intervals else mark("Medians of {count}."))
        parts.append(tr(how, count=count))
    elif few:
        parts.append(tr("Medians: there are too few samples for an interval."))
    if few and marks.intervals:
        parts.append(tr("Points without a bar have too few samples for an interval."))
    if log:
        parts.append(tr_many("The {axes} is logarithmic.", "The {axes} are logarithmic.", len(log), axes=listing(list(log))) + tr(ENDS * marks.bars))
    if undrawn:
        parts.append(tr("Not drawn: {cases} that did not pass.", cases=plural(undrawn, "case")))
    parts.append(left_out)
    if marks.best:
        parts.append(tr("Framed: the best for each problem, and all that are tied with it."))
    if marks.roofs:
        parts.append(tr("Grey lines: the machine limits. Arithmetic intensity counts the fewest bytes that a call must move."))
    parts += compared_with(run, names)
    if marks.published:
        parts.append(tr("Thin dashed lines: published figures, from another machine."))
    parts.append(sentence(line(caption)))
    return sentences(parts)
