"""The worked example of a configuration: a small two-dimensional cross-correlation with input, filter and output."""

from typing import Sequence

from reports.document import CodeBlock, Section, Text, say, text
from reports.fields import Fields
from reports.language import tr
from reports.numbers import general
from reports.text import plural

Matrix = Sequence[Sequence[float]]
Channels = Sequence[Matrix]
MOST = 32  # rows and columns of a matrix
GAP = "    "
WIDEST = 110  # characters of a line


def section(examples: Sequence[Fields]) -> Section | None:
    """None if the configuration has no example."""
    blocks = [block for fields in examples if fields.values for block in blocks_of(fields)]
    return Section(say("A worked example") if len(examples) == 1 else say("Worked examples"), "example", tuple(blocks)) if blocks else None


def blocks_of(fields: Fields) -> list[CodeBlock]:
    channels = fields.integer("channels", 1)
    given, weights = (channels_of(fields, name, channels) for name in ("input", "filter"))
    padding = fields.integer("padding", 0)
    strides = fields.items("stride") if isinstance(fields.values.get("stride"), list) else [fields.integer("stride", 1)]
    fits = all(f <= n + 2 * padding for f, n in zip(shape(weights[0]), shape(given[0])))
    if not strides or any(not isinstance(one, int) or one < 1 for one in strides) or padding < 0 or not fits:
        raise fields.fail("the filter does not fit into the input with its padding")
    made = [correlate(given, weights, stride, padding) for stride in strides]
    blocks = [CodeBlock(pictures(given, weights, strides, made), caption(given, weights, strides, padding, made))]
    unfolded = unfold(given, shape(weights[0]), strides[0], padding)
    if max(len(row) * (1 + max(len(general(v)) for v in row)) for row in unfolded) <= WIDEST:
        blocks.append(CodeBlock(beside((tr("unfolded input"), unfolded)), say(
            "The input unfolded for stride {stride}: a column for each output, with the inputs under the filter. The filter as one row, "
            "multiplied by this matrix, gives the outputs: that is how im2col computes them.", stride=str(strides[0]))))
    return blocks


def caption(given: Channels, weights: Channels, strides: Sequence[int], padding: int, made: Sequence[Matrix]) -> Text:
    around = tr("{lines} of zeros around the input", lines=plural(padding, "line")) if padding else tr("no padding")
    several = tr(" and over the {n} channels", n=len(given)) if len(given) > 1 else ""
    what = tr("Two-dimensional cross-correlation. Each output is the sum of the products of the filter, which is not rotated, and the {size} inputs "
              "under it{several}.", size=size(weights[0]), several=several)
    where = around[0].upper() + around[1:] if len(strides) > 1 else tr("Stride {stride}, {padding}", stride=strides[0], padding=around)
    rows = f"floor((n + 2·{padding} − {len(weights[0])}) / stride) + 1" if len(strides) > 1 else (
        f"floor((n + 2·{padding} − {len(weights[0])}) / {strides[0]}) + 1 = {len(made[0])}")
    return say("{what} {where}. For n = {n} input rows, the output has {rows} rows.", what=what, where=where, n=str(len(given[0])), rows=rows)


def pictures(given: Channels, weights: Channels, strides: Sequence[int], made: Sequence[Matrix]) -> str:
    """Each channel with its filter, then the outputs."""
    if len(given) == 1 and len(strides) == 1:
        return beside((tr("input"), given[0]), (tr("filter"), weights[0]), (tr("output"), made[0]))
    channels = [beside((tr("input {i}", i=i), one), (tr("filter {i}", i=i), filter_of)) for i, (one, filter_of) in enumerate(zip(given, weights))]
    return "\n\n".join([*channels, beside(*((tr("output, stride {stride}", stride=stride), one) for stride, one in zip(strides, made)))])


def channels_of(fields: Fields, name: str, count: int) -> Channels:
    """The rows of the channels are below each other."""
    rows = matrix(fields, name)
    if count < 1 or len(rows) % count:
        raise fields.fail(f'the rows of "{name}" cannot be those of {count} channels')
    height = len(rows) // count
    return [rows[start:start + height] for start in range(0, len(rows), height)]


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


def unfold(given: Channels, filter_shape: tuple[int, int], stride: int, padding: int) -> Matrix:
    """A row for each weight of all channels, a column for each output."""
    (height, width), (rows, columns) = shape(given[0]), filter_shape

    def at(image: Matrix, y: int, x: int) -> float:
        return image[y][x] if 0 <= y < height and 0 <= x < width else 0

    tops = range(-padding, height + padding - rows + 1, stride)
    lefts = range(-padding, width + padding - columns + 1, stride)
    return [[at(image, top + i, left + j) for top in tops for left in lefts]
            for image in given for i in range(rows) for j in range(columns)]


def correlate(given: Channels, weights: Channels, stride: int, padding: int) -> Matrix:
    flat = [weight for one in weights for row in one for weight in row]
    unfolded = unfold(given, shape(weights[0]), stride, padding)
    sums = [sum(weight * row[column] for weight, row in zip(flat, unfolded)) for column in range(len(unfolded[0]))]
    wide = (shape(given[0])[1] + 2 * padding - shape(weights[0])[1]) // stride + 1
    return [sums[start:start + wide] for start in range(0, len(sums), wide)]


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
