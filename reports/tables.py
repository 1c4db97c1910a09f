"""Makes a table of the configuration, `{title, sweep, rows, columns, value}`."""

from dataclasses import dataclass, replace
from math import ceil
from typing import Sequence

from reports import captions
from reports.compare import by_problem, leaders, problem
from reports.document import Cell, Code, Column, Table, cell, numbers, plain, text, words
from reports.emulated import NOTE, RIGHT
from reports.fields import Fields
from reports.language import mark, told, tr
from reports.layout import WIDEST, column_width, width
from reports.metrics import COUNTED, NOT_SAMPLED, MetricInfo, metric_info
from reports.record import Case, Metric, Run
from reports.notes import Notes
from reports.numbers import Quantity, general, range_text, with_interval
from reports.selection import METRIC, Selection, axis_text, axis_value, names, ordered, selection, varying
from reports.statuses import words as status_words
from reports.text import line, listing, unique


EXCLUDED = mark("excluded")


@dataclass(frozen=True)
class TableSpec:
    select: Selection
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[str, ...]
    published: bool  # show published figures below it


def table_spec(fields: Fields) -> TableSpec:
    values = names(fields, "values") or names(fields, "value")
    if not values:
        raise fields.fail('"values" is missing')
    spec = TableSpec(selection(fields), names(fields, "rows") or ("variant",), names(fields, "columns"), values,
                     fields.flag("published") is not False)
    if len(values) > 1 and METRIC not in spec.rows + spec.columns:
        spec = replace(spec, columns=spec.columns + (METRIC,))
    return spec


class Grid:
    """Cases by row and column. If two cases would share a cell, the axes in which they differ become row labels."""

    def __init__(self, spec: TableSpec, cases: Sequence[Case], run: Run):
        self.spec, self.cases, self.run = spec, cases, run
        named = [axis for axis in spec.rows + spec.columns if axis != METRIC]
        groups: dict[tuple, list[Case]] = {}
        for case in cases:
            groups.setdefault(tuple(axis_value(case, axis) for axis in named), []).append(case)
        hidden = unique(axis for group in groups.values() if len(group) > 1 for axis in varying(group, but=named))
        self.row_axes, self.column_axes = spec.rows + tuple(hidden), spec.columns
        points = [(self.key(case, self.row_axes, value), self.key(case, self.column_axes, value), case, value)
                  for case in cases for value in spec.values]
        self.row_keys = ordered(row for row, *_ in points)
        self.column_keys = ordered(column for _, column, *_ in points)
        self.at = {(row, column): (case, value) for row, column, case, value in points}

    def key(self, case: Case, axes: Sequence[str], value: str) -> tuple:
        return tuple(value if axis == METRIC else axis_value(case, axis) for axis in axes)

    def excluded(self, row: tuple, column: tuple) -> str | None:
        """The reason why the configuration excludes this point; None if it does not."""
        wanted = {axis: value for axis, value in zip(self.row_axes + self.column_axes, row + column)
                  if axis != METRIC and value is not None}
        for point in self.run.excluded:
            if not self.spec.select.takes(point.sweep, point.variant, dict(point.axes)):
                continue
            facts = {**point.axes, "variant": point.variant}
            if all(facts.get(axis) == value for axis, value in wanted.items() if axis in facts) and "variant" in facts:
                return point.reason
        return None


def build_tables(run: Run, spec: TableSpec) -> list[Table]:
    """No table if the run has no case for it; several if one would be wider than a page. They get their numbers later."""
    table = build_table(run, spec)
    return split(table) if table else []


def build_table(run: Run, spec: TableSpec) -> Table | None:
    """The whole table, even if it is wider than a page."""
    cases = spec.select.cases(run)
    if not cases:
        return None
    grid = Grid(spec, cases, run)
    notes = Notes()
    best = best_cells(run, cases, spec)
    rows = []
    for row in grid.row_keys:
        labels = [label_cell(run, axis, value) for axis, value in zip(grid.row_axes, row)]
        rows.append((*labels, *(grid_cell(grid, row, column, best, notes) for column in grid.column_keys)))
    infos = {name: metric_info(name, run.metrics_info) for name in spec.values}
    heads = words(*grid.row_axes) + column_heads(grid, infos)
    kept = [i for i in range(len(heads)) if i < len(grid.row_axes) or not is_empty([row[i] for row in rows])]
    left_out: list[str] = []
    if len(kept) > len(grid.row_axes):
        left_out = [line(plain(heads[i].flat or heads[i].head), 80) for i in range(len(heads)) if i not in kept]
        heads, rows = tuple(heads[i] for i in kept), [tuple(row[i] for i in kept) for row in rows]
    shown = [cell for row in rows for cell in row]
    return Table(
        columns=heads, rows=tuple(rows), title=spec.select.title, number=0,
        labels=len(grid.row_axes), spanners=spanner(grid, len(heads) - len(grid.row_axes)),
        caption=text(captions.table(run, cases, list(infos.values()), best_scope(grid, best),
                                    any(cell.tied for cell in shown), spec.select.caption),
                     " " + tr("Columns without a number are left out: {columns}.", columns=listing(left_out, 6)) if left_out else ""),
        notes=tuple((mark, note) for mark, note in notes if any(cell.mark == mark for cell in shown)))


def is_empty(column: Sequence[Cell]) -> bool:
    """No case has this number, and those that ran do not say why."""
    said = [plain(shown.text) for shown in column]
    return "–" in said and all(word == tr(EXCLUDED) or word == "–" and not shown.mark for word, shown in zip(said, column))


