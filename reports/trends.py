"""Highlights about a sweep: the best parameter of each variant, and the size from which a rate no longer grows."""

from typing import Sequence

from reports.compare import behind, item_axes, label, lead_runs, leaders, points, problem_axes
from reports.document import Code, Text, join, say, text
from reports.language import mark, tr
from reports.metrics import MetricInfo, metric_info
from reports.record import Case, Metric, Run
from reports.numbers import factor_text, significant
from reports.naming import FASTEST, sweep_name
from reports.selection import axis_text, axis_value, is_macro
from reports.text import line, listing, unique

LEVEL = 0.95  # a rate no longer grows if it reaches this share of the rate at every larger size
HELD = 0.9  # but not if the rate at a larger size falls below this share
LEAST_POINTS = 3
MOST_VARIANTS = 2  # sentences about parameters per sweep
MOST_KNEES = 6


def highlights(run: Run) -> list[Text]:
    found: list[Text] = []
    for sweep in run.sweeps:
        cases = [case for case in run.cases if case.sweep == sweep]
        found += best_parameters(run, cases)
        if level := knees(run, cases):
            found.append(level)
    return found


def best_parameters(run: Run, cases: Sequence[Case]) -> list[Text]:
    """For each of several variants. If there is only one, the highlight about the fastest says it."""
    info = metric_info("kernel_ms", run.metrics_info)
    variants, sentences = unique(case.variant for case in cases), []
    for variant in variants if len(variants) > 1 else ():
        own = [case for case in cases if case.variant == variant]
        macros = [axis for axis in item_axes(own) if is_macro(axis)]
        leads = lead_runs(own, macros, info)
        if leads and len(sentences) < MOST_VARIANTS:
            name = line(listing(macros), 80)
            parts = [best_value(key, groups, macros, problem_axes(own), info) for key, groups in leads[:MOST_KNEES]]
            elsewhere = any(case.variant == variant and case.sweep != cases[0].sweep for case in run.cases)
            how = mark("In {sweep}, the best {name} of {variant} is {values}.") if elsewhere else mark("The best {name} of {variant} is {values}.")
            sentences.append(say(how, sweep=sweep_name(run, cases[0].sweep, *FASTEST), name=Code(name), variant=Code(line(variant, 80)),
                                 values=join(parts, "; ", "; ")))
    return sentences


def best_value(key: tuple[str, ...], groups: list[list[Case]], macros: Sequence[str], problems: Sequence[str],
               info: MetricInfo) -> Text:
    """16 at size 512 and 1024 (1.3 times as fast as 32 at size=1024)"""
    where = points([{axis: axis_value(group[0], axis) for axis in problems} for group in groups])
    names = listing([value(case, macros) for case in leaders(groups[-1], info)], MOST_KNEES)
    names += tr(" (tied)") if len(key) > 1 else ""
    slower = behind(groups[-1], info)
    if not slower:
        how = listing([milliseconds(case) for case in groups[-1]], MOST_KNEES)
    else:
        factor = factor_text(slower[0].metrics[info.name].median / groups[-1][0].metrics[info.name].median)
        there = label(groups[-1][0], problems) if len(groups) > 1 else ""
        how = tr("{factor} times as fast as {other}{where}", factor=factor, other=value(slower[0], macros),
                 where=tr(" at {point}", point=there) if there else "")
    return text(tr("{names}{where} ({how})", names=names, where=tr(" at {point}", point=where) if where else "", how=how))


def value(case: Case, macros: Sequence[str]) -> str:
    return axis_text(axis_value(case, macros[0])) if len(macros) == 1 else label(case, macros)


def milliseconds(case: Case) -> str:
    return f"{figure(case.metrics['kernel_ms'])} ms"


def knees(run: Run, cases: Sequence[Case]) -> Text | None:
    """The sizes from which rates no longer grow, one per variant: of its lines, the one with the highest rate at the end."""
    info = metric_info("gflops", run.metrics_info)
    usable = [case for case in cases if case.comparable and info.name in case.metrics and case.metrics[info.name].interval]
    axis = size_axis(usable)
    if not axis:
        return None
    others = [other for other in [*item_axes(usable), *problem_axes(usable)] if other != axis]
    lines: dict[tuple, list[Case]] = {}
    for case in sorted(usable, key=lambda case: axis_value(case, axis)):
        lines.setdefault(tuple(axis_value(case, other) for other in others), []).append(case)
    end = lambda found: found[-1].metrics[info.name].median
    last = [max((found for found in lines.values() if found[0].variant == variant), key=end)
            for variant in unique(case.variant for case in usable)]
    parts = [part for found in last if (part := knee(found, axis, others, info))]
    if not parts:
        return None
    more = tr("; and {n} more", n=len(parts) - MOST_KNEES) if len(parts) > MOST_KNEES else ""
    return say("In {sweep}, rates stop growing where they reach at least {percent} % of the rate at every larger {axis}: {values}.",
               sweep=sweep_name(run, cases[0].sweep, info.name), percent=f"{100 * LEVEL:g}", axis=axis,
               values=text(join(parts[:MOST_KNEES], "; ", "; "), more))


def size_axis(cases: Sequence[Case]) -> str:
    """The numeric axis of the problem with the most values."""
    def values(axis: str) -> set:
        return {axis_value(case, axis) for case in cases}
    numeric = [axis for axis in problem_axes(cases) if all(isinstance(v, (int, float)) for v in values(axis))]
    return max(numeric, key=lambda axis: len(values(axis)), default="")


def knee(found: list[Case], axis: str, others: Sequence[str], info: MetricInfo) -> Text | None:
    """None if the rate never grows, grows up to its last point, or falls again."""
    rates = [case.metrics[info.name] for case in found]
    level = next((i for i in range(len(found) - 1) if rates[i].median >= LEVEL * max(rate.median for rate in rates[i + 1:])), 0)
    if len(found) < LEAST_POINTS or not level or min(rate.median for rate in rates[level:]) < HELD * rates[level].median:
        return None
    here, most, first = rates[level], max(rates[level + 1:], key=lambda rate: rate.median), rates[0]
    return say("{name} at {axis} {here} ({rate} {unit}; {first_rate} at {axis} {first}, at most {most} at larger ones)",
               name=Code(line(label(found[0], others) or found[0].variant, 80)), axis=axis, unit=info.unit,
               here=axis_text(axis_value(found[level], axis)), rate=figure(here), first=axis_text(axis_value(found[0], axis)),
               first_rate=figure(first), most=figure(most))


def figure(metric: Metric) -> str:
    return significant(metric.median, 3)
