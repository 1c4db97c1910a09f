"""The tables of a Comparison: published value, measured value and ratio; published and measured order."""

from dataclasses import replace
from typing import Sequence

from reports.document import Cell, Code, Column, Table, Text, cell, join, plain, text, words
from reports.metrics import MetricInfo
from reports.record import Metric, Run
from reports.notes import Notes
from reports.numbers import exponent, general, significant, spread_decimals
from reports.published import Comparison, Key, Order, item_text, one_variant
from reports.selection import axis_text
from reports.tables import no_number, quantity, reason_mark
from reports.text import are, line, plural, sentence

MOST_NAMED = 8  # items of an order
FIRST_NAMED = 5  # items of a longer order
SIDE_BY_SIDE = 3  # with at most so many problems or items, published, measured and ratio are columns
MOST_COLUMNS = 8  # with at most so many problems, each may be a column
PARTS = ("published", "measured", "ratio")
Axes = tuple[str, ...]  # of the items; without "variant" if there is only one


def agreement(comparison: Comparison, order: Order) -> str:
    if order.opposite:
        better, worse = order.opposite[0]
        more = f" in {len(order.opposite)} of {plural(order.pairs, 'pair')}" if order.pairs > 1 else ""
        return f"differs{more}: in this run, {item_text(comparison, better)} is better than {item_text(comparison, worse)}"
    if order.tied == order.pairs:
        return "undecided: all are tied"
    return f"agrees; {plural(order.tied, 'pair')} {are(order.tied)} tied" if order.tied else "agrees"


def ratio_text(info: MetricInfo, published: float, metric: Metric) -> str:
    """How many times better this machine is. At most three digits, because no published spread is known."""
    if not published or not metric.median:
        return "–"
    higher = info.better == "higher"
    turn = (lambda value: value / published) if higher else (lambda value: published / value)
    ratio = turn(metric.median)
    if metric.interval and all(metric.interval):
        half = max(abs(turn(end) - ratio) for end in metric.interval)
        if half:
            return significant(ratio, max(1, min(3, exponent(ratio) + spread_decimals(half) + 1)))
    return significant(ratio, 3)


def trio(comparison: Comparison, key: tuple[Key, Key], notes: Notes) -> tuple[Cell, Cell, Cell]:
    """Published, measured, ratio."""
    value, case = comparison.published.get(key), comparison.cases.get(key)
    nothing = cell("–", word=True)
    published = nothing if value is None else cell(general(value))
    if case is None:
        return published, nothing, nothing
    if comparison.info.name not in case.metrics:
        return published, cell(no_number(case), word=True, mark=reason_mark(case, notes), case=case.id, metric=comparison.info.name), nothing
    metric = case.metrics[comparison.info.name]
    number = quantity(metric, comparison.info.name)
    measured = Cell(text(number.text), number.spread, mark=reason_mark(case, notes),
                    value=metric.median, case=case.id, metric=comparison.info.name)
    return published, measured, cell(ratio_text(comparison.info, value, metric))


def value_table(run: Run, comparison: Comparison, explained: bool = False) -> Table:
    notes, alone = Notes(), one_variant(comparison)
    few_items, many_problems = len(comparison.items) <= SIDE_BY_SIDE, len(comparison.problems) > MOST_COLUMNS
    layout = side_by_side if len(comparison.problems) <= SIDE_BY_SIDE else downwards if few_items and many_problems else stacked
    table = layout(comparison, comparison.item_axes[alone:], notes)
    of = f" of {comparison.items[0][0]}" if alone else ""
    return replace(table, title=line(f"Published and measured {comparison.info.label}{of}", 160), number=0,
                   caption=caption(comparison, explained), notes=tuple(notes))


def side_by_side(comparison: Comparison, axes: Axes, notes: Notes) -> Table:
    """One row per item, three columns per problem."""
    rows = [(*item_labels(axes, item), *(part for problem in comparison.problems for part in trio(comparison, (item, problem), notes)))
            for item in comparison.items]
    names = [problem_name(comparison, problem) for problem in comparison.problems]
    return Table(words(*axes) + trios(names), tuple(rows), labels=len(axes),
                 spanners=tuple((text(name), 3) for name in names) if comparison.problem_axes else ())


def downwards(comparison: Comparison, axes: Axes, notes: Notes) -> Table:
    """One row per problem, three columns per item."""
    rows = [(*(cell(axis_text(value)) for value in problem),
             *(part for item in comparison.items for part in trio(comparison, (item, problem), notes)))
            for problem in comparison.problems]
    names = [item_text(comparison, item) for item in comparison.items]
    return Table(words(*comparison.problem_axes) + trios(names), tuple(rows), labels=len(comparison.problem_axes),
                 spanners=tuple((text(name), 3) for name in names) if axes else ())


