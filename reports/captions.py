"""Captions of tables and figures. They describe how the shown cases were measured."""

from dataclasses import dataclass
from typing import Sequence

from reports.document import Code, Text, join, text
from reports.metrics import NOT_SAMPLED, MetricInfo
from reports.record import Case, Run
from reports.numbers import general
from reports.text import are, line, listing, plural, sentence, unique

ENDS = " Compare the ends of the bars, not their lengths."  # where they begin means nothing on a logarithmic axis
TIMED = {"UNSTABLE", "THROTTLED", "SUSPECT", "PASSED"}


def clock(run: Run, cases: Sequence[Case]) -> str:
    """Which clock timed these cases, and what was in the caches."""
    parts = []
    devices = {case.device for case in cases if case.metrics}
    cpu, gpu = ("time on the CPU", "time on the GPU") if {"cpu", "gpu"} <= devices else ("time", "time")
    if "cpu" in devices:
        batch = run.policy.min_batch_ms
        batches = f", in batches of at least {general(batch)} ms" if batch else ""
        threads = unique(case.threads for case in cases if case.device == "cpu" and case.metrics)
        count = plural(threads[0], "pinned thread") if len(threads) == 1 else "pinned threads"
        where = {"fresh": ", in the cache that the cores share (L3),", "cold": ", in memory and in no cache (cold),"}.get(
            run.policy.cpu_cache, "")
        parts.append(f"{cpu} is the wall time of each call{batches}, with fresh inputs before each call{where} and {count}")
    if "gpu" in devices:
        cold = run.policy.gpu_cache == "cold"
        caches = (" and a flushed second-level cache before each call (cold)" if cold else
                  " before each call, which may still be in the caches (hot)")
        parts.append(f"{gpu} is measured with device events, with fresh inputs{caches}")
    return "; ".join(parts)


def samples(cases: Sequence[Case], names: Sequence[str]) -> tuple[str, bool]:
    """`n = 11 to 2000 samples`, and whether some cases have too few for an interval."""
    metrics = [case.metrics[name] for case in cases for name in names if name in case.metrics and name not in NOT_SAMPLED]
    counts = [metric.n for metric in metrics if metric.n and metric.interval]
    few = any(metric.n and not metric.interval for metric in metrics)
    if not counts:
        return ("too few samples for an interval", few) if few else ("", few)
    low, high = min(counts), max(counts)
    return (f"n = {low} samples" if low == high else f"n = {low} to {high} samples"), few


def quantity(infos: Sequence[MetricInfo]) -> str:
    if len(infos) > 1:
        return "; ".join(f"{info.label}: {info.doc}" if info.doc else info.head for info in infos)
    info = infos[0]
    better = f" ({info.better} is better)" if info.better else ""
    doc = f": {info.doc}" if info.doc else ""
    return f"{info.label}{' in ' + info.unit if info.unit else ''}{better}{doc}"


def table(run: Run, cases: Sequence[Case], infos: Sequence[MetricInfo], best_scope: str, tied: bool, caption: str) -> Text:
    names = [info.name for info in infos]
    parts: list = [sentence(quantity(infos))]
    count, few = samples(cases, names)
    if count:
        parts.append(f" Each cell shows the median of {count} ± the larger distance to an end of its 95 % interval (order "
                     "statistics)." if count.startswith("n") else f" Each cell shows a median: there are {count}.")
        how = clock(run, cases)
        parts.append(f" {sentence(how)}" if how else "")
    if few and count.startswith("n"):
        parts.append(" If there are too few samples for an interval, the cell shows their number (n=…).")
    if "speedup" in names:
        paired = all(case.metrics["speedup"].paired for case in cases if "speedup" in case.metrics)
        how = "" if paired else " where possible"
        parts.append(text(" Speedups are relative to ", Code(run.baseline), f" and come from samples of the same rounds{how}."))
    parts += compared_with(run, names)
    if best_scope:
        parts.append(f" Bold: the best {best_scope}, and all that are tied with it.")
    if tied:
        parts.append(text(" ~: tied with ", Code(run.baseline), "."))
    if any(case.status in TIMED - {"PASSED"} and case.metrics for case in cases):
        parts.append(" Numbers with a footnote are not ranked.")
    if caption:
        parts.append(" " + sentence(line(caption)))
    return text(*parts)


def compared_with(run: Run, names: Sequence[str]) -> list:
    """What shares and speedups refer to if not to the baseline."""
    parts: list = []
    if run.recorded_baseline and "speedup_recorded" in names:
        source = f", {line(run.recorded_baseline.source)}" if run.recorded_baseline.source else ""
        parts += [" The recorded baseline is ", Code(line(run.recorded_baseline.file, 200)),
                  f"{source}; a size that it lacks has no speedup."]
    if run.vendors and "percent_of_vendor" in names:
        vendors = [Code(line(vendor, 80)) for vendor in run.vendors]
        parts += [" The vendor library is ", join([text(vendor) for vendor in vendors], ", ", " or "), ", on the same device and with the same precision."]
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
    intervals = "bars and bands" if marks.bands else "bars"
    parts: list = [sentence(quantity(infos))]
    if count.startswith("n"):
        parts.append(f" Medians of {count}" + (f"; {intervals} are 95 % intervals." if marks.intervals else "."))
    elif count:
        parts.append(f" Medians: there are {count}.")
    if few and marks.intervals:
        parts.append(" Points without a bar have too few samples for an interval.")
    if log:
        parts.append(f" The {listing(list(log))} {are(len(log))} logarithmic.{ENDS if marks.bars else ''}")
    if undrawn:
        parts.append(f" Not drawn: {plural(undrawn, 'case')} that did not pass.")
    parts.append(left_out)
    if marks.best:
        parts.append(" Framed: the best for each problem, and all that are tied with it.")
    if marks.roofs:
        parts.append(" Grey lines: the machine limits. Arithmetic intensity counts the fewest bytes that a call must move.")
    parts += compared_with(run, names)
    if marks.published:
        parts.append(" Thin dashed lines: published figures, from another machine.")
    if caption:
        parts.append(" " + sentence(line(caption)))
    return text(*parts)
