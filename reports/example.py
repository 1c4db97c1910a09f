"""The worked example of a configuration: a small two-dimensional cross-correlation with input, filter and output."""

from typing import Sequence

from reports.document import CodeBlock, Section, text
from reports.fields import Fields
from reports.numbers import general
from reports.text import plural

Matrix = Sequence[Sequence[float]]
MOST = 32  # rows and columns of a matrix
GAP = "    "


def section(fields: Fields) -> Section | None:
    """None if the configuration has no example."""
    if not fields.values:
        return None
    given, weights = matrix(fields, "input"), matrix(fields, "filter")
    stride, padding = fields.integer("stride", 1), fields.integer("padding", 0)
    if stride < 1 or padding < 0 or any(f > n + 2 * padding for f, n in zip(shape(weights), shape(given))):
        raise fields.fail("the filter does not fit into the input with its padding")
    made = correlate(given, weights, stride, padding)
    around = f"{plural(padding, 'line')} of zeros around the input" if padding else "no padding"
    caption = text("Two-dimensional cross-correlation. Each output is the sum of the products of the filter, which is not "
                   f"rotated, and the {size(weights)} inputs under it. Stride {stride}, {around}. For n = {len(given)} input rows, "
                   f"the output has floor((n + 2·{padding} − {len(weights)}) / {stride}) + 1 = {len(made)} rows.")
    shown = beside(("input", given), ("filter", weights), ("output", made))
    return Section(text("A worked example"), "example", (CodeBlock(shown, caption),))


def matrix(fields: Fields, name: str) -> Matrix:
    rows = fields.items(name)
    whole = all(isinstance(row, list) and row and len(row) == len(rows[0]) for row in rows)
    if not rows or not whole or max(len(rows), len(rows[0])) > MOST:
        raise fields.fail(f'"{name}" must be rows of equal length, at most {MOST} x {MOST}')
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) for row in rows for v in row):
        raise fields.fail(f'"{name}" must hold numbers')
    return rows


def shape(rows: Matrix) -> tuple[int, int]:
    return len(rows), len(rows[0])


def size(rows: Matrix) -> str:
    return " x ".join(map(str, shape(rows)))


def correlate(given: Matrix, weights: Matrix, stride: int, padding: int) -> Matrix:
    (height, width), (rows, columns) = shape(given), shape(weights)

    def at(y: int, x: int) -> float:
        return given[y][x] if 0 <= y < height and 0 <= x < width else 0

    def output(y: int, x: int) -> float:
        top, left = y * stride - padding, x * stride - padding
        return sum(weights[i][j] * at(top + i, left + j) for i in range(rows) for j in range(columns))

    return [[output(y, x) for x in range((width + 2 * padding - columns) // stride + 1)]
            for y in range((height + 2 * padding - rows) // stride + 1)]


def beside(*named: tuple[str, Matrix]) -> str:
    """Matrices next to each other, with right-aligned numbers."""
    blocks = []
    for name, rows in named:
        width = max(len(general(v)) for row in rows for v in row)
        lines = [f"{name}, {size(rows)}", *(" ".join(general(v).rjust(width) for v in row) for row in rows)]
        blocks.append([entry.ljust(max(map(len, lines))) for entry in lines])
    height = max(map(len, blocks))
    padded = [block + [" " * len(block[0])] * (height - len(block)) for block in blocks]
    return "\n".join(GAP.join(parts).rstrip() for parts in zip(*padded))
