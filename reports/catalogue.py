"""What can be exported: every table of the report, and the exports that the configuration declares, by short names."""

import re
from dataclasses import dataclass
from typing import Iterable

from reports.document import Section, Table
from reports.errors import ReportError, UnknownName, suggestion
from reports.fields import Fields
from reports.record import Run
from reports.results import without_numbers
from reports.rows import Rows, as_table, declared, of_table, tidy
from reports.sections import document
from reports.tables import TableSpec, build_table, table_spec
from reports.text import line

PART = re.compile(r" \(part \d+ of \d+\)$")


@dataclass(frozen=True)
class Entry:
    """A table of the configuration (`spec`), another table of the report (`table`), or an export (`export`)."""

    name: str
    title: str
    spec: TableSpec | None = None
    table: Table | None = None
    export: Fields | None = None


def slug(title: str) -> str:
    """CPU variants by size -> cpu-variants-by-size"""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")


def catalogue(run: Run) -> list[Entry]:
    """Exports first, then the tables of the configuration, then all others in the order of the report."""
    entries = [Entry(line(fields.required("name"), 80), "", export=fields) for fields in run.asked("exports", "export")]
    specs = list(map(table_spec, run.asked("tables", "table")))
    made = [Entry("", spec.select.title, spec=spec) for spec in specs]
    titles = {spec.select.title for spec in specs}
    found = [table for section in document(run)[0].sections for table in titled(section)]
    made += [Entry("", table.title, table=table) for table in found if PART.sub("", table.title) not in titles]
    taken = {entry.name for entry in entries}
    for entry in made:
        name = unused(slug(entry.title) or "table", taken)
        taken.add(name)
        entries.append(Entry(name, entry.title, entry.spec, entry.table))
    return entries


def unused(name: str, taken: Iterable[str]) -> str:
    count, free = 2, name
    while free in taken:
        free, count = f"{name}-{count}", count + 1
    return free


def titled(section: Section) -> list[Table]:
    own = [block for block in section.blocks if isinstance(block, Table) and block.title]
    return own + [table for inner in section.sections for table in titled(inner)]


def find(entries: list[Entry], word: str) -> Entry:
    """By name or by title. Upper and lower case are the same."""
    for entry in entries:
        if word in (entry.name, entry.title) or word.casefold() in (entry.name.casefold(), entry.title.casefold()):
            return entry
    names = [entry.name for entry in entries]
    near = suggestion(word, names) or suggestion(slug(word), names)
    raise UnknownName(f'unknown table "{line(word, 80)}"{near}; known tables: {", ".join(names)}' if names else
                      "this report has no table")


def rows(run: Run, entry: Entry, shape: str) -> Rows:
    """`shape`: "tidy" or "table"."""
    if entry.export:
        return declared(run, entry.export)
    if shape == "tidy" and entry.spec:
        return tidy(run, entry.spec)
    return of_table(table(run, entry, "table"))


def table(run: Run, entry: Entry, shape: str) -> Table:
    if entry.export or (shape == "tidy" and entry.spec):
        return as_table(rows(run, entry, shape), entry.title or entry.name)
    if entry.table:
        return entry.table
    made = build_table(run, entry.spec)
    if not made:
        raise ReportError(f'table "{entry.name}" is empty: {without_numbers(run, entry.spec.select)}')
    return made
