"""Published figures beside ours: value, ratio and order. Never targets: they come from other machines."""

from dataclasses import dataclass
from typing import Sequence

from reports import emulated
from reports.compare import bounds, distinct, points
from reports.document import Code, Text, text
from reports.fields import Scalar
from reports.metrics import MetricInfo, metric_info
from reports.model import Case, PublishedFile, PublishedRow, Run
from reports.numbers import general
from reports.selection import axis_value, is_macro, ordered
from reports.text import line, listing, plural, unique

Key = tuple


@dataclass(frozen=True)
class Comparison:
    """One metric of one published file. Items solve the same problem in different ways: variant, BLOCK ..."""

    file: PublishedFile
    info: MetricInfo
    item_axes: tuple[str, ...]
    problem_axes: tuple[str, ...]
    fixed: tuple[tuple[str, Scalar], ...]  # axes that are the same in all its problems
    items: tuple[Key, ...]
    problems: tuple[Key, ...]
    published: dict[tuple[Key, Key], float]
    ours: dict[tuple[Key, Key], Case]

    @property
    def sweep(self) -> str:
        return next(iter(case.sweep for case in self.ours.values()))

    def measured(self) -> dict[tuple[Key, Key], Case]:
        return {place: case for place, case in self.ours.items() if case.comparable and self.info.name in case.metrics}


@dataclass(frozen=True)
class Order:
    """How one problem's items rank, there and here."""

    problem: Key
    published: tuple[Key, ...]
    here: tuple[tuple[Key, bool], ...]  # best first; True: cannot be told apart from the one before
    pairs: int
    contradicted: tuple[tuple[Key, Key], ...]  # (better here, better there)
    undecided: int


def row_axis(row: PublishedRow, axis: str):
    return {"variant": row.variant, "dtype": row.dtype}.get(axis, row.axes.get(axis))


def find_case(run: Run, file: PublishedFile, row: PublishedRow) -> Case | None:
    """The case with the row's variant, type and axes; of several, the one that was swept over just these axes."""
    fits = [case for case in run.cases
            if case.variant == row.variant and (not row.dtype or case.dtype == row.dtype)
            and (not file.sweep or case.sweep == file.sweep)
            and all(axis_value(case, axis) == value for axis, value in row.axes.items())]
    exact = [case for case in fits if set(case.axes) == set(row.axes)]
    fits = sorted(exact, key=lambda case: not case.comparable) or (fits if len(fits) == 1 else [])
    return fits[0] if fits else None


def compare(run: Run, file: PublishedFile) -> list[Comparison]:
    """One Comparison a metric that this run has a case for."""
    axes = unique(axis for row in file.rows for axis in row.axes)
    differing = lambda axis: len({row_axis(row, axis) for row in file.rows}) > 1
    item_axes = ("variant",) + tuple(axis for axis in axes if is_macro(axis))
    known = tuple(axis for axis in axes if not is_macro(axis))
    problem_axes = tuple(axis for axis in (*known, "dtype") if differing(axis)) or known
    fixed = tuple((axis, row_axis(file.rows[0], axis)) for axis in known if axis not in problem_axes)
    found = []
    for name in unique(name for row in file.rows for name in row.values):
        published, ours = {}, {}
        for row in file.rows:
            case = find_case(run, file, row) if name in row.values else None
            if case is not None:
                place = tuple(row_axis(row, a) for a in item_axes), tuple(row_axis(row, a) for a in problem_axes)
                published[place], ours[place] = row.values[name], case
        if any(name in case.metrics for case in ours.values()):
            found.append(Comparison(file, metric_info(name, run.metrics_info), item_axes, problem_axes, fixed,
                                    tuple(ordered(item for item, _ in ours)), tuple(ordered(p for _, p in ours)),
                                    published, ours))
    return found


def not_compared(run: Run, file: PublishedFile) -> str:
    """Why nothing of a file stands beside ours; empty where the run has none of its cases."""
    if file.rows and not any(row.values for row in file.rows):
        return "the configuration names no column of it as a metric (published: values: {column: metric})"
    cases = [case for row in file.rows if (case := find_case(run, file, row))]
    if emulated.only(cases):
        return emulated.UNTIMED
    reasons = unique(line(case.reason) for case in cases if case.reason)
    return listing(reasons, 3) or ("no measured case has its metrics" if cases else "")


def orders(comparison: Comparison) -> list[Order]:
    """For each problem with two or more items that both sides have."""
    result = []
    measured, name = comparison.measured(), comparison.info.name
    sign = -1 if comparison.info.better == "higher" else 1
    for problem in comparison.problems:
        items = [item for item in comparison.items
                 if (item, problem) in measured and bounds(measured[item, problem].metrics[name])]
        if len(items) < 2 or not comparison.info.better:
            continue
        there = {item: sign * comparison.published[item, problem] for item in items}
        here = {item: measured[item, problem] for item in items}
        ranked = sorted(items, key=lambda item: sign * here[item].metrics[name].median)
        chain = [(item, i > 0 and not distinct(here[ranked[i - 1]], here[item], name)) for i, item in enumerate(ranked)]
        pairs = [(a, b) for i, a in enumerate(ranked) for b in ranked[i + 1:]]
        told = [(a, b) for a, b in pairs if distinct(here[a], here[b], name)]
        contradicted = tuple((a, b) for a, b in told if there[a] > there[b])
        result.append(Order(problem, tuple(sorted(items, key=there.__getitem__)), tuple(chain), len(pairs),
                            contradicted, len(pairs) - len(told)))
    return result


def one_variant(comparison: Comparison) -> bool:
    """Only its parameters tell the items apart: the variant's name need not be repeated."""
    return len(comparison.item_axes) > 1 and len({item[0] for item in comparison.items}) == 1


def item_text(comparison: Comparison, item: Key) -> str:
    """`gpu_shared 32`; the names of parameters only where there are several."""
    several = len(comparison.item_axes) > 2
    parts = [line(str(item[0]), 80)] * (not one_variant(comparison))
    for axis, value in zip(comparison.item_axes[1:], item[1:]):
        if value is not None:
            parts.append(f"{axis}={general(value)}" if several else general(value))
    return " ".join(parts)


def counted(found: Sequence[Order]) -> str:
    """of 28 pairs 20 stand as published, 6 the other way round, and 2 cannot be told apart here"""
    pairs, other, open_ = (sum(count) for count in zip(*((o.pairs, len(o.contradicted), o.undecided) for o in found)))
    parts = [f"{pairs - other - open_} {'stand' if pairs - other - open_ != 1 else 'stands'} as published"]
    parts += [f"{other} the other way round"] * bool(other) + [f"{open_} cannot be told apart here"] * bool(open_)
    return f"of {plural(pairs, 'pair')} {listing(parts)}"


def summary(run: Run) -> list[Text]:
    """One sentence a comparison: where the published order holds."""
    sentences = []
    for comparison in (c for file in run.published for c in compare(run, file)):
        found: dict[str, list[dict]] = {}
        ordered_here = orders(comparison)
        for order in ordered_here:
            how = "differs" if order.contradicted else "stays open" if order.undecided == order.pairs else "holds"
            found.setdefault(how, []).append(dict(zip(comparison.problem_axes, order.problem)))
        parts = [" ".join(part for part in (how, "at" * bool(points(places)), points(places)) if part)
                 for how in ("holds", "differs", "stays open") if (places := found.get(how))]
        if parts:
            sentences.append(text("The published order of ", Code(line(comparison.sweep, 80)),
                                  f", by {comparison.info.label}, {listing(parts)}: {counted(ordered_here)}."))
    return sentences
