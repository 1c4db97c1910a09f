"""The report as a neutral tree: sections of blocks, without a format. Markdown and HTML are two walks over it.

Text is a tuple of parts: plain strings, Code("name"), Strong("...") and Link; a renderer escapes every part.
"""

from dataclasses import dataclass, field, replace

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
    """Flattens nested tuples and cleans every part."""
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


def plain(parts: Text) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def join(parts: list[Text], comma: str = ", ", last: str = " and ") -> Text:
    """a, b and c, of texts."""
    result: list = []
    for i, part in enumerate(parts):
        if i:
            result.append(last if i == len(parts) - 1 else comma)
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
    """Key and value, one a line."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Cell:
    text: Text = ()
    spread: str = ""  # "±0.02"
    best: bool = False
    equal: bool = False  # cannot be told apart from the baseline: ~
    mark: str = ""  # of a footnote
    word: bool = False  # a status or a dash instead of a number
    detail: str = ""  # n and interval, where the format can show it on demand
    value: float | int | str | None = None  # what the text was rounded from, for those who take the numbers elsewhere

    @property
    def decimals(self) -> int:
        """Digits after the point; -1 for what is no number."""
        value = plain(self.text)
        if self.word or not value.lstrip("-")[:1].isdigit():
            return -1
        return len(value.partition(".")[2].split(" ")[0])


@dataclass(frozen=True)
class Column:
    head: Text
    numeric: bool = True
    flat: Text = ()  # the head where nothing can stand above it: "size=128"; empty: the same


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    number: int | None = None  # None: has none; 0: gets one when all stand in their places
    labels: int = 1  # leading columns that name the row
    spanners: tuple[tuple[Text, int], ...] = ()  # over the value columns, with the number of columns each spans
    caption: Text = ()
    notes: tuple[tuple[str, Text], ...] = ()
    aligned: bool = True  # decimal points under each other


@dataclass(frozen=True)
class Figure:
    number: int  # as a table's
    title: str
    file: str  # of its drawing, relative to the report
    caption: Text
    alt: str


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
    outcome: str
    facts: tuple[tuple[str, Text], ...]
    about: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    created: str  # ISO date of the run
    subject: str = ""
    keywords: tuple[str, ...] = field(default_factory=tuple)


def cell(*parts: Part | Text, **options) -> Cell:
    return Cell(text(*parts), **options)


def words(*heads: str) -> tuple[Column, ...]:
    return tuple(Column(text(head), numeric=False) for head in heads)


def numbers(*heads: str) -> tuple[Column, ...]:
    return tuple(Column(text(head)) for head in heads)
