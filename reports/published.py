"""Compares published figures with measured ones: value, ratio and order. They come from other machines and are not targets."""

from dataclasses import dataclass
from typing import Sequence

from reports import emulated
from reports.compare import distinct, points
from reports.document import Text, say
from reports.fields import Scalar
from reports.language import mark, told, tr, tr_many
from reports.metrics import MetricInfo, metric_info
from reports.record import Case, PublishedFile, PublishedRow, Run
from reports.numbers import general
from reports.naming import sweep_name
from reports.selection import axis_value, is_macro, ordered
from reports.text import line, listing, plural, unique

Key = tuple
AGREEMENT = {"agree": mark("agree{where}"), "differ": mark("differ{where}"), "undecided": mark("are undecided{where}")}


@dataclass(frozen=True)
class Comparison:
    """One metric of one published file. Its items (variant, BLOCK ...) solve the same problems."""

    file: PublishedFile
    info: MetricInfo
    item_axes: tuple[str, ...]
    problem_axes: tuple[str, ...]
    fixed: tuple[tuple[str, Scalar], ...]  # axes with the same value in all problems
    items: tuple[Key, ...]
    problems: tuple[Key, ...]
    published: dict[tuple[Key, Key], float]
    cases: dict[tuple[Key, Key], Case]

    @property
    def sweep(self) -> str:
        return next(iter(case.sweep for case in self.cases.values()))

    def measured(self) -> dict[tuple[Key, Key], Case]:
        return {key: case for key, case in self.cases.items() if case.comparable and self.info.name in case.metrics}


@dataclass(frozen=True)
class Order:
    """The published and the measured order of the items of one problem."""

    problem: Key
    published: tuple[Key, ...]
    measured: tuple[tuple[Key, bool], ...]  # best first; True: tied with the one before
    pairs: int
    opposite: tuple[tuple[Key, Key], ...]  # (measured better, published better)
    tied: int


def row_axis(row: PublishedRow, axis: str):
    return {"variant": row.variant, "dtype": row.dtype}.get(axis, row.axes.get(axis))


def find_case(run: Run, file: PublishedFile, row: PublishedRow) -> Case | None:
    """The case with the variant, type and axes of the row. If there are several: the one without other axes."""
    fits = [case for case in run.cases
            if case.variant == row.variant and (not row.dtype or case.dtype == row.dtype)
            and (not file.sweep or case.sweep == file.sweep)
            and all(axis_value(case, axis) == value for axis, value in row.axes.items())]
    exact = [case for case in fits if set(case.axes) == set(row.axes)]
    fits = sorted(exact, key=lambda case: not case.comparable) or (fits if len(fits) == 1 else [])
    return fits[0] if fits else None


def compare(run: Run, file: PublishedFile) -> list[Comparison]:
    """One Comparison per metric for which this run has a case."""
    axes = unique(axis for row in file.rows for axis in row.axes)
    differing = lambda axis: len({row_axis(row, axis) for row in file.rows}) > 1
    item_axes = ("variant",) + tuple(axis for axis in axes if is_macro(axis))
    known = tuple(axis for axis in axes if not is_macro(axis))
    problem_axes = tuple(axis for axis in (*known, "dtype") if differing(axis)) or known
    fixed = tuple((axis, row_axis(file.rows[0], axis)) for axis in known if axis not in problem_axes)
    found = []
    for name in unique(name for row in file.rows for name in row.values):
        published, cases = {}, {}
        for row in file.rows:
            case = find_case(run, file, row) if name in row.values else None
            if case is not None:
                key = tuple(row_axis(row, a) for a in item_axes), tuple(row_axis(row, a) for a in problem_axes)
                published[key], cases[key] = row.values[name], case
        if any(name in case.metrics for case in cases.values()):
            found.append(Comparison(file, metric_info(name, run.metrics_info), item_axes, problem_axes, fixed,
                                    tuple(ordered(item for item, _ in cases)), tuple(ordered(p for _, p in cases)),
                                    published, cases))
    return found


def not_compared(run: Run, file: PublishedFile) -> str:
    """Why nothing of a file is compared; empty if the run has none of its cases."""
    if file.rows and not any(row.values for row in file.rows):
        return mark("the configuration maps none of its columns to a metric (published: values: {column: metric})")
    cases = [case for row in file.rows if (case := find_case(run, file, row))]
    if emulated.only(cases):
        return emulated.UNTIMED
    reasons = unique(line(told(case.reason)) for case in cases if case.reason)
    return listing(reasons, 3) or (mark("no measured case has its metrics") if cases else "")


