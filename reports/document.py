"""The report as a tree of sections and blocks that knows no output format. Markdown and HTML are made from it.

Text is a tuple of parts: plain strings, Code, Strong and Link. Each renderer escapes every part.
"""

import re
from dataclasses import dataclass, field, replace

from reports.language import mark, tr, tr_many
from reports.text import clean


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Strong:
    text: str


@dataclass(frozen=True)
class Link:
    text: str
    anchor: str


Part = str | Code | Strong | Link
Text = tuple[Part, ...]


def text(*parts: Part | Text) -> Text:
    """Flattens nested tuples and removes characters that cannot be shown."""
    result: list[Part] = []
    for part in parts:
        if isinstance(part, tuple):
            result.extend(text(*part))
        elif isinstance(part, str):
            if part:
                result.append(clean(part))
        else:
            result.append(replace(part, text=clean(part.text)))
    return tuple(result)


PLACEHOLDER = re.compile(r"\{(\w+)\}")


def filled(translated: str, parts: dict[str, Part | Text]) -> Text:
    """The text with its parts in the place of their names."""
    between = PLACEHOLDER.split(translated)
    return text(*(parts.get(part, "") if i % 2 else part for i, part in enumerate(between)))


def say(english: str, **parts: Part | Text) -> Text:
    """Like `tr`, for parts that are not only strings."""
    return filled(tr(english), parts)


def say_many(one: str, many: str, n: int, **parts: Part | Text) -> Text:
    return filled(tr_many(one, many, n, **{name: f"{{{name}}}" for name in parts}), {**parts})


def plain(parts: Text) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def join(parts: list[Text], comma: str = mark(", "), last: str = mark(" and ")) -> Text:
    """a, b and c"""
    result: list = []
    for i, part in enumerate(parts):
        if i:
            result.append(tr(last if i == len(parts) - 1 else comma))
        result.append(part)
    return text(*result)


@dataclass(frozen=True)
class Paragraph:
    text: Text


@dataclass(frozen=True)
class Bullets:
    items: tuple[Text, ...]


@dataclass(frozen=True)
class CodeBlock:
    code: str
    caption: Text = ()


@dataclass(frozen=True)
class Facts:
    """Keys and values, one pair per line."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Cell:
    text: Text = ()
    spread: str = ""  # "±0.02"
    best: bool = False
    tied: bool = False  # with the baseline: ~
    mark: str = ""  # letter of a footnote
    word: bool = False  # a status or a dash in place of a number
    detail: str = ""  # interval and number of samples, for a tooltip
    value: float | int | str | None = None  # the number before rounding, for exports
    case: str = ""  # id of the case that it is from
    metric: str = ""  # which of its numbers
    repeated: bool = False  # as in the row above

    @property
    def decimals(self) -> int:
        """Number of digits after the point; -1 if the cell is not a number."""
        value = plain(self.text)
        if self.word or not value.lstrip("-")[:1].isdigit():
            return -1
        return len(value.partition(".")[2].split(" ")[0])


@dataclass(frozen=True)
class Column:
    head: Text
    numeric: bool = True
    flat: Text = ()  # the head for formats without spanners: "size=128"; empty: same as head


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    number: int | None = None  # None: no number; 0: gets its number when the report is complete
    labels: int = 1  # number of leading columns that name the row
    spanners: tuple[tuple[Text, int], ...] = ()  # heads above several value columns, each with their number
    caption: Text = ()
    notes: tuple[tuple[str, Text], ...] = ()
    aligned: bool = True  # put the decimal points of a column in one line


@dataclass(frozen=True)
class Figure:
    number: int  # like the number of a table
    title: str
    file: str  # path of its SVG drawing, relative to the report
    caption: Text
    alt: str


@dataclass(frozen=True)
class Picture:
    """A drawing without a number."""

    title: str
    file: str  # relative to the report
    svg: str  # made by this package: it is shown as it is
    caption: Text


@dataclass(frozen=True)
class Section:
    title: Text
    anchor: str
    blocks: tuple = ()
    sections: tuple["Section", ...] = ()


@dataclass(frozen=True)
class Document:
    title: str
    lab: str
    totals: str  # of cases or of points, in one line
    facts: tuple[tuple[str, Text], ...]
    about: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    created: str  # start of the run as an ISO date
    subject: str = ""
    keywords: tuple[str, ...] = field(default_factory=tuple)
    contents: bool = True  # a page of this length needs a list of its sections


def without_empty_columns(table: Table) -> Table:
    """Leaves out each column of values in which no row has one."""
    empty = lambda shown: not shown.mark and plain(shown.text) in ("", "–")
    kept = [i for i in range(len(table.columns)) if i < table.labels or not all(empty(row[i]) for row in table.rows)]
    take = lambda row: tuple(row[i] for i in kept)
    return replace(table, columns=take(table.columns), rows=tuple(map(take, table.rows)))


def cell(*parts: Part | Text, **options) -> Cell:
    return Cell(text(*parts), **options)


def words(*heads: str) -> tuple[Column, ...]:
    return tuple(Column(text(tr(head)), numeric=False) for head in heads)


def numbers(*heads: str) -> tuple[Column, ...]:
    return tuple(Column(text(tr(head))) for head in heads)
