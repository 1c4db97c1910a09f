"""How wide a table is, counted in digits, and which page it gets because of that. CSS sets the real widths of the columns."""

from reports.document import Cell, Table, plain

GAP = 2  # before every column but the first
WRAP = 26  # a column of words with a longer text is wrapped,
SHRUNK = 20  # and may become as narrow as this
# the CSS classes of a table, and how many digits of its print fit the width of their page; signs and bold print need some room
PAGES = {"normal": 84, "small": 98, "wide": 131, "wide small": 152}
WIDEST = PAGES["wide small"]


def digits(text: str) -> float:
    """As wide as so many digits. A point is half as wide as a digit; most other characters hardly differ from one."""
    return len(text) - text.count(".") / 2


def wraps(table: Table, column: int) -> bool:
    return not table.columns[column].numeric and max((len(plain(row[column].text)) for row in table.rows), default=0) > WRAP


def has_spread(table: Table, column: int) -> bool:
    """A number and its spread are two cells, so that the spreads of a column begin at the same place."""
    return column >= table.labels and any(row[column].spread or row[column].equal for row in table.rows)


def fill(table: Table, column: int, cell: Cell) -> str:
    """What a number lacks to have as many decimals as the others of its column. It is printed invisibly, so that the decimal points
    are in one line."""
    if not table.aligned or cell.decimals < 0:
        return ""
    most = max(row[column].decimals for row in table.rows)
    if cell.decimals == most:
        return ""
    return ("" if cell.decimals else ".") + "0" * (most - cell.decimals)


def column_width(table: Table, column: int) -> float:
    """The widest of the words of its head, its words, and its numbers with their spreads."""
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
            spreads.append(1 + digits(cell.spread) + 2 * cell.equal + mark)
        else:
            numbers.append(length + digits(fill(table, column, cell)) + mark)
    return max(*words, max(numbers) + max(spreads)) + (GAP if column else 0)


def width(table: Table) -> float:
    return sum(column_width(table, i) for i in range(len(table.columns)))


def page(table: Table) -> str:
    needed = width(table)
    return next((name for name, room in PAGES.items() if needed <= room), "wide small")
