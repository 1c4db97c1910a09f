import pytest

from reports.errors import ReportError
from reports.example import correlate, section
from reports.fields import Fields
from reports.tests.test_sections import lines

INPUT = [[5 * row + column + 1 for column in range(5)] for row in range(5)]
EXAMPLE = {"input": INPUT, "filter": [[0, 1, 0], [1, -4, 1], [0, 2, 0]], "stride": 2, "padding": 1}


def test_the_matrices_are_side_by_side():
    assert lines(section([Fields(EXAMPLE, "example")])) == [
        "Two-dimensional cross-correlation. Each output is the sum of the products of the filter, which is not rotated, and the 3 x 3 "
        "inputs under it. Stride 2, 1 line of zeros around the input. For n = 5 input rows, the output has "
        "floor((n + 2·1 − 3) / 2) + 1 = 3 rows.",
        "input, 5 x 5      filter, 3 x 3    output, 3 x 3",
        " 1  2  3  4  5     0  1  0          10  10   4",
        " 6  7  8  9 10     1 -4  1           6  18   4",
        "11 12 13 14 15     0  2  0         -46 -28 -56",
        "16 17 18 19 20",
        "21 22 23 24 25",
        "The input unfolded for stride 2: a column for each output, with the inputs under the filter. The filter as one row, multiplied by "
        "this matrix, gives the outputs: that is how im2col computes them.",
        "unfolded input, 9 x 9",
        " 0  0  0  0  7  9  0 17 19", " 0  0  0  6  8 10 16 18 20", " 0  0  0  7  9  0 17 19  0",
        " 0  2  4  0 12 14  0 22 24", " 1  3  5 11 13 15 21 23 25", " 2  4  0 12 14  0 22 24  0",
        " 0  7  9  0 17 19  0  0  0", " 6  8 10 16 18 20  0  0  0", " 7  9  0 17 19  0  0  0  0"]


def test_against_sums_written_out():
    made = correlate([INPUT], [EXAMPLE["filter"]], 2, 1)
    assert made[0][0] == 1 * -4 + 2 * 1 + 6 * 2 and made[2][0] == 21 * -4 + 16 * 1 + 22 * 1
    assert made[1][1] == 8 + 12 + 14 - 4 * 13 + 2 * 18
    assert correlate([[[1, 2], [3, 4]]], [[[1, 2], [3, 5]]], 1, 0) == [[1 + 4 + 9 + 20]], "the filter is not rotated"
    assert correlate([[[7]]], [[[2]]], 3, 0) == [[14]]


def test_channels_and_strides():
    example = {"input": [[1, 2], [3, 4], [5, 6], [7, 8]], "filter": [[1], [10]], "channels": 2, "stride": [1, 2]}
    shown = lines(section([Fields(example, "example")]))
    assert shown[0] == ("Two-dimensional cross-correlation. Each output is the sum of the products of the filter, which is not rotated, and the "
                        "1 x 1 inputs under it and over the 2 channels. No padding. For n = 2 input rows, the output has "
                        "floor((n + 2·0 − 1) / stride) + 1 rows.")
    assert [one for one in shown if one.strip()][1:12] == [
        "input 0, 2 x 2    filter 0, 1 x 1", "1 2               1", "3 4", "input 1, 2 x 2    filter 1, 1 x 1", "5 6               10", "7 8",
        "output, stride 1, 2 x 2    output, stride 2, 1 x 1", "51 62                      51", "73 84", shown[-4], "unfolded input, 2 x 4"]
    with pytest.raises(ReportError) as caught:
        section([Fields(example | {"channels": 3}, "example")])
    assert str(caught.value) == 'example: the rows of "input" cannot be those of 3 channels'


def test_nothing_declared_is_nothing_shown():
    assert section([Fields({}, "example")]) is None


@pytest.mark.parametrize("change, expected", [
    ({"input": [[1, 2], [3]]}, 'example: "input" must be rows of equal length, at most 32 x 32'),
    ({"filter": [["a"]]}, 'example: "filter" must hold numbers'),
    ({"filter": [[1] * 8]}, "example: the filter does not fit into the input with its padding"),
    ({"stride": 0}, "example: the filter does not fit into the input with its padding"),
])
def test_errors(change, expected):
    with pytest.raises(ReportError) as caught:
        section([Fields(EXAMPLE | change, "example")])
    assert str(caught.value) == expected
