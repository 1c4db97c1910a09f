"""CSV for spreadsheets: RFC 4180, and no cell that a spreadsheet would compute."""

import csv
import io
from typing import Iterable, Sequence

from reports.text import clean

FORMULA = tuple("=+-@\t\r＝＋－＠")


def cell(value: str | float | None) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{round(value, 6):.12g}"
    value = clean(value)
    return "'" + value if value.lstrip(" \n").startswith(FORMULA) or value.startswith(("\t", "\n")) else value


def table(rows: Iterable[Sequence[str | float | None]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()
