"""The document as one HTML page, without scripts and without anything fetched; the same page, with other CSS, is the PDF's."""

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reports.document import Cell, Code, Document, Link, Section, Strong, Table, Text
from reports.frame import WIDTH, height
from reports.layout import (HALF, SPARE, SPREAD_PADDING, WIDEST, columns_em, dense_em, dense_parts, em, fitted, half_digits,
                            has_spread, most_decimals, spread_em, white)
from reports.plots import Chart, alt_text

PRINTED_WIDTH = 165.0  # mm
TEMPLATES = Path(__file__).parent / "templates"
ROOM = {"normal": 58.8, "small": 68.0, "wide": 91.0, "wide small": WIDEST}  # em that fit the page, in each way to print a table
KEY = 6.9  # em: the least width of the keys of a list of facts
SHORT = 11.5  # em up to which a column of words is not wrapped
KEEP_ROWS = 24  # a table or a group of rows up to this size is not broken across pages
SHORT_CODE = 24  # lines of code that stay on one page


@dataclass(frozen=True)
class Group:
    rows: tuple[tuple[Cell, ...], ...]
    keep: bool


class TableView:
    """What the template needs to know about a table beyond the table itself."""

    def __init__(self, table: Table, paper: bool = False):
        self.table = table
        self.widths = columns_em(table)
        self.spreads = [has_spread(table, i) for i in range(len(table.columns))]  # two cells each, but on paper one
        self.beside = [max((spread_em(row[i]) for row in table.rows if not row[i].word), default=0.0) + SPREAD_PADDING if two else 0.0
                       for i, two in enumerate(self.spreads)]
        if paper:
            self.spreads = [False] * len(self.spreads)
        self.dense = dense_em(table) if paper and table.dense else []
        for i, width in enumerate(self.dense, len(table.columns) - table.dense):
            self.widths[i] = width, 0
        self.decimals = [most_decimals(table, i) for i in range(len(table.columns))]
        self.short = [sum(width) <= SHORT for width in self.widths]
        self.keep = len(table.rows) <= KEEP_ROWS
        self.groups = self.grouped()

    @property
    def total(self) -> float:
        return sum(map(sum, self.widths))

    @cached_property
    def fixed(self) -> list[float]:
        """Widths of all columns: what is said here, the page need not find out by measuring every word of every cell."""
        if not self.dense:
            return fitted(self.table, ROOM[self.fit])
        return [number + spread for number, spread in self.widths]  # the others have no spread

    def number(self, cell: Cell, column: int) -> Markup:
        """On paper: the decimal points of a column stand under each other, and so do the beginnings of its spreads."""
        number = Markup("<b>{}</b>" if cell.best else "{}").format(spans(cell.text))
        gap, room = self.gap(cell, column) * HALF, self.beside[column]
        if not room:
            return number + raised(cell.mark) + white(gap)
        tilde = Markup(" <b>~</b>") if cell.equal else ""
        after = white(room - SPREAD_PADDING - spread_em(cell))
        return number + white(gap + SPREAD_PADDING) + cell.spread + tilde + raised(cell.mark) + after

    def dense_text(self, row: tuple[Cell, ...]) -> Markup:
        return Markup("").join(escape(shown) + raised(mark) for shown, mark in dense_parts(self.table, row, self.dense))

    @property
    def spanners(self) -> list:
        """With the table's own columns, of which a number and its spread are two."""
        start, spans = self.table.labels, []
        for name, count in self.table.spanners:
            spans.append((name, count + sum(self.spreads[start:start + count])))
            start += count
        return spans

    @property
    def fit(self) -> str:
        return next((fit for fit, room in ROOM.items() if self.total <= room), "wide small")

    def grouped(self) -> list[Group]:
        """Rows by as many leading labels as leave groups of two or more; labels that repeat the row above are left blank."""
        table = self.table
        keys = [tuple(cell.text for cell in row[:table.labels - 1]) for row in table.rows]
        starts = [[i for i, key in enumerate(keys) if i == 0 or key[:d] != keys[i - 1][:d]] for d in range(max(table.labels, 1))]
        depth = max((d for d, found in enumerate(starts) if 2 * len(found) <= len(keys)), default=0)
        groups: list[list] = []
        for i, (row, key) in enumerate(zip(table.rows, keys)):
            first = i in starts[depth]
            if first:
                groups.append([])
            same = 0 if first else next((n for n, (a, b) in enumerate(zip(key, keys[i - 1])) if a != b), len(key))
            groups[-1].append((*(Cell() for _ in range(same)), *row[same:]))
        return [Group(tuple(rows), len(rows) <= KEEP_ROWS) for rows in groups]

    @staticmethod
    def blanks(row: tuple[Cell, ...]) -> int:
        """Labels left blank, which on paper are one cell: it costs what a full one costs."""
        return next((i for i, cell in enumerate(row) if cell != Cell()), len(row))

    def gap(self, cell: Cell, column: int) -> int:
        return half_digits(self.decimals[column], cell)


def starts_wide(section: Section) -> bool:
    """Its heading belongs on the landscape page of the table that follows."""
    if section.blocks:
        return isinstance(section.blocks[0], Table) and "wide" in TableView(section.blocks[0]).fit
    return bool(section.sections) and starts_wide(section.sections[0])


def raised(mark: str) -> Markup:
    return Markup("<sup>{}</sup>").format(mark) if mark else Markup("")


def spans(parts: Text) -> Markup:
    """In Python because every cell of every table comes here."""
    made = []
    for part in parts:
        match part:
            case Code():
                made.append(f"<code>{escape(part.text)}</code>")
            case Strong():
                made.append(f"<strong>{escape(part.text)}</strong>")
            case Link():
                made.append(f'<a href="#{escape(part.anchor)}">{escape(part.text)}</a>')
            case _:
                made.append(escape(part))
    return Markup("".join(made))


@cache
def environment() -> Environment:
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                       lstrip_blocks=True, keep_trailing_newline=True)
    made.filters["kind"] = lambda block: type(block).__name__
    made.filters["view"] = TableView
    made.filters["keys"] = lambda rows: max(KEY, *(em(key) * SPARE for key, _ in rows)) if rows else KEY
    made.globals["spans"] = spans
    made.filters["short"] = lambda code: code.count("\n") < SHORT_CODE
    made.filters["wide"] = starts_wide
    made.globals["style"] = lambda name: Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # ours, not the run's
    return made


def place(number: int, chart: Chart) -> Markup:
    """What stands in the page for a drawing that pdf.py sends later."""
    return Markup('<img src="figure:{}" alt="{}" style="width:{}mm;height:{:.3f}mm"/>').format(
        number, alt_text(chart), PRINTED_WIDTH, PRINTED_WIDTH * height(chart) / WIDTH)


def render_html(document: Document, drawings: dict[int, str], paper: bool = False) -> str:
    """`drawings`: SVG by figure number, from draw.py; the only text that is not escaped."""
    pictures = {number: Markup(svg) for number, svg in drawings.items()}
    return environment().get_template("report.html.j2").render(document=document, drawings=pictures, paper=paper)
