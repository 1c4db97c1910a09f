"""One table of a report as CSV, Markdown, LaTeX or JSON: `python -m reports export`."""

import csv
import io
import json
from pathlib import Path

from reports import latex
from reports.catalogue import Entry, catalogue, find, rows, table
from reports.csv_text import cell
from reports.errors import ReportError
from reports.load import load_run
from reports.markdown import render_table
from reports.record import Run
from reports.render import write
from reports.rows import Rows

SHAPES = ("tidy", "table")


def as_csv(run: Run, entry: Entry, shape: str) -> str:
    found = rows(run, entry, shape or "tidy")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(found.columns)
    writer.writerows(["" if value is None else plain(value) for value in row] for row in found.rows)
    return out.getvalue()


def plain(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return cell(value) if isinstance(value, str) else repr(value)


def as_json(run: Run, entry: Entry, shape: str) -> str:
    found = rows(run, entry, shape or "tidy")
    made = {"run": run.run.id, "table": entry.title or entry.name, "columns": columns(found),
            "rows": [dict(zip(found.columns, row)) for row in found.rows]}
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def columns(found: Rows) -> list[dict[str, str]]:
    units = found.units or ("",) * len(found.columns)
    return [{"name": name, "type": kind} | ({"unit": unit} if unit else {})
            for name, kind, unit in zip(found.columns, found.types, units)]


def as_markdown(run: Run, entry: Entry, shape: str) -> str:
    return render_table(table(run, entry, shape or "table")) + "\n"


def as_latex(run: Run, entry: Entry, shape: str) -> str:
    return latex.render(table(run, entry, shape or "table"), entry.name)


FORMATS = {"csv": as_csv, "md": as_markdown, "latex": as_latex, "json": as_json}


def listed(run: Run) -> str:
    """One table per line: its name and, if it has one, its title."""
    entries = catalogue(run)
    width = max((len(entry.name) for entry in entries), default=0)
    return "".join(f"{entry.name:{width}}  {entry.title or 'export of the configuration'}".rstrip() + "\n" for entry in entries)


def export(folder: Path, name: str, form: str, shape: str) -> str:
    """The text of one table. Without a name: the names of all tables."""
    run = load_run(folder)
    if not name:
        return listed(run)
    return FORMATS[form](run, find(catalogue(run), name), shape)


def save(content: str, path: Path) -> None:
    path = path.resolve()  # a link stays, and the file behind it is written
    try:
        if path.exists() and not path.is_file():  # a device or a pipe stays too
            path.write_bytes(content.encode())
        else:
            write(path, content.encode())
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror}") from None
