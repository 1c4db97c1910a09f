"""Every error in run.json is one line that says where."""

import json

import pytest

from reports.errors import ReportError
from reports.load import load_run, parse_run
from reports.statuses import STATUSES
from reports.tests.recorded import ROOT, add_gpu, add_student, recorded_run


def message(recorded) -> str:
    with pytest.raises(ReportError) as caught:
        parse_run(recorded if isinstance(recorded, str) else json.dumps(recorded))
    return str(caught.value)


def test_an_unknown_status_is_suggested(recorded):
    recorded["cases"][2]["status"] = "PASED"
    assert message(recorded) == 'run.json: case 3: unknown status "PASED" (did you mean "PASSED"?)'


def test_a_run_may_carry_its_own_statuses(recorded):
    recorded["statuses"] = [{"name": "PASSED", "fails": False, "meaning": "right"}]
    assert message(recorded) == f'run.json: case {len(recorded["cases"]) - 31}: unknown status "SKIPPED"'


@pytest.mark.parametrize("change, expected", [
    (lambda r: r["cases"][0].update(axes=[1]), 'run.json: case 1: "axes" must be an object, not a list'),
    (lambda r: r["cases"][0].update(axes={"size": None}), 'run.json: case 1: "axes": "size" must be a string or a number, not null'),
    (lambda r: r["cases"][0].pop("sweep"), 'run.json: case 1: "sweep" is missing'),
    (lambda r: r["cases"].insert(0, 7), "run.json: case 1: expected an object, not a number"),
    (lambda r: r["cases"][0]["metrics"]["kernel_ms"].pop("median"), 'run.json: case 1: metrics: kernel_ms: "median" is missing'),
    (lambda r: r["cases"][0]["metrics"]["kernel_ms"].update(low=9, high=10, median=2),
     "run.json: case 1: metrics: kernel_ms: the median 2 is outside its interval, 9 to 10"),
    (lambda r: r["run"].pop("id"), 'run.json: run: "id" is missing'),
    (lambda r: r["run"].update(seconds="long"), 'run.json: run: "seconds" must be a number, not a string'),
    (lambda r: r["run"].update(seconds=True), 'run.json: run: "seconds" must be a number, not true or false'),
    (lambda r: r["run"].update(command=["run", 3]), 'run.json: run: "command" must hold strings, not a number'),
    (lambda r: r["published"][0]["rows"][4]["values"].update(kernel_ms="fast"),
     'run.json: published file 1: row 5: values: "kernel_ms" must be a number, not a string'),
    (lambda r: r.update(schema="harness/run/9"),
     'run.json: schema is "harness/run/9" but must be "harness/run/2"; render with the harness that wrote the run'),
])
def test_errors_say_where(recorded, change, expected):
    change(recorded)
    assert message(recorded) == expected


def test_torn_json():
    text = json.dumps(recorded_run())[:200]
    assert message(text).startswith("run.json:1:")
    assert message(text).endswith("; `harness report` writes the file again from the store")
    assert "not JSON: " in message(text)


def test_numbers_that_are_none():
    assert message('{"schema": NaN}') == "run.json: NaN is not a JSON number"
    assert message('{"schema": "harness/run/2", "run": {"id": "a", "lab": "b", "seconds": 1e999}}') == (
        'run.json: run: "seconds" is not a finite number')


def test_nested_too_deep():
    assert message("[" * 100000) == "run.json: nested too deeply to be a run"


def test_a_missing_file_and_one_that_is_not_text(tmp_path):
    with pytest.raises(ReportError, match="there is no such file; give the folder of a run, such as results/lab5/latest"):
        load_run(tmp_path)
    (tmp_path / "run.json").write_bytes(b'{"schema": "\xff"}')
    with pytest.raises(ReportError, match="byte 12 is not UTF-8; the file is damaged, run the lab again"):
        load_run(tmp_path)


def test_the_smallest_run():
    run = parse_run('{"schema": "harness/run/2", "run": {"id": "a", "lab": "b"}}')
    assert (run.title, run.cases, run.statuses) == ("b", (), STATUSES)


SCHEMA = ROOT / "docs" / "run.schema.json"


@pytest.mark.parametrize("made", [recorded_run, lambda: add_student(recorded_run()), lambda: add_gpu(recorded_run())])
def test_the_recorded_runs_are_what_the_store_writes(made):
    import jsonschema

    jsonschema.validate(made(), json.loads(SCHEMA.read_text(encoding="utf-8")))
