from reports import generate


def test_the_committed_files_are_the_generated_ones():
    again = "the fields of run.json have changed; run: .venv/bin/python -m reports.generate"
    assert generate.TYPES.read_text(encoding="utf-8") == generate.types(), again
    assert generate.PAGE.read_text(encoding="utf-8") == generate.page(), again
