"""How wide a table will be, in em of its own print: from the advances of DejaVu Sans, which the page is set in."""

from functools import cache
from itertools import combinations_with_replacement
from math import inf

from reports.document import Cell, Code, Part, Table, Text, plain

PADDING = 1.55  # before every column but the first
SPREAD_PADDING = 0.4  # between a number and its spread
WRAP = 15.0  # to which a column of words may shrink
BOLD, MONO, RAISED = 1.1, 0.554, 0.75
SPARE = 1.03
WIDEST = 105.0  # that fit a landscape page in small print; a wider table is cut into parts

HALF = 0.318  # em: a point and the space as wide, half a digit
DIGIT_SPACE, POINT_SPACE, THIN_SPACE = "\u2007", "\u2008", "\u2009"

# of DejaVu Sans 2.37, in em
ADVANCES = {c: advance for characters, advance in (
    ("'", 0.275), ("ijl", 0.278), ("IJ", 0.295), (" ,.", 0.318), ("/:;\\|", 0.337), ("f", 0.352), ("-", 0.361), ("()[]", 0.39),
    ("t", 0.392), ("!", 0.401), ("r", 0.411), ('"', 0.46), ("*_`–", 0.5), ("sz", 0.523), ("?", 0.531), ("cL", 0.553), ("Fk", 0.577),
    ("vxy", 0.592), ("PTYao", 0.61), ("e", 0.615), ("ESbdghnpqu", 0.634), ("$0123456789{}", 0.636), ("K", 0.656), ("AVXZB", 0.685),
    ("RC", 0.697), ("U", 0.732), ("NH", 0.75), ("DG&", 0.773), ("OQ", 0.787), ("w", 0.818), ("#+<=>^~±×", 0.838), ("M", 0.863),
    ("%", 0.95), ("mW", 0.98), ("@…", 1.0),
    (DIGIT_SPACE, 2 * HALF), (POINT_SPACE, HALF), ("\u2005", 0.25), (THIN_SPACE, 0.2), ("\u2006", 0.167), ("\u200a", 0.1),
) for c in characters}
OTHER, IDEOGRAPH = 0.63, 1.0


def em(value: str) -> float:
    return sum(ADVANCES.get(c, OTHER if ord(c) < 0x2E80 else IDEOGRAPH) for c in value)


FINE = tuple(point + "".join(some) for point in ("", POINT_SPACE) for n in range(3)
             for some in combinations_with_replacement(f"\u2005{THIN_SPACE}\u2006\u200a", n))


@cache
def white(width: float) -> str:
    """White space of this width, to a twentieth of an em, that is kept where it stands."""
    digits = int(max(width, 0) / em(DIGIT_SPACE))
    rest = width - em(DIGIT_SPACE * digits)
    return DIGIT_SPACE * digits + min(FINE, key=lambda one: abs(em(one) - rest))


def part_em(part: Part) -> float:
    return len(part.text) * MONO if isinstance(part, Code) else em(part if isinstance(part, str) else part.text)


def text_em(parts: Text) -> float:
    return sum(map(part_em, parts))


def most_decimals(table: Table, column: int) -> int:
    """Of the numbers of a column whose decimal points stand under each other; -1: they do not."""
    return max((row[column].decimals for row in table.rows), default=-1) if table.aligned else -1


def half_digits(most: int, cell: Cell) -> int:
    """White space after a number that puts its decimal point under the others', in half digits."""
    have = cell.decimals if most > 0 else -1
    return 0 if have < 0 or have == most else 2 * (most - have) + (have == 0)


def has_spread(table: Table, column: int) -> bool:
    """A number and its spread are set as two columns."""
    return column >= table.labels and any(row[column].spread or row[column].equal for row in table.rows)


def mark_em(cell: Cell) -> float:
    return (em(cell.mark) + 0.1) * RAISED if cell.mark else 0


def spread_em(cell: Cell) -> float:
    """What stands beside a number, footnote mark included."""
    return em(cell.spread) + (em(" ~") * BOLD if cell.equal else 0) + mark_em(cell)


