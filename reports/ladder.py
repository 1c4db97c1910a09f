"""The chart of the first page: the best of each variant on one problem, with the machine limit and the vendor's library."""

from dataclasses import dataclass
from typing import Sequence

from reports import naming
from reports.captions import ENDS, sentences as sentences_of
from reports.compare import by_problem, label, leaders, problem, worse
from reports.document import Code, Figure, Text, join, say, text
from reports.language import mark, tr, tr_many
from reports.metrics import metric_info
from reports.numbers import factor_text, rate
from reports.plots import Chart, Point, Roof, Series, alt_text, wide
from reports.record import Case, Run
from reports.selection import is_macro
from reports.text import line, listing, unique

RATE = "gflops"
MOST_NAMES = 3


@dataclass(frozen=True)
class Ladder:
    """One case for each variant, all of one problem, the fastest first."""

    where: str
    rungs: tuple[Case, ...]
    cases: tuple[Case, ...]  # all of this problem, also those that are not ranked


def ladder(run: Run) -> Ladder | None:
    """Of the problem that most variants have solved; of several, the one with the most operations. None without two variants."""
    known = [case for case in run.cases if case.comparable and RATE in case.metrics]
    found = [rungs for group in by_problem(known).values() if len(rungs := best_of_each(group)) > 1]
    if not found:
        return None
    rungs = max(found, key=lambda rungs: (len(rungs), rungs[0].flops or 0))
    return Ladder(at(run, rungs[0]), rungs, tuple(case for case in run.cases if problem(case) == problem(rungs[0])))


def best_of_each(cases: Sequence[Case]) -> tuple[Case, ...]:
    best: dict[str, Case] = {}
    for case in cases:
        if case.variant not in best or speed(case) > speed(best[case.variant]):
            best[case.variant] = case
    return tuple(sorted(best.values(), key=speed, reverse=True))


def speed(case: Case) -> float:
    return case.metrics[RATE].median


def at(run: Run, case: Case) -> str:
    """The problem: `size=2048`."""
    words = naming.point(run, case).split(" ")
    return " ".join(word for word in words if not is_macro(word.partition("=")[0]))


def name(run: Run, case: Case) -> str:
    """`gpu_wmma BLOCK=16 (tf32)`: with the precision of a variant that is less precise than its type."""
    other = precision(run, case)
    return line(label(case, ["variant", *(axis for axis in case.axes if is_macro(axis))]), 80) + (f" ({line(other, 20)})" if other else "")


def precision(run: Run, case: Case) -> str:
    """Empty: that of its type."""
    return next((variant.precision for variant in run.variants if variant.name == case.variant), "")


def limits(run: Run, found: Ladder) -> tuple[Roof, ...]:
    """The largest rate that each device can reach."""
    roofs = []
    for case in found.rungs:
        if limit := run.limits_of(case).get(f"fma_{case.dtype}"):
            most = rate(limit, "FLOP/s")
            roofs.append(Roof(tr("limit of the GPU: {rate}", rate=most) if case.device == "gpu" else
                              tr_many("limit of {n} CPU thread: {rate}", "limit of {n} CPU threads: {rate}", case.threads, rate=most), limit / 1e9, 0))
    return tuple(unique(roofs))


def figure(run: Run, found: Ladder) -> tuple[Figure, Chart]:
    series = []
    for case in found.rungs:
        kind = 2 if case.variant in run.vendors else 1 if case.device == "gpu" else 0
        metric = case.metrics[RATE]
        series.append(Series(name(run, case), kind, (Point(case.variant, metric.median, *(metric.interval or (None, None))),)))
    roofs = limits(run, found)
    values = [speed(case) for case in found.rungs] + [roof.peak for roof in roofs]
    made = Chart("ladder", tuple(series), (found.where,), found.where, metric_info(RATE, run.metrics_info), wide(values, 20), False, roofs)
    caption = sentences_of([
        tr("The best of each variant{where}.", where=tr(" at {point}", point=found.where) if found.where else ""),
        tr("Further right is better; thin lines are 95 % intervals."), tr("The axis is logarithmic.") + tr(ENDS) if made.x_log else "",
        tr("Dashed: what the machine can reach at most.") if roofs else "",
        tr("Grey: the vendor's library.") if any(case.variant in run.vendors for case in found.rungs) else ""])
    return Figure(1, tr("The ladder"), "", caption, alt_text(made)), made