def spanner(grid: Grid, columns: int) -> tuple:
    axes = [axis for axis in grid.column_axes if axis != METRIC]
    return ((text(", ".join(axes)), columns),) if axes else ()


def column_heads(grid: Grid, infos: dict[str, MetricInfo]) -> tuple[Column, ...]:
    if not grid.column_axes:
        return numbers(*(info.head for info in infos.values()))
    columns = []
    for key in grid.column_keys:
        parts = [(axis, infos[value].head if axis == METRIC else axis_text(value))
                 for axis, value in zip(grid.column_axes, key)]
        flat = ", ".join(value if axis == METRIC else f"{axis}={value}" for axis, value in parts)
        columns.append(Column(text(", ".join(value for _, value in parts)), flat=text(flat)))
    return tuple(columns)


def label_cell(run: Run, axis: str, value) -> Cell:
    if axis == METRIC:
        return cell(metric_info(value, run.metrics_info).head)
    if axis == "variant":
        return cell(Code(axis_text(value)), run.whose(value), value=value)
    return cell(axis_text(value), value=value)


def grid_cell(grid: Grid, row: tuple, column: tuple, best: set, notes: Notes) -> Cell:
    found = grid.at.get((row, column))
    if found is None:
        reason = grid.excluded(row, column)
        if reason is None:
            return cell("–", word=True)
        return cell(tr(EXCLUDED), word=True, mark=notes.mark(text(tr("excluded: {reason}", reason=line(reason)))) if reason else "")
    case, name = found
    if name == "speedup" and case.variant == grid.run.baseline and case.metrics:
        return cell("1", word=True, value=1, case=case.id, metric=name)
    if name not in case.metrics:
        return cell(no_number(case), word=True, mark=reason_mark(case, notes), case=case.id, metric=name)
    return metric_cell(case, name, (case.id, name) in best, notes)


def no_number(case: Case) -> str:
    return case.status if case.status != "PASSED" else tr(RIGHT) if case.emulated else "–"


def metric_cell(case: Case, name: str, best: bool, notes: Notes) -> Cell:
    metric = case.metrics[name]
    number = quantity(metric, name)
    speedup = case.metrics.get("speedup")
    tied = bool(speedup and speedup.equal and speedup.over != case.variant and name in ("kernel_ms", "speedup"))
    detail = f"{range_text(metric.median, metric.low, metric.high)}, n = {metric.n}" if metric.n and name not in NOT_SAMPLED else ""
    return Cell(text(number.text), number.spread, best, tied, reason_mark(case, notes), detail=detail,
                value=metric.median if case.status == "PASSED" else f"{case.status} {metric.median!r}", case=case.id, metric=name)


def quantity(metric: Metric, name: str) -> Quantity:
    """With its interval, or with `n=3` if there is none. A number that is counted is exact."""
    if name == COUNTED:
        return Quantity(general(metric.median))
    number = with_interval(metric.median, metric.low, metric.high)
    few = f"n={metric.n}" if metric.n and name not in NOT_SAMPLED else ""
    return Quantity(number.text, number.spread or few)


def reason_mark(case: Case, notes: Notes) -> str:
    if case.status == "PASSED":
        return notes.mark(text(tr(NOTE))) if case.emulated else ""
    why = line(told(case.reason or case.check.message))
    return notes.mark(text(status_words(case.status) + (tr(": ") + why if why else "")))


def best_cells(run: Run, cases: Sequence[Case], spec: TableSpec) -> set[tuple[str, str]]:
    """(case id, metric) of the best case of each problem and of all that are tied with it."""
    best = set()
    for name in spec.values:
        info = metric_info(name, run.metrics_info)
        for group in by_problem(cases).values():
            lead = leaders(group, info)
            if len(lead) < len([case for case in group if name in case.metrics and case.comparable]):
                best |= {(case.id, name) for case in lead}
    return best


def best_scope(grid: Grid, best: set) -> str:
    """What the bold cells are the best of; empty if none is bold."""
    if not best:
        return ""
    def one_problem(index: int) -> bool:
        lines: dict[tuple, set] = {}
        for keys, (case, name) in grid.at.items():
            lines.setdefault(keys[index], set()).add((problem(case), name))
        return all(len(found) == 1 for found in lines.values())
    if one_problem(1):
        return tr("Bold: the best of each column, and all that are tied with it.")
    return tr("Bold: the best of each row, and all that are tied with it.") if one_problem(0) else tr(
        "Bold: the best for each problem, and all that are tied with it.")


def split(table: Table) -> list[Table]:
    values = len(table.columns) - table.labels
    if width(table) <= WIDEST or values < 2:
        return [table]
    labels = sum(column_width(table, i) for i in range(table.labels))
    count = min(ceil((width(table) - labels) / max(WIDEST - labels, 20)), values)
    size = ceil(values / count)
    parts = []
    for start in range(table.labels, len(table.columns), size):
        take = lambda row: row[:table.labels] + row[start:start + size]
        columns = take(table.columns)
        over = tuple((name, len(columns) - table.labels) for name, _ in table.spanners)
        parts.append(replace(table, columns=columns, rows=tuple(map(take, table.rows)), spanners=over))
    return [replace(part, title=part.title + tr(" (part {i} of {n})", i=i, n=len(parts))) for i, part in enumerate(parts, 1)]
