import pytest

from reports import generate

AGAIN = "the fields have changed; run: .venv/bin/python -m reports.generate"


@pytest.mark.parametrize("made", (generate.RUN, generate.GRADES), ids=lambda made: made.file)
def test_the_committed_types_are_the_generated_ones(made):
    assert made.types.read_text(encoding="utf-8") == generate.types(made), AGAIN


def test_the_committed_page_is_the_generated_one():
    assert generate.PAGE.read_text(encoding="utf-8") == generate.page(), AGAIN
