import pytest

from reports.numbers import bytes_text, general, range_text, rate, seconds_text, significant, with_interval


@pytest.mark.parametrize("median, low, high, expected", [
    (4.831, 4.812, 4.849, "4.831 ±0.019"),
    (4.831, 4.79, 4.85, "4.83 ±0.05"),  # the larger side, 0.041, rounded up
    (4.83, 4.80, 4.86, "4.830 ±0.030"),  # 4.86 - 4.83 is 0.03 and no more
    (91657, 91300, 91900, "91700 ±400"),
    (17343.4, 17200, 17463.7, "17340 ±150"),
    (0.0123456, 0.01234, 0.01236, "0.012346 ±0.000015"),
    (9.9996, 9.98, 10.02, "10.000 ±0.021"),
    (123456.789, 123456.7, 123456.8, "123457 ±1"),  # never more than six digits
    (2.5, 2.5, 2.5, "2.5 ±0"),
    (1.0, 0.64, 1.36, "1.0 ±0.4"),
    (0.0, 0.0, 0.0, "0 ±0"),
])
def test_the_interval_decides_the_digits(median, low, high, expected):
    assert str(with_interval(median, low, high)) == expected


def test_the_printed_interval_covers_the_measured_one():
    for i in range(1, 400):
        median, low, high = 100 + i * 0.37, 100 + i * 0.37 - i * 0.0131, 100 + i * 0.37 + i * 0.0077
        shown = with_interval(median, low, high)
        assert float(shown.spread[1:]) >= median - low - 1e-9


def test_without_an_interval_three_digits():
    assert str(with_interval(4.8312, None, None)) == "4.83"
    assert str(with_interval(9054.2, None, None)) == "9050"


@pytest.mark.parametrize("median, low, high, expected", [
    (8.104, 8.021, 8.213, "8.10 (8.02 to 8.22)"),
    (61.97, 61.712, 62.168, "61.97 (61.71 to 62.17)"),
    (3.0, None, None, "3.00"),
])
def test_ranges_in_sentences_round_outwards(median, low, high, expected):
    assert range_text(median, low, high) == expected


@pytest.mark.parametrize("value, digits, expected", [
    (9.996, 3, "10.0"), (0.000123456, 3, "0.000123"), (91657, 3, "91700"), (12345678, 3, "1.23e7"), (1.2e-9, 3, "1.20e-9"),
    (0, 3, "0"), (float("inf"), 3, "∞"), (-2.345, 2, "-2.3"), (1e22, 2, "1.0e22"),
])
def test_significant(value, digits, expected):
    assert significant(value, digits) == expected


def test_axis_values_look_as_they_were_written():
    assert [general(v) for v in (1024, 0.5, 2.0, 1315.157002, "row", True)] == ["1024", "0.5", "2", "1315.157002", "row", "true"]


def test_units():
    assert rate(2.4e11, "FLOP/s") == "240 GFLOP/s"
    assert rate(1.213e10, "B/s") == "12.1 GB/s"
    assert bytes_text(25769803776) == "24 GiB"
    assert bytes_text(49152) == "48 KiB"
    assert [seconds_text(s) for s in (3.25, 118.2, 59.4, 120, 4000)] == [
        "3.25 s", "1 min 58 s", "59 s", "2 min", "1 h 6 min"]
