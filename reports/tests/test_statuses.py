from reports.statuses import words


def test_words():
    assert words("OUT_OF_BOUNDS") == "out of bounds"
