"""Every error in run.json is one line that says where."""

import json

import pytest

from reports.errors import ReportError
from reports.load import load_run, parse_run
from reports.tests.recorded import ROOT, add_gpu, add_student, recorded_run


def message(recorded) -> str:
    with pytest.raises(ReportError) as caught:
        parse_run(recorded if isinstance(recorded, str) else json.dumps(recorded))
    return str(caught.value)


@pytest.mark.parametrize("change, expected", [
    (lambda r: r["cases"][2].update(status="PASED"), "run.json: $.cases[2].status: invalid enum value 'PASED'"),
    (lambda r: r.update(statuses=r["statuses"][:1]), 'run.json: "statuses" does not explain SKIPPED'),
    (lambda r: r["cases"][0].update(axes=[1]), "run.json: $.cases[0].axes: expected `object`, got `array`"),
    (lambda r: r["cases"][0].update(axes={"size": None}), "run.json: $.cases[0].axes[...]: expected `int | float | str`, got `null`"),
    (lambda r: r["cases"][0].pop("sweep"), "run.json: $.cases[0]: object missing required field `sweep`"),
    (lambda r: r["cases"].insert(0, 7), "run.json: $.cases[0]: expected `object`, got `int`"),
    (lambda r: r["cases"][0]["metrics"]["kernel_ms"].pop("median"),
     "run.json: $.cases[0].metrics[...]: object missing required field `median`"),
    (lambda r: r["cases"][0]["metrics"]["kernel_ms"].update(low=9, high=10, median=2),
     "run.json: lab5/cpu_sizes/cpu_baseline size=128: kernel_ms: the median 2 is outside its interval, 9 to 10"),
    (lambda r: r["run"].pop("id"), "run.json: $.run: object missing required field `id`"),
    (lambda r: r["run"].update(seconds="long"), "run.json: $.run.seconds: expected `float | null`, got `str`"),
    (lambda r: r["run"].update(command=["run", 3]), "run.json: $.run.command[1]: expected `str`, got `int`"),
    (lambda r: r["published"][0]["rows"][4]["values"].update(kernel_ms="fast"),
     "run.json: $.published[0].rows[4].values[...]: expected `float`, got `str`"),
    (lambda r: r.update(schema="harness/run/9"),
     'run.json: schema is "harness/run/9" but must be "harness/run/2"; render with the harness that wrote the run'),
])
def test_errors_say_where(recorded, change, expected):
    change(recorded)
    assert message(recorded) == expected


def test_torn_json():
    torn = message(json.dumps(recorded_run())[:200])
    assert torn == ("run.json: not JSON: Input data was truncated; `harness report ID`, with the run's id in place of its folder, "
                    "writes the file again from the store")


def test_numbers_that_are_none(recorded):
    assert message('{"schema": NaN}').startswith("run.json: not JSON: ")
    text = json.dumps(recorded).replace('"seconds": 118.2', '"seconds": 1e999')
    assert message(text) == "run.json: $.run.seconds: number out of range"


def test_nested_too_deep():
    assert message('{"schema": ' + "[" * 100000) == "run.json: $.schema: expected `str`, got `array`"
    assert message('{"new": ' + "[" * 100000).startswith("run.json: ")


def test_a_missing_file_and_one_that_is_not_text(tmp_path):
    with pytest.raises(ReportError, match="there is no such file; give the folder of a run, such as results/lab5/latest"):
        load_run(tmp_path)
    (tmp_path / "run.json").write_bytes(b'{"schema": "\xff"}')
    with pytest.raises(ReportError, match="byte 12 is not UTF-8; the file is damaged, run the lab again"):
        load_run(tmp_path)


def test_a_newer_harness_may_write_more_fields(recorded):
    recorded["cases"][0]["weather"] = recorded["weather"] = "fine"
    assert parse_run(json.dumps(recorded)).cases


SCHEMA = ROOT / "docs" / "run.schema.json"


@pytest.mark.parametrize("made", [recorded_run, lambda: add_student(recorded_run()), lambda: add_gpu(recorded_run())])
def test_the_recorded_runs_are_what_the_store_writes(made):
    import jsonschema

    jsonschema.validate(made(), json.loads(SCHEMA.read_text(encoding="utf-8")))
