"""Numbers in full precision as rows with typed columns, for CSV and JSON: from cases, or from a table of the report."""

from dataclasses import dataclass
from typing import Sequence

from reports.document import Cell, Column, Table, cell, plain, text
from reports.errors import suggestion
from reports.fields import Fields, Scalar
from reports.metrics import metric_info
from reports.record import Case, Metric, Run
from reports.numbers import general
from reports.selection import METRIC, OWN, Selection, axis_value, ordered, selection
from reports.tables import TableSpec
from reports.text import line, unique

STATUS = "status"
NAMES = {int: "integer", float: "number", bool: "boolean", str: "text"}


@dataclass(frozen=True)
class Rows:
    """Each row has a value or None for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar | None, ...], ...]
    units: tuple[str, ...] = ()  # unit of each column; empty if its numbers have different units

    @property
    def types(self) -> list[str]:
        """The type of each column: integer, number, boolean or text; `number or text` if it has numbers and statuses."""
        columns = zip(*self.rows) if self.rows else [()] * len(self.columns)
        return [type_name({type(value) for value in column if value is not None}) for column in columns]


def type_name(found: set[type]) -> str:
    if found <= {int, float} and len(found) > 1:
        return "number"
    return " or ".join(NAMES[t] for t in (bool, int, float, str) if t in found) or "text"


def measured(run: Run, case: Case, name: str) -> Metric | None:
    """A metric of the case; the speedup of the baseline is 1 by definition."""
    if name == "speedup" and case.variant == run.baseline and case.metrics:
        return Metric(median=1)
    return case.metrics.get(name)


def tidy(run: Run, spec: TableSpec) -> Rows:
    """One row per case and metric of a table: axes, median, interval, number of samples, unit and status."""
    cases = spec.select.cases(run)
    asked = [axis for axis in spec.rows + spec.columns if axis != METRIC]
    several = [axis for axis in ("dtype", "threads") if len({axis_value(case, axis) for case in cases}) > 1]
    axes = unique(["variant", *several, *(axis for case in cases for axis in case.axes), *asked])
    key = lambda case: tuple(axis_value(case, axis) for axis in axes)
    rank = {point: i for i, point in enumerate(ordered(map(key, cases)))}
    rows = []
    for case in sorted(cases, key=lambda case: rank[key(case)]):
        for name in spec.values:
            metric, unit = measured(run, case, name), metric_info(name, run.metrics_info).unit
            figures = (metric.median, metric.low, metric.high, metric.n or None) if metric else (None,) * 4
            rows.append((*key(case), name, *figures, unit, case.status))
    return Rows((*axes, METRIC, "median", "low", "high", "n", "unit", STATUS), tuple(rows))


def declared(run: Run, fields: Fields) -> Rows:
    """An export of the configuration: one row per case, with the columns that it declares."""
    select = selection(fields)
    cases = select.cases(run)
    columns = fields.objects("columns", "column")
    check_parameters(cases, columns)
    # without a status column, the number of a case that did not pass would look valid
    shown = any(column.text("axis") == STATUS for column in columns)
    rows = tuple(tuple(entry(run, case, column, shown) for column in columns) for case in cases)
    units = tuple(column.text("unit") or metric_info(column.text("metric"), run.metrics_info).unit for column in columns)
    return Rows(tuple(column.required("name") for column in columns), rows, units)


def check_parameters(cases: Sequence[Case], columns: Sequence[Fields]) -> None:
    known = unique(name for case in cases for name in case.parameters)
    for column in columns:
        name = column.text("parameter")
        if name and cases and name not in known:
            way_out = suggestion(name, known) or "; they have " + ", ".join(known)
            raise column.fail(f'no case has a parameter "{line(name, 60)}"{way_out}')


def entry(run: Run, case: Case, column: Fields, shown: bool) -> Scalar | None:
    if name := column.text("parameter"):
        return case.parameters.get(name)
    if axis := column.text("axis"):
        return case.status if axis == STATUS else axis_value(case, axis)
    metric = measured(run, case, column.required("metric"))
    if metric is None or not (case.comparable or shown):
        return None
    scale = column.number("scale")
    return metric.median if scale is None else metric.median * scale


def of_table(table: Table) -> Rows:
    """A table as it is in the report, but with numbers that are not rounded and with None for a dash."""
    heads = [plain(column.flat or column.head) for column in table.columns]
    return Rows(tuple(distinct(heads)), tuple(tuple(map(value, row)) for row in table.rows))


def distinct(names: Sequence[str]) -> list[str]:
    """Adds a number to a name that occurred before."""
    found: list[str] = []
    for name in names:
        same, count = name, 2
        while same in found:
            same, count = f"{name} {count}", count + 1
        found.append(same)
    return found


def value(shown: Cell) -> Scalar | None:
    if shown.value is not None:
        return shown.value
    written = plain(shown.text)
    return None if written in ("", "–") else written


def as_table(rows: Rows, title: str) -> Table:
    """The rows as a table for Markdown and LaTeX."""
    numeric = [name not in ("text", "boolean") for name in rows.types]
    columns = tuple(Column(text(name), numeric=number) for name, number in zip(rows.columns, numeric))
    cells = tuple(tuple(cell("–", word=True) if v is None else cell(repr(v) if isinstance(v, float) else general(v)) for v in row)
                  for row in rows.rows)
    return Table(columns, cells, title, labels=1, aligned=False)
