"""Decides which of two cases is faster, or whether they are tied. Bold cells, highlights and orders all use these rules."""

from math import prod
from typing import Iterable, Mapping, Sequence

from reports.fields import Scalar
from reports.metrics import MetricInfo
from reports.record import Case
from reports.numbers import general
from reports.selection import axis_value, is_macro, varying
from reports.text import line, listing, unique

Problem = tuple
MOST_POINTS = 8


def problem(case: Case) -> Problem:
    """The type and all parameters of a case. Cases of one problem compute the same result."""
    parameters = case.parameters or {axis: v for axis, v in case.axes.items() if not is_macro(axis)}
    return (case.dtype, *sorted((name, general(value)) for name, value in parameters.items()))


def by_problem(cases: Iterable[Case]) -> dict[Problem, list[Case]]:
    groups: dict[Problem, list[Case]] = {}
    for case in cases:
        groups.setdefault(problem(case), []).append(case)
    return groups


def distinct(a: Case, b: Case, name: str) -> bool | None:
    """True if one case is measurably faster, False if the two are tied, None if one has too few samples for an interval. If
    the harness compared the two itself, by a speedup, its result is used instead of the intervals."""
    for one, other in ((a, b), (b, a)):
        speedup = one.metrics.get("speedup")
        if (speedup and speedup.over == other.variant != one.variant and name == "kernel_ms"
                and not varying([one, other], but=["variant"])):
            if speedup.equal or speedup.interval:
                return not speedup.equal
    first, second = a.metrics[name].interval, b.metrics[name].interval
    if not first or not second:
        return None
    return first[1] < second[0] or second[1] < first[0]


def ranked(cases: Sequence[Case], info: MetricInfo) -> list[Case]:
    """The cases that may be compared, by median, the best first."""
    usable = [case for case in cases if case.comparable and info.name in case.metrics]
    sign = -1 if info.better == "higher" else 1
    return sorted(usable, key=lambda case: sign * case.metrics[info.name].median)


def leaders(cases: Sequence[Case], info: MetricInfo) -> list[Case]:
    """The best case and all that are tied with it. Empty if there is nothing to compare, or if an unranked case, whose
    times scatter too much, may be better."""
    order = ranked(cases, info)
    if not info.better or len(order) < 2 or not order[0].metrics[info.name].interval:
        return []
    if any(not worse(case, order[0], info) for case in cases if case.unranked and info.name in case.metrics):
        return []
    return [case for case in order if case is order[0] or distinct(order[0], case, info.name) is False]


def worse(case: Case, than: Case, info: MetricInfo) -> bool:
    """The case is worse, even if its best value is compared with the worst value of the other."""
    here, there = case.metrics[info.name].interval, than.metrics[info.name].interval
    if not here or not there:
        return False
    return here[1] < there[0] if info.better == "higher" else here[0] > there[1]


Leads = list[tuple[tuple[str, ...], list[list[Case]]]]


def lead_runs(cases: Sequence[Case], items: Sequence[str], info: MetricInfo) -> Leads:
    """The names of the leaders, and the ranked cases of each problem where they lead. Successive problems with the same
    leaders are one entry."""
    runs: Leads = []
    for group in by_problem(cases).values() if items else ():
        lead = leaders(group, info)
        if not lead:
            continue
        key = tuple(label(case, items) for case in lead)
        if runs and runs[-1][0] == key:
            runs[-1][1].append(ranked(group, info))
        else:
            runs.append((key, [ranked(group, info)]))
    return runs


def behind(group: Sequence[Case], info: MetricInfo) -> list[Case]:
    """Of ranked cases, those that are measurably worse than the first."""
    return [case for case in group[1:] if distinct(group[0], case, info.name)]


def problem_axes(cases: Sequence[Case]) -> list[str]:
    """The axes that distinguish the problems of these cases: size, m, dtype ..."""
    return [axis for axis in varying(cases, but=["variant"]) if not is_macro(axis)]


def item_axes(cases: Sequence[Case]) -> list[str]:
    """The axes that distinguish the solutions of one problem: variant, BLOCK ..."""
    return [axis for axis in varying(cases) if axis == "variant" or is_macro(axis)]


def label(case: Case, axes: Sequence[str]) -> str:
    """`gpu_shared BLOCK=16`. An axis that the case does not have is left out."""
    parts = []
    for axis in axes:
        value = axis_value(case, axis)
        if value is not None:
            parts.append(general(value) if axis in ("variant", "dtype") else f"{axis}={general(value)}")
    return " ".join(parts)


def points(axes: Sequence[Mapping[str, Scalar]]) -> str:
    """Several points in words: `size 8192; BLOCK 4, 8 and 16` if they are all combinations, else one by one."""
    found = unique(tuple(one.items()) for one in axes)
    names = unique(name for one in found for name, _ in one)
    values = {name: unique(dict(one).get(name) for one in found) for name in names}
    if names and len(found) == prod(map(len, values.values())) and not any(None in known for known in values.values()):
        return line("; ".join(f"{name} {listing(list(map(general, known)), MOST_POINTS)}" for name, known in values.items()))
    return line(listing([" ".join(f"{name}={general(value)}" for name, value in one) for one in found], MOST_POINTS))
