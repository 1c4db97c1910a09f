"""A damaged run.json gives a report or one clear message, never a traceback."""

import json
import random

import pytest

from reports.errors import ReportError
from reports.html import render_html
from reports.load import load_run, parse_run
from reports.markdown import render_markdown
from reports.sections import document
from reports.tests.recorded import add_gpu, add_student, bare_run, recorded_run

VALUES = (None, 0, -1, 1e308, 5e-324, True, "", "x", "1. |`<b>", [], {}, [1], ["x"], {"x": 1})


def paths(value, path=()):
    """The paths of all values in the JSON; only the first entries of long lists."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value[:3]):
            yield from paths(inner, (*path, i))


def damaged(recorded: dict, path: tuple, draw: random.Random) -> None:
    holder = recorded
    for key in path[:-1]:
        holder = holder[key]
    if draw.random() < 0.3:
        del holder[path[-1]]
    else:
        holder[path[-1]] = draw.choice(VALUES)


@pytest.mark.parametrize("seed", range(4))
def test_damage_is_survived_or_named(seed):
    draw = random.Random(seed)
    whole = json.dumps(add_gpu(add_student(recorded_run())))
    everywhere = [path for path in paths(json.loads(whole)) if path]
    for path in draw.sample(everywhere, 60):
        recorded = json.loads(whole)
        damaged(recorded, path, draw)
        try:
            made, charts = document(parse_run(json.dumps(recorded)))
            drawings = dict.fromkeys(charts, "<svg/>")
            assert render_markdown(made) and render_html(made, drawings)
        except ReportError as error:
            assert str(error).startswith("run.json: ") and "\n" not in str(error)


@pytest.mark.parametrize("seed", range(2))
def test_any_bytes_are_a_run_or_one_message(seed, tmp_path):
    """A file that a broken disk or another program cut off, overwrote or repeated."""
    draw = random.Random(seed)
    whole = json.dumps(add_gpu(add_student(recorded_run())), indent=1).encode()
    file = tmp_path / "run.json"
    refused = 0
    for _ in range(60):
        at, length = draw.randrange(len(whole)), draw.choice((1, 1, 1, 40, 5000))
        new = draw.choice((b"", draw.randbytes(length), whole[:length], b"[" * 100 * length, b"1e999", b"NaN", b"-1", b'"', b"\x00"))
        file.write_bytes(whole[:at] + new + whole[at + draw.choice((0, length)):])
        try:
            made, charts = document(load_run(tmp_path))
            assert render_markdown(made) and render_html(made, dict.fromkeys(charts, "<svg/>"))
        except ReportError as error:
            refused += 1
            assert str(error).startswith(str(file)) and "\n" not in str(error)
    assert refused > 10


def test_a_run_that_has_only_begun():
    made, charts = document(parse_run(json.dumps(bare_run())))
    rendered = render_markdown(made)
    assert not charts and "**no case was run; the run is still running**" in rendered
    assert "- The run has no result yet." in rendered and "No case was timed." in rendered
