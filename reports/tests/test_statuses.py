import re

from reports.statuses import STATUSES, words
from reports.tests.recorded import ROOT


def test_the_statuses_are_those_of_the_harness():
    header = (ROOT / "harness" / "base" / "status.h").read_text(encoding="utf-8")
    found = re.findall(r'X\((\w+), (true|false), "([^"]+)"\)', header)
    assert {name: (fails == "true", meaning) for name, fails, meaning in found} == STATUSES


def test_words():
    assert words("OUT_OF_BOUNDS") == "out of bounds"