def orders(comparison: Comparison) -> list[Order]:
    """One Order per problem with two or more items that are both published and measured."""
    result = []
    measured, name = comparison.measured(), comparison.info.name
    sign = -1 if comparison.info.better == "higher" else 1
    for problem in comparison.problems:
        items = [item for item in comparison.items
                 if (item, problem) in measured and measured[item, problem].metrics[name].interval]
        if len(items) < 2 or not comparison.info.better:
            continue
        there = {item: sign * comparison.published[item, problem] for item in items}
        cases = {item: measured[item, problem] for item in items}
        ranked = sorted(items, key=lambda item: sign * cases[item].metrics[name].median)
        chain = [(item, i > 0 and not distinct(cases[ranked[i - 1]], cases[item], name)) for i, item in enumerate(ranked)]
        pairs = [(a, b) for i, a in enumerate(ranked) for b in ranked[i + 1:]]
        different = [(a, b) for a, b in pairs if distinct(cases[a], cases[b], name)]
        opposite = tuple((a, b) for a, b in different if there[a] > there[b])
        result.append(Order(problem, tuple(sorted(items, key=there.__getitem__)), tuple(chain), len(pairs),
                            opposite, len(pairs) - len(different)))
    return result


def one_variant(comparison: Comparison) -> bool:
    """All items are one variant with different parameters, so its name need not be repeated."""
    return len(comparison.item_axes) > 1 and len({item[0] for item in comparison.items}) == 1


def item_text(comparison: Comparison, item: Key) -> str:
    """`gpu_shared 32`. Several parameters have their names: `gpu_shared BLOCK=32 TILE=4`."""
    several = len(comparison.item_axes) > 2
    parts = [line(str(item[0]), 80)] * (not one_variant(comparison))
    for axis, value in zip(comparison.item_axes[1:], item[1:]):
        if value is not None:
            parts.append(f"{axis}={general(value)}" if several else general(value))
    return " ".join(parts)


def counted(found: Sequence[Order]) -> str:
    """of 28 pairs, 20 have the published order, 6 the opposite order and 2 are tied"""
    pairs, opposite, tied = (sum(count) for count in zip(*((o.pairs, len(o.opposite), o.tied) for o in found)))
    same = pairs - opposite - tied
    against = (tr("{n} the opposite order", n=opposite) if same else
               tr_many("{n} has the opposite order", "{n} have the opposite order", opposite))
    parts = [tr_many("{n} has the published order", "{n} have the published order", same)] * bool(same) + [against] * bool(opposite)
    parts += [tr_many("{n} is tied", "{n} are tied", tied)] * bool(tied)
    return tr("of {pairs}, {parts}", pairs=plural(pairs, "pair"), parts=listing(parts))


def total(run: Run) -> Text | None:
    """One sentence about all published tables together."""
    found = [order for file in run.published for comparison in compare(run, file) for order in orders(comparison)]
    return say("Published figures come from other machines: {counts} on this machine.", counts=counted(found)) if found else None


def highlights(run: Run) -> list[Text]:
    """One sentence per comparison: at which problems the published and the measured order agree."""
    sentences = []
    comparisons = [c for file in run.published for c in compare(run, file)]
    about = [(c.sweep, c.info.name) for c in comparisons]
    for comparison in comparisons:
        found: dict[str, list[dict]] = {}
        measured = orders(comparison)
        for order in measured:
            how = "differ" if order.opposite else "undecided" if order.tied == order.pairs else "agree"
            found.setdefault(how, []).append(dict(zip(comparison.problem_axes, order.problem)))
        parts = [tr(said, where=tr(" at {point}", point=points(problems)) if points(problems) else "")
                 for how, said in AGREEMENT.items() if (problems := found.get(how))]
        if parts:
            several = about.count((comparison.sweep, comparison.info.name)) > 1
            where = tr(" (published for {machine})", machine=line(comparison.file.machine or comparison.file.file, 120)) if several else ""
            sentences.append(say("In {sweep}{where}, the published and the measured order by {metric} {how}: {counts}.",
                                 sweep=sweep_name(run, comparison.sweep, comparison.info.name), where=where, metric=comparison.info.label,
                                 how=listing(parts), counts=counted(measured)))
    return sentences