def column_em(table: Table, column: int, wrap: float = WRAP) -> tuple[float, float]:
    """Widths of the number (or the words) and of the spread beside it, 0 where there is none; paddings included."""
    numeric, two = table.columns[column].numeric, has_spread(table, column)
    most = most_decimals(table, column)
    number = spread = whole = 0.0
    for row in table.rows:
        cell = row[column]
        mark = mark_em(cell)
        here = text_em(cell.text) * (BOLD if cell.best else 1)
        if cell.word or not numeric:
            whole = max(whole, here + mark)
            continue
        here += half_digits(most, cell) * em("0") / 2
        number = max(number, here + (0 if two else mark))
        spread = max(spread, spread_em(cell))
    if not numeric and column >= table.labels:
        whole = min(whole, wrap)
    whole = max([whole, *(em(word) * BOLD for word in plain(table.columns[column].head).split())])
    padding = PADDING if column else 0.2
    if two:
        number = max(number, whole - spread - SPREAD_PADDING)
        return number * SPARE + padding, spread * SPARE + SPREAD_PADDING
    return max(number, whole) * SPARE + padding, 0


def figure(table: Table, column: int, cell: Cell) -> str:
    """With the sign that it is equal, or the space of one."""
    if not has_spread(table, column):
        return plain(cell.text)
    return plain(cell.text) + (THIN_SPACE + "~" if cell.equal else white(em(THIN_SPACE + "~")))


def dense_em(table: Table) -> list[float]:
    """Widths of the columns that are set as one text a row, paddings included."""
    def width(column: int) -> float:
        head = [em(word) * BOLD * SPARE for word in plain(table.columns[column].head).split()]
        return max([0, *head, *(em(figure(table, column, row[column])) + mark_em(row[column]) for row in table.rows)]) + PADDING

    return [width(column) for column in range(len(table.columns) - table.dense, len(table.columns))]


def dense_parts(table: Table, row: tuple[Cell, ...], widths: list[float]) -> list[tuple[str, str]]:
    """The last columns of a row, each text after the white space that puts it at its edge, and its footnote mark: words begin at the
    left of their column, figures end at the right."""
    parts, here, edge = [], 0.0, -PADDING  # which the cell has of its own
    for column, width in enumerate(widths, len(table.columns) - table.dense):
        cell = row[column - len(table.columns)]
        shown = figure(table, column, cell)
        own = em(shown) + mark_em(cell)
        space = white(edge + (width - own if table.columns[column].numeric else PADDING) - here)
        parts.append((space + shown, cell.mark))
        here += em(space) + own
        edge += width
    return [*parts, (white(edge - here), "")]


def fitted(table: Table, room: float) -> list[float]:
    """Widths of all columns as the page prints them; columns of words share what the others leave of `room`. Empty where even that does
    not fit: then the page finds its own way."""
    widths = [column_em(table, i, inf) for i in range(len(table.columns))]
    wordy = [i for i, column in enumerate(table.columns) if i >= table.labels and not column.numeric]
    left = room - sum(sum(width) for i, width in enumerate(widths) if i not in wordy)
    heads = [em(plain(table.columns[i].head)) * BOLD * SPARE + PADDING for i in wordy]
    for i, share in zip(wordy, shares([max(widths[i][0], head) for i, head in zip(wordy, heads)], left)):
        widths[i] = (share, 0)
    if sum(map(sum, widths)) > room * SPARE or any(widths[i][0] < column_em(table, i, 0)[0] for i in wordy):
        return []
    return [sum(width) for width in widths]


def shares(wanted: list[float], room: float) -> list[float]:
    """All they want if there is room; else each gets it up to WRAP, and what is left goes to the long ones in proportion."""
    if sum(wanted) <= room:
        return wanted
    least = [min(want, WRAP) for want in wanted]
    scale = max(room - sum(least), 0) / (sum(wanted) - sum(least) or 1)
    return [low + (want - low) * scale for low, want in zip(least, wanted)]


def columns_em(table: Table) -> list[tuple[float, float]]:
    return [column_em(table, i) for i in range(len(table.columns))]


def width_em(table: Table) -> float:
    return sum(map(sum, columns_em(table)))