def sentences(run: Run, found: Ladder) -> list[Text]:
    return [sentence for sentence in (fastest(run, found), shares(run, found)) if sentence]


def fastest(run: Run, found: Ladder) -> Text:
    lead = leaders(found.cases, metric_info("kernel_ms", run.metrics_info))
    names = join([text(Code(name(run, case))) for case in (lead or found.rungs)[:max(1, min(len(lead), MOST_NAMES))]])
    how = (mark("{at}{names} are tied as the fastest of {n} variants: {rate}{times}{doubt}.") if len(lead) > 1 else
           mark("{at}{names} is the fastest of {n} variants: {rate}{times}{doubt}.") if lead else
           mark("{at}{names} has the highest rate of {n} variants: {rate}{times}{doubt}."))
    base = next((case for case in found.rungs if case.variant == run.baseline), None)
    best = found.rungs[0]
    why = "" if lead else doubt(run, found)
    times = over_baseline(best, base, doubted=not lead and not best.metrics[RATE].interval) if base and base is not best else ""
    return say(how, at=tr("At {point}, ", point=found.where) if found.where else "", names=names, n=str(len(found.rungs)),
               rate=rate(speed(best) * 1e9, "FLOP/s"), times=times, doubt=why)


def over_baseline(best: Case, base: Case, doubted: bool) -> Text:
    """How many times as fast, as the harness measured it; how few samples, if there is no interval and no doubt says so."""
    speedup = best.metrics.get("speedup")
    if speedup and speedup.over == base.variant:
        factor, n = speedup.median, "" if speedup.interval else speedup.n
    elif speed(base):
        factor, n = speed(best) / speed(base), "" if base.metrics[RATE].interval else base.metrics[RATE].n
    else:
        return ()
    return say(", {factor} times as fast as the baseline {name}{few}", factor=factor_text(factor), name=Code(line(base.variant, 80)),
               few=f" (n = {n})" if n and not doubted else "")


def doubt(run: Run, found: Ladder) -> str:
    """Why the first one may not be the fastest."""
    best, info = found.rungs[0], metric_info(RATE, run.metrics_info)
    if not best.metrics[RATE].interval:
        return tr(" (too few samples for an interval: n = {n})", n=best.metrics[RATE].n)
    maybe = unique(line(case.variant, 80) for case in found.cases if case.unranked and RATE in case.metrics and not worse(case, best, info))
    return tr(" (not ranked, and maybe faster: {names})", names=listing(maybe, MOST_NAMES)) if maybe else ""


def shares(run: Run, found: Ladder) -> Text | None:
    """What the best variant that is no vendor's library reaches of that library, and of the limit."""
    best = next((case for case in found.rungs if case.variant not in run.vendors), None)
    if best is None:
        return None
    vendor = next((case for case in found.rungs if case.variant in run.vendors and case.device == best.device
                   and precision(run, case) == precision(run, best)), None)
    parts = [say("{percent} of the rate of the vendor's library {name}", percent=percent(speed(best) / speed(vendor)),
                 name=Code(name(run, vendor)))] if vendor else []
    limit = best.metrics.get("percent_of_limit")
    parts += [say("{percent} of what the machine can reach", percent=percent(limit.median / 100))] if limit else []
    how = (mark("{name}, the best of the other variants, reaches {shares}.") if vendor and vendor is found.rungs[0] else
           mark("{name} reaches {shares}."))
    return say(how, name=Code(name(run, best)), shares=join(parts)) if parts else None


def percent(share: float) -> str:
    return f"{factor_text(100 * share)} %"
