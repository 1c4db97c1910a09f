"""The document as one HTML page that loads nothing; its one script is templates/report.js. The PDF is the same page without the
script and with other CSS."""

import base64
import hashlib
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reports import language, layout
from reports.document import Cell, Code, Document, Link, Section, Strong, Table, Text
from reports.text import AFTER_FULL_WIDTH, clean

TEMPLATES = Path(__file__).parent / "templates"
KEEP_LINES = 24  # a table or a group of rows of at most this size stays on one page
TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=\bn) (?== \d)|(?<=\bn =) (?=\d)")  # "95 %" and "n = 12" stay on one line
SHORT_CODE = 24  # a block of code with fewer lines stays on one page


@dataclass(frozen=True)
class Group:
    rows: tuple[tuple[Cell, ...], ...]
    keep: bool


class TableView:
    """A table with the layout that the template needs."""

    def __init__(self, table: Table, data: str = ""):
        self.table, self.data = table, bool(data)
        columns = range(len(table.columns))
        self.spreads = [layout.has_spread(table, i) for i in columns]
        self.whole = [layout.whole_words(table, i) for i in columns]
        self.wraps = [layout.wraps(table, i) for i in columns]
        self.page = layout.page(table)
        self.keep = layout.lines(table.rows) <= KEEP_LINES
        self.groups = self.grouped()

    def fill(self, cell: Cell, column: int) -> str:
        return layout.fill(self.table, column, cell)

    @property
    def spanners(self) -> list:
        """The table's spanners, with two cells for each column that has a spread."""
        start, spans = self.table.labels, []
        for name, count in self.table.spanners:
            spans.append((name, count + sum(self.spreads[start:start + count])))
            start += count
        return spans

    def grouped(self) -> list[Group]:
        """Groups rows by their leading labels, as finely as groups of two or more rows allow. A label that repeats the row
        above is left blank."""
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
            groups[-1].append((*(replace(cell, repeated=True) for cell in row[:same]), *row[same:]))
        return [Group(tuple(rows), layout.lines(rows) <= KEEP_LINES) for rows in groups]


def starts_wide(section: Section) -> bool:
    """The section begins with a wide table, so its heading belongs on the landscape page of that table."""
    if section.blocks:
        return isinstance(section.blocks[0], Table) and "wide" in layout.page(section.blocks[0])
    return bool(section.sections) and starts_wide(section.sections[0])


def spans(parts: Text) -> Markup:
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
                made.append(escape(TOGETHER.sub("\N{NO-BREAK SPACE}", part)))
    return Markup(AFTER_FULL_WIDTH.sub("", "".join(made)))


@cache
def environment() -> Environment:
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                       lstrip_blocks=True, keep_trailing_newline=True)
    made.filters["kind"] = lambda block: type(block).__name__
    made.filters["view"] = TableView
    made.filters["clean"] = clean
    made.globals |= {"spans": spans, "tr": language.tr, "tag": lambda: language.current.tag}
    made.filters["trusted"] = Markup  # a drawing of this package
    made.filters["short"] = lambda code: code.count("\n") < SHORT_CODE
    made.filters["wide"] = starts_wide
    made.globals["style"] = lambda name: Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # a file of this package: trusted
    return made


def render_html(document: Document, drawings: dict[int, str], paper: bool = False, data: str = "") -> str:
    """`drawings`: SVG by figure number, made by draw.py. `data`: JSON of evidence.py for the script; a page without it has no
    script. Only these two are not escaped."""
    pictures = {number: Markup(svg) for number, svg in drawings.items()}
    script, digest = trusted_script("report.js")
    return environment().get_template("report.html.j2").render(document=document, drawings=pictures, paper=paper, data=Markup(data),
                                                               script=script, digest=digest)


def trusted_script(name: str) -> tuple[Markup, str]:
    """A script of this package, and its hash for the policy of the page: no other script may run, whatever a student wrote."""
    script = (TEMPLATES / name).read_text(encoding="utf-8")
    return Markup(script), base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
