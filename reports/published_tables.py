"""The tables of a Comparison: published value, measured value and ratio; published and measured order."""

from dataclasses import replace
from typing import Sequence

from reports.document import Cell, Code, Column, Table, Text, cell, join, plain, say, text, words
from reports.language import mark, tr, tr_many
from reports.captions import with_unit
from reports.metrics import MetricInfo
from reports.record import Metric, Run
from reports.notes import Notes
from reports.numbers import exponent, general, significant, spread_decimals
from reports.published import Comparison, Key, Order, item_text, one_variant
from reports.selection import axis_text
from reports.tables import no_number, quantity, reason_mark
from reports.text import line, plural, sentence

MOST_NAMED = 8  # items of an order
FIRST_NAMED = 5  # items of a longer order
SIDE_BY_SIDE = 3  # with at most so many problems or items, published, measured and ratio are columns
MOST_COLUMNS = 8  # with at most so many problems, each may be a column
PARTS = (mark("published"), mark("measured"), mark("ratio"))
Axes = tuple[str, ...]  # of the items; without "variant" if there is only one


def agreement(comparison: Comparison, order: Order) -> str:
    if order.opposite:
        better, worse = order.opposite[0]
        more = tr(" in {n} of {pairs}", n=len(order.opposite), pairs=plural(order.pairs, "pair")) if order.pairs > 1 else ""
        return tr("differs{where}: in this run, {better} is better than {worse}", where=more, better=item_text(comparison, better),
                  worse=item_text(comparison, worse))
    if order.tied == order.pairs:
        return tr("undecided: all are tied")
    return tr_many("agrees; {n} pair is tied", "agrees; {n} pairs are tied", order.tied) if order.tied else tr("agrees")


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
    of = tr(" of {variant}", variant=comparison.items[0][0]) if alone else ""
    return replace(table, title=line(tr("Published and measured {metric}{of}", metric=comparison.info.label, of=of), 160), number=0,
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
        rows += [(*item_labels(axes, item), cell(tr(name)), *(three[i] for three in cells)) for i, name in enumerate(PARTS)]
    columns = words(*axes, "") + tuple(
        Column(text(", ".join(map(axis_text, problem))), flat=text(problem_name(comparison, problem))) for problem in comparison.problems)
    return Table(columns, tuple(rows), labels=len(axes) + 1,
                 spanners=((text(", ".join(comparison.problem_axes)), len(comparison.problems)),))


def item_labels(axes: Axes, item: Key) -> list[Cell]:
    values = item[len(item) - len(axes):]
    return [cell(Code(axis_text(value)) if axis == "variant" else axis_text(value)) for axis, value in zip(axes, values)]


def trios(names: Sequence[str]) -> tuple[Column, ...]:
    return tuple(Column(text(tr(part)), flat=text(f"{name} {tr(part)}".strip())) for name in names for part in PARTS)


def problem_name(comparison: Comparison, problem: Key) -> str:
    return ", ".join(f"{axis}={axis_text(value)}" for axis, value in zip(comparison.problem_axes, problem))


def caption(comparison: Comparison, explained: bool) -> Text:
    info = comparison.info
    where = ", ".join(f"{axis}={axis_text(value)}" for axis, value in comparison.fixed)
    parts = {"what": with_unit(replace(info, label=info.label.capitalize())) + (f", {where}" if where else ""), "file": Code(comparison.file.file),
             "ratio": tr("measured divided by published") if info.better == "higher" else tr("published divided by measured"),
             "note": f" {sentence(line(comparison.file.note))}" if comparison.file.note else ""}
    if explained:
        return say("{what}. Published: {file}. Ratio: {ratio}.{note}", **parts)
    return say("{what}. Published: {file}, from {machine}, without a spread. Ratio: {ratio}, so this machine is better if the ratio is above 1. "
               "The two machines differ, so a ratio does not compare the programs alone.{note}", **parts,
               machine=line(comparison.file.machine) or tr("an unknown machine"))


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
        more = tr(" {sign} {n} more", sign=sign, n=len(order.published) - some) if some < len(order.published) else ""
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
    alone = one_variant(comparison)
    few = any(not case.metrics[comparison.info.name].interval for case in comparison.measured().values())
    left_out = tr(" Cases with too few samples for an interval are left out.") if few else ""
    named = tr(" Items: {axes}.", axes=", ".join(comparison.item_axes)) if not alone and len(comparison.item_axes) > 1 else ""
    return Table(words(*axes, "published order", "measured order", "comparison"), tuple(rows), tr("Published and measured order of {what}", what=", ".join(comparison.item_axes[1:]) if alone else tr("variants")), 0, len(axes),
                 caption=say("Best first, by {metric}.{named} ~ is between tied neighbours. The orders agree if no pair has the opposite order. "
                             "Tied pairs do not count.{left_out}", metric=comparison.info.label, named=named, left_out=left_out))