def stacked(comparison: Comparison, axes: Axes, notes: Notes) -> Table:
    """Three rows per item, one column per problem."""
    rows = []
    for item in comparison.items:
        cells = [trio(comparison, (item, problem), notes) for problem in comparison.problems]
        rows += [(*item_labels(axes, item), cell(name), *(three[i] for three in cells)) for i, name in enumerate(PARTS)]
    columns = words(*axes, "") + tuple(
        Column(text(", ".join(map(axis_text, problem))), flat=text(problem_name(comparison, problem))) for problem in comparison.problems)
    return Table(columns, tuple(rows), labels=len(axes) + 1,
                 spanners=((text(", ".join(comparison.problem_axes)), len(comparison.problems)),))


def item_labels(axes: Axes, item: Key) -> list[Cell]:
    values = item[len(item) - len(axes):]
    return [cell(Code(axis_text(value)) if axis == "variant" else axis_text(value)) for axis, value in zip(axes, values)]


def trios(names: Sequence[str]) -> tuple[Column, ...]:
    return tuple(Column(text(part), flat=text(f"{name} {part}".strip())) for name in names for part in PARTS)


def problem_name(comparison: Comparison, problem: Key) -> str:
    return ", ".join(f"{axis}={axis_text(value)}" for axis, value in zip(comparison.problem_axes, problem))


def caption(comparison: Comparison, explained: bool) -> Text:
    info = comparison.info
    ratio = "measured divided by published" if info.better == "higher" else "published divided by measured"
    where = ", ".join(f"{axis}={axis_text(value)}" for axis, value in comparison.fixed)
    what = text(f"{info.label.capitalize()}{f' in {info.unit}' if info.unit else ''}{f', {where}' if where else ''}. Published: ",
                Code(comparison.file.file))
    note = f" {sentence(line(comparison.file.note))}" if comparison.file.note else ""
    if explained:
        return text(what, f". Ratio: {ratio}.{note}")
    return text(what, f", from {line(comparison.file.machine) or 'an unknown machine'}, without a spread. Ratio: {ratio}, so this machine "
                f"is better if the ratio is above 1. The two machines differ, so a ratio does not compare the programs alone.{note}")


def merged(rows: list[tuple[Cell, ...]], axis: int) -> list[tuple[Cell, ...]]:
    """One row for all values of an axis with the same orders and the same comparison."""
    same: dict[tuple[Text, ...], list[tuple[Cell, ...]]] = {}
    for row in rows:
        same.setdefault(tuple(shown.text for shown in (*row[:axis], *row[axis + 1:])), []).append(row)
    return [(*group[0][:axis], cell(", ".join(plain(row[axis].text) for row in group)), *group[0][axis + 1:]) for group in same.values()]


def order_table(comparison: Comparison, found: Sequence[Order]) -> Table:
    sign = ">" if comparison.info.better == "higher" else "<"
    rows = []
    for order in found:
        some = len(order.published) if len(order.published) <= MOST_NAMED else FIRST_NAMED
        more = f" {sign} {len(order.published) - some} more" if some < len(order.published) else ""
        published = text(join([text(item_text(comparison, item)) for item in order.published[:some]], f" {sign} ", f" {sign} "), more)
        measured: list = []
        for item, tied in order.measured[:some]:
            measured += [f" {'~' if tied else sign} "] if measured else []
            measured.append(item_text(comparison, item))
        measured += [more] if more else []
        rows.append((*(cell(axis_text(v)) for v in order.problem), cell(published), cell(*measured),
                     cell(agreement(comparison, order))))
    axes = comparison.problem_axes
    for axis in reversed(range(len(axes))):
        rows = merged(rows, axis)
    what = ", ".join(comparison.item_axes[1:]) if one_variant(comparison) else "variants"
    few = any(not case.metrics[comparison.info.name].interval for case in comparison.measured().values())
    left_out = " Cases with too few samples for an interval are left out." if few else ""
    named = f" Items: {', '.join(comparison.item_axes)}." if what == "variants" and len(comparison.item_axes) > 1 else ""
    return Table(words(*axes, "published order", "measured order", "comparison"), tuple(rows), f"Published and measured order of {what}", 0,
                 len(axes), caption=text(
                     f"Best first, by {comparison.info.label}.{named} ~ is between tied neighbours. The orders agree if no pair has the "
                     f"opposite order. Tied pairs do not count.{left_out}"))
