"""Estimates how wide a table is, in digits, and chooses its page. CSS sets the real widths of the columns."""

from math import ceil
from typing import Sequence

from reports.document import Cell, Table, plain

GAP = 2  # before every column except the first
WRAP = 26  # a column of words with a longer text may wrap its lines
SHRUNK = 20  # width that such a column needs at least
# CSS class of a table: how many digits fit the width of its page; some room is left for signs and bold print
PAGES = {"normal": 84, "small": 98, "wide": 131, "wide small": 152}
WIDEST = PAGES["wide small"]


def digits(text: str) -> float:
    """Width of a text. A point is half as wide as a digit; most other characters are about as wide as a digit."""
    return len(text) - text.count(".") / 2


def wraps(table: Table, column: int) -> bool:
    return not table.columns[column].numeric and max((len(plain(row[column].text)) for row in table.rows), default=0) > WRAP


def lines(rows: Sequence[Sequence[Cell]]) -> int:
    """About how many lines these rows have on paper."""
    return sum(max(1, *(ceil(len(plain(cell.text)) / WRAP) for cell in row)) for row in rows)


def whole_words(table: Table, column: int) -> bool:
    """Its words are short enough for the narrowest column that wraps: none needs to be broken."""
    return max((len(word) for row in table.rows for word in plain(row[column].text).split()), default=0) <= SHRUNK


def has_spread(table: Table, column: int) -> bool:
    """A column with spreads has two cells per row, so that numbers and spreads are aligned separately."""
    return column >= table.labels and any(row[column].spread or row[column].tied for row in table.rows)


def fill(table: Table, column: int, cell: Cell) -> str:
    """The decimals that a number lacks compared with others of its column. The page prints them invisibly, so that the
    decimal points are in one line."""
    if not table.aligned or cell.decimals < 0:
        return ""
    most = max(row[column].decimals for row in table.rows)
    if cell.decimals == most:
        return ""
    return ("" if cell.decimals else ".") + "0" * (most - cell.decimals)


def column_width(table: Table, column: int) -> float:
    """The width of its widest head word, text, or number with spread."""
    head = max(map(digits, plain(table.columns[column].head).split()), default=0.0)
    if wraps(table, column):
        return max(head, SHRUNK) + (GAP if column else 0)
    words, numbers, spreads = [head], [0.0], [0.0]
    for row in table.rows:
        cell = row[column]
        length, mark = digits(plain(cell.text)), len(cell.mark)
        if cell.word or not table.columns[column].numeric:
            words.append(length + mark)
        elif has_spread(table, column):
            numbers.append(length + digits(fill(table, column, cell)))
            spreads.append(1 + digits(cell.spread) + 2 * cell.tied + mark)
        else:
            numbers.append(length + digits(fill(table, column, cell)) + mark)
    return max(*words, max(numbers) + max(spreads)) + (GAP if column else 0)


def width(table: Table) -> float:
    return sum(column_width(table, i) for i in range(len(table.columns)))


def page(table: Table) -> str:
    needed = width(table)
    return next((name for name, room in PAGES.items() if needed <= room), "wide small")
