"""Which of two cases is faster, or that nobody can tell: the rules that bold cells, findings and orders share."""

from math import prod
from typing import Iterable, Mapping, Sequence

from reports.fields import Scalar
from reports.metrics import MetricInfo
from reports.model import Case, Metric
from reports.numbers import general
from reports.selection import axis_value, is_macro, varying
from reports.text import line, listing, unique

Problem = tuple
MOST_POINTS = 8


def problem(case: Case) -> Problem:
    """Cases of the same problem compute the same thing: type and every parameter agree."""
    parameters = case.parameters or {axis: v for axis, v in case.axes.items() if not is_macro(axis)}
    return (case.dtype, *sorted((name, general(value)) for name, value in parameters.items()))


def by_problem(cases: Iterable[Case]) -> dict[Problem, list[Case]]:
    groups: dict[Problem, list[Case]] = {}
    for case in cases:
        groups.setdefault(problem(case), []).append(case)
    return groups


def bounds(metric: Metric) -> tuple[float, float] | None:
    """The 95 % interval; with too few samples for one, all that was seen."""
    if metric.interval:
        return metric.interval
    if metric.n > 1 and metric.min is not None and metric.max is not None:
        return metric.min, metric.max
    return None


def distinct(a: Case, b: Case, name: str) -> bool | None:
    """True where the run can tell the two apart, False where it cannot, None where it does not know enough of one. The
    harness's own verdict, of a speedup over the other, goes before intervals."""
    for one, other in ((a, b), (b, a)):
        speedup = one.metrics.get("speedup")
        if (speedup and speedup.over == other.variant != one.variant and name == "kernel_ms"
                and not varying([one, other], but=["variant"])):
            if speedup.equal or speedup.interval:
                return not speedup.equal
    first, second = bounds(a.metrics[name]), bounds(b.metrics[name])
    if not first or not second:
        return None
    return first[1] < second[0] or second[1] < first[0]


def ranked(cases: Sequence[Case], info: MetricInfo) -> list[Case]:
    """Best first, by median, of those that may be compared."""
    usable = [case for case in cases if case.comparable and info.name in case.metrics]
    sign = -1 if info.better == "higher" else 1
    return sorted(usable, key=lambda case: sign * case.metrics[info.name].median)


def leaders(cases: Sequence[Case], info: MetricInfo) -> list[Case]:
    """The best, and all that cannot be told apart from it; empty where there is nothing to compare, or where a right
    result whose time is too unsteady to be ranked may be better."""
    order = ranked(cases, info)
    if not info.better or len(order) < 2 or not bounds(order[0].metrics[info.name]):
        return []
    if any(not worse(case, order[0], info) for case in cases if case.unranked and info.name in case.metrics):
        return []
    return [case for case in order if case is order[0] or distinct(order[0], case, info.name) is False]


def worse(case: Case, than: Case, info: MetricInfo) -> bool:
    """Even at its best, seen from the other at its worst."""
    here, there = bounds(case.metrics[info.name]), bounds(than.metrics[info.name])
    if not here or not there:
        return False
    return here[1] < there[0] if info.better == "higher" else here[0] > there[1]


Leads = list[tuple[tuple[str, ...], list[list[Case]]]]


def lead_runs(cases: Sequence[Case], items: Sequence[str], info: MetricInfo) -> Leads:
    """Who leads, by name, with the ranked cases of each problem; the same leaders at successive problems once."""
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
    """Of ranked cases, those that are proved not to be as good as the first."""
    return [case for case in group[1:] if distinct(group[0], case, info.name)]


def problem_axes(cases: Sequence[Case]) -> list[str]:
    """Axes that make these cases different problems: size, m, dtype ..."""
    return [axis for axis in varying(cases, but=["variant"]) if not is_macro(axis)]


def item_axes(cases: Sequence[Case]) -> list[str]:
    """Axes that make them different solutions of one problem: variant, BLOCK ..."""
    return [axis for axis in varying(cases) if axis == "variant" or is_macro(axis)]


def label(case: Case, axes: Sequence[str]) -> str:
    """`gpu_shared BLOCK=16`; axes the case does not have are left out."""
    parts = []
    for axis in axes:
        value = axis_value(case, axis)
        if value is not None:
            parts.append(general(value) if axis in ("variant", "dtype") else f"{axis}={general(value)}")
    return " ".join(parts)


def place(case: Case) -> str:
    """The case's point of its sweep: `size=1024 BLOCK=16`."""
    return line(label(case, list(case.axes)), 120)


def points(axes: Sequence[Mapping[str, Scalar]]) -> str:
    """Several points in words: `size 8192; BLOCK 4, 8 and 16` where they are a product, else one by one."""
    found = unique(tuple(point.items()) for point in axes)
    names = unique(name for point in found for name, _ in point)
    values = {name: unique(dict(point).get(name) for point in found) for name in names}
    if names and len(found) == prod(map(len, values.values())) and not any(None in known for known in values.values()):
        return line("; ".join(f"{name} {listing(list(map(general, known)), MOST_POINTS)}" for name, known in values.items()))
    return line(listing([" ".join(f"{name}={general(value)}" for name, value in point) for point in found], MOST_POINTS))
