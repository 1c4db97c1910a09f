"""The document as GitHub-flavoured Markdown. No text of the run may become markup or HTML."""

import re

from reports.document import (Bullets, Code, CodeBlock, Column, Document, Facts, Figure, Link, Paragraph, Picture, Section, Strong,
                              Table, Text, plain)
from reports.language import tr
from reports.text import AFTER_FULL_WIDTH

SPECIAL = re.compile(r"([\\`*\[\]|$~])|(?<![A-Za-z0-9])(_)|(_)(?![A-Za-z0-9])")
TAG = re.compile(r"<(?=\S)")  # a < before white space is not markup
ENTITY = re.compile(r"&(?=#?\w+;)")
BLOCK_START = re.compile(r"^(\s*)(?:(\d+)([.)])|([-+=>#]))")
ADDRESS = re.compile(r"(?i)\b(https?|ftp)://|\b(www)\.|@(?=\w)")


def escape(value: str) -> str:
    """Text that stays plain text inside a line or a table cell. Addresses do not become links."""
    value = SPECIAL.sub(lambda m: "\\" + m[0], " ".join(value.split("\n")))
    value = TAG.sub("&lt;", ENTITY.sub("&amp;", value))
    return ADDRESS.sub(lambda m: f"{m[1]}:&#8203;//" if m[1] else f"{m[2]}&#8203;." if m[2] else "&#64;", value)


def first(value: str) -> str:
    """Escapes the beginning of a line, so that it does not start a list, a quotation or a heading."""
    return BLOCK_START.sub(lambda m: m[1] + (f"{m[2]}\\{m[3]}" if m[2] else f"\\{m[4]}"), value)


def code(value: str) -> str:
    """A code span whose fence is longer than every row of backticks inside."""
    value = " ".join(value.split("\n")).strip() or " "
    fence = "`" * (longest_run(value) + 1)
    gap = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{fence}{gap}{value}{gap}{fence}"


def longest_run(value: str) -> int:
    return max((len(run) for run in re.findall("`+", value)), default=0)


def slug(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Writer:
    def __init__(self, document: Document):
        self.document = document
        self.titles = {section.anchor: plain(section.title) for part in document.sections for section in (part, *part.sections)}

    def text(self, parts: Text, table: bool = False, starts: bool = True) -> str:
        result = []
        for part in parts:
            if isinstance(part, Code):
                span = code(part.text)
                result.append(span.replace("|", "\\|") if table else span)
            elif isinstance(part, Strong):
                result.append(f"**{escape(part.text)}**")
            elif isinstance(part, Link):
                result.append(f"[{escape(part.text)}](#{slug(self.titles.get(part.anchor, ''))})")
            else:
                result.append(escape(part))
        said = AFTER_FULL_WIDTH.sub("", "".join(result))
        return first(said) if starts and not table else said

    def render(self) -> str:
        document = self.document
        blocks = [f"# {first(escape(document.title))}", f"**{escape(document.totals)}**", self.facts(document.facts)]
        blocks += [self.text(paragraph.text) for paragraph in document.about]
        for section in document.sections:
            blocks += self.section(section, 2)
        return "\n\n".join(block for block in blocks if block) + "\n"

    def section(self, section: Section, level: int) -> list[str]:
        blocks = [f"{'#' * level} {self.text(section.title)}"]
        blocks += [self.block(block) for block in section.blocks]
        for inner in section.sections:
            blocks += self.section(inner, level + 1)
        return blocks

    def block(self, block) -> str:
        match block:
            case Paragraph():
                return self.text(block.text)
            case Bullets():
                return "\n".join(f"- {self.text(item)}" for item in block.items)
            case Facts():
                return self.facts(block.rows)
            case CodeBlock():
                fence = "`" * max(3, longest_run(block.code) + 1)
                caption = f"{self.text(block.caption)}\n\n" if block.caption else ""
                return f"{caption}{fence}text\n{block.code}\n{fence}"
            case Table():
                return self.table(block)
            case Figure():
                return (f"![{escape(block.alt)}]({block.file})\n\n"
                        f"**{tr('Figure {n}.', n=block.number)} {escape(block.title)}{tr('.')}** {self.text(block.caption)}")
            case Picture():
                return f"![{escape(block.title)}]({block.file})\n\n**{escape(block.title)}{tr('.')}** {self.text(block.caption, starts=False)}"
        raise TypeError(f"no Markdown for {type(block).__name__}")

    def facts(self, rows) -> str:
        return "\n".join(f"- **{escape(key)}{tr(': ').strip()}** {self.text(value, starts=False)}" for key, value in rows)

    def table(self, table: Table) -> str:
        title = [f"**{tr('Table {n}.', n=table.number)} {escape(table.title)}**"] if table.number else (
            [f"**{escape(table.title)}**"] if table.title else [])
        rows = [[self.cell(cell) for cell in row] for row in table.rows]
        heads = [self.text(head(column), table=True) for column in table.columns]
        rules = ["---:" if column.numeric else "---" for column in table.columns]
        lines = ["| " + " | ".join(cells) + " |" for cells in (heads, rules, *rows)]
        notes = "  \n".join(f"({mark}) {self.text(note)}" for mark, note in table.notes)
        return "\n\n".join(part for part in (*title, "\n".join(lines), self.text(table.caption), notes) if part)

    def cell(self, cell) -> str:
        value = self.text(cell.text, table=True)
        spread = f"({cell.spread})" if cell.spread.startswith("n=") else cell.spread
        value = f"{value} {spread}".strip()
        value = f"**{value}**" if cell.best else value
        return " ".join(part for part in (value, "~" if cell.tied else "", f"({cell.mark})" if cell.mark else "") if part)


def head(column: Column) -> Text:
    return column.flat or column.head


def render_table(table: Table) -> str:
    """One table without a report around it."""
    return Writer(Document("", "", "", (), (), (), "")).table(table)


def render_markdown(document: Document) -> str:
    return Writer(document).render()
