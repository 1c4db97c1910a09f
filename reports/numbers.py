"""Numbers as text, with only those digits that the interval supports.

The number of digits follows the rule of the Particle Data Group: a spread has two digits if they are at most 3.55, else
one. A spread is always rounded up, so that the printed interval contains the measured one.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from reports.language import tr

MOST_DIGITS = 6  # of a median, even if its interval is narrower
NO_INTERVAL_DIGITS = 3  # of a number without an interval


@dataclass(frozen=True)
class Quantity:
    text: str
    spread: str = ""  # "±0.02"; empty without an interval

    def __str__(self) -> str:
        return f"{self.text} {self.spread}".strip()


def exponent(value: float) -> int:
    """Exponent of the leading decimal digit: 4830 -> 3."""
    return Decimal(f"{abs(value):.17g}").adjusted()


def spread_decimals(half: float) -> int:
    """Decimals to print for a spread of `half` > 0; negative for tens, hundreds and so on."""
    lead = exponent(half)
    return (1 if half / 10.0**lead < 3.55 else 0) - lead


def rounded(value: float, decimals: int, mode: str = ROUND_HALF_EVEN) -> Decimal:
    # 12 digits first: 4.86 - 4.83 is 0.03, not 0.030000000000000249 rounded up to 0.031
    exact = Decimal(f"{value:.12g}")
    return exact.quantize(Decimal(1).scaleb(-decimals), rounding=mode)


def plain(value: Decimal, decimals: int) -> str:
    return f"{value:.{max(decimals, 0)}f}"


def half_width(median: float, low: float | None, high: float | None) -> float | None:
    """The larger distance to an end; None without a finite interval."""
    if low is None or high is None:
        return None
    half = max(high - median, median - low)
    return half if math.isfinite(half) else None


def with_interval(median: float, low: float | None, high: float | None) -> Quantity:
    """4.831 in [4.81, 4.85] -> 4.831 ±0.021; the spread is the larger distance to an end."""
    half = half_width(median, low, high)
    if half is None:
        return Quantity(significant(median, NO_INTERVAL_DIGITS))
    finest = MOST_DIGITS - 1 - exponent(median) if median else MOST_DIGITS
    if half <= abs(median) * 1e-12:
        return Quantity(general(float(f"{median:.{MOST_DIGITS}g}")), "±0")
    decimals = min(spread_decimals(float(f"{half:.12g}")), finest)
    spread = rounded(half, decimals, ROUND_CEILING)
    return Quantity(plain(rounded(median, decimals), decimals), "±" + plain(spread, decimals))


def range_text(median: float, low: float | None, high: float | None, most: int = MOST_DIGITS) -> str:
    """A median with its interval, for sentences: `8.10 (8.02 to 8.21)`, with at most `most` digits."""
    half = half_width(median, low, high)
    if half is None:
        return significant(median, NO_INTERVAL_DIGITS)
    finest = most - 1 - exponent(median) if median else most
    decimals = min(spread_decimals(float(f"{half:.12g}")), finest) if half > 0 else finest
    ends = [plain(rounded(low, decimals, ROUND_FLOOR), decimals), plain(rounded(high, decimals, ROUND_CEILING), decimals)]
    return f"{plain(rounded(median, decimals), decimals)} ({tr('{low} to {high}', low=ends[0], high=ends[1])})"


def factor_text(value: float) -> str:
    """A factor or a share in a sentence, rounded for reading: 1.05, 7.8, 14, 1390, 20,400. The tables have the interval."""
    return f"{round(value, -exponent(value) + 2):,.0f}" if value >= 1e4 else significant(value, 2 if 1.2 <= value < 100 else NO_INTERVAL_DIGITS)


def significant(value: float, digits: int) -> str:
    """Rounded to `digits` significant digits; with an exponent only if that is shorter: 0.0123, 91700, 1.2e-9."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "∞"
    decimals = digits - 1 - exponent(value)
    number = rounded(value, decimals)
    decimals = digits - 1 - number.adjusted()  # 9.996 -> 10.0, not 10.00
    number = rounded(float(number), decimals)
    if -5 < number.adjusted() < 7:
        return plain(number, decimals)
    mantissa, power = f"{float(number):.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(power)}"


def general(value: float | int | str | bool) -> str:
    """The value of an axis as the user wrote it: 1024, 0.5, row."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def rate(value: float, unit: str) -> str:
    """2.4e11, "FLOP/s" -> 240 GFLOP/s"""
    return scaled(value, 1000, ("", "k", "M", "G", "T", "P"), unit)


def bytes_text(value: float) -> str:
    return scaled(value, 1024, ("", "Ki", "Mi", "Gi", "Ti"), "B")


def scaled(value: float, base: int, prefixes: tuple[str, ...], unit: str) -> str:
    power = 0 if abs(value) < 1 else min(int(math.log(abs(value), base) + 1e-9), len(prefixes) - 1)
    number = value / base**power
    text = general(round(number)) if abs(number - round(number)) < 1e-9 else significant(number, 3)
    return f"{text} {prefixes[power]}{unit}"


def seconds_text(value: float) -> str:
    """118.2 -> 1 min 58 s"""
    if value < 60:
        return f"{significant(value, 3)} s" if value < 10 else f"{value:.0f} s"
    minutes, seconds = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"
