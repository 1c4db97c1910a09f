"""`harness compare`: what it says of two runs whose difference is known."""

import json

import pytest
from conftest import ROOT

LAB5 = ROOT / "docs/examples/lab5-h200"
SLOWER = "gpu_blocks/gpu_shared size=1024 BLOCK=16"  # of the device, whose times vary little from run to run


@pytest.fixture
def changed(tmp_path):
    """The folder of a run that is a recorded one with changes."""
    def make(name, change):
        document = json.loads((LAB5 / "run.json").read_text())
        change(document)
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(json.dumps(document))
        return tmp_path / name
    return make


def slower(document):
    case = next(case for case in document["cases"] if case["id"] == f"lab5/{SLOWER}")
    case["samples_ms"] = [1.5 * sample for sample in case["samples_ms"]]
    document["machine"]["gpus"][0]["driver"] = "570.1"


def test_the_same_run_twice_is_the_same(harness):
    ran = harness("compare", LAB5, LAB5, "--format", "json", "--fail-on", "slower")
    assert (ran.code, ran.err) == (0, "")
    told = json.loads(ran.out)
    cells = told["cells"]
    assert len(cells) > 60 and told["differences"] == [] and told["minimum_effect"] == 0.03
    assert {cell["change"] for cell in cells} <= {"SAME", "UNDECIDED"}
    assert all(cell["low"] <= 1 <= cell["high"] for cell in cells if "low" in cell)
    assert all(cell["why"] for cell in cells if cell["change"] == "UNDECIDED")
    assert {cell["why"] for cell in cells if cell["change"] == "SAME"} == {"B has the same samples as A: make its run with --fresh"}


def test_a_slower_case_is_found_in_all_formats(harness, changed):
    other = changed("slower", slower)
    ran = harness("compare", LAB5, other)
    assert (ran.code, ran.err) == (0, "")
    line, = [line for line in ran.out.splitlines() if line.startswith("SLOWER")]
    assert line.split()[1] == "1.500" and line.endswith(f"  {SLOWER}")
    plot = line[36:69]
    assert plot.index("|") < plot.index("o") and plot.count(":") == 2
    assert "  system    driver of GPU 0: 580.159.04 / 570.1\n" in ran.out
    assert " 0 FASTER, 1 SLOWER, " in ran.out.splitlines()[-1]
    assert harness("compare", LAB5, other, "--fail-on", "slower").code == 1
    assert harness("compare", other, LAB5, "--fail-on", "slower").code == 0
    assert harness("compare", LAB5, other, "--fail-on", "slower", "--min-effect", "60%").code == 0
    page = harness("compare", LAB5, other, "--format", "md").out
    assert "| gpu\\_blocks/gpu\\_shared size=1024 BLOCK=16 | " in page and "| SLOWER |\n" in page
    told = json.loads(harness("compare", LAB5, other, "--format", "json").out)
    assert [cell["case"] for cell in told["cells"] if cell["change"] == "SLOWER"] == [SLOWER]
    mean, = [row["geometric_mean"] for row in told["variants"] if row["variant"] == "gpu_shared"]
    cells = sum("/gpu_shared " in cell["case"] for cell in told["cells"])
    assert mean == pytest.approx(1.5 ** (1 / cells))
    assert told["differences"] == [{"kind": "system", "what": "driver of GPU 0", "a": "580.159.04", "b": "570.1"}]


def test_a_run_from_elsewhere_forges_no_line(harness, changed):
    def forge(document):
        document["machine"]["cpu"]["model"] = "a\nFASTER 9.000"
        document["machine"]["cpu"]["features"] = ["b\nFASTER 9.000"]
        document["machine"]["virtualization"] = "c\nFASTER 9.000"
        document["run"]["id"] = "d\nFASTER 9.000"

    ran = harness("compare", LAB5, changed("forged", forge))
    assert "a FASTER 9.000" in ran.out and "c FASTER 9.000" in ran.out
    assert [line for line in ran.out.splitlines() if line.startswith("FASTER 9")] == []


def test_a_case_that_fails_now_is_worse_than_slower(harness, changed):
    def broken(document):
        document["cases"][0] |= {"status": "WRONG", "reason": "on m=1", "metrics": {}, "samples_ms": [], "rounds": []}
    other = changed("broken", broken)
    ran = harness("compare", LAB5, other, "--fail-on", "slower")
    assert ran.code == 1 and "\nBROKEN     cpu_sizes/cpu_baseline size=128  (A: PASSED, B: WRONG)\n" in ran.out


@pytest.mark.parametrize("words, error", [
    (["--min-effect", "much"], '--min-effect "much" is not a share; write for example 3%\n'),
    (["--min-effect", "0"], '--min-effect "0" is not a share; write for example 3%\n')])
def test_a_rule_that_means_nothing(harness, words, error):
    ran = harness("compare", LAB5, LAB5, *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"harness: {error}")


def test_runs_with_nothing_in_common(harness):
    ran = harness("compare", LAB5, ROOT / "docs/examples/hw6-h200")
    assert ran.code == 4 and ran.err.endswith(" have no timed case in common\n")


def test_a_series_is_of_one_lab_and_of_different_runs(harness):
    other = ROOT / "docs/examples/hw6-h200"
    ran = harness("compare", LAB5, f"{LAB5},{other}")
    assert (ran.code, ran.out, ran.err) == (2, "", f'harness: "{other}" is a run of hw6, and "{LAB5}" is one of lab5: give runs of one lab\n')
    told = json.loads(harness("compare", ",".join([str(LAB5)] * 6), LAB5, "--format", "json").out)
    whys = {cell["why"] for cell in told["cells"]}
    assert "two runs of A have the same samples: make each run with --fresh" in whys
    assert {cell["change"] for cell in told["cells"]} == {"UNDECIDED"}


def test_series_of_runs_show_what_one_run_does_not(harness, changed):
    def times(factor):
        def change(document):
            for case in document["cases"]:
                case["samples_ms"] = [factor * sample for sample in case["samples_ms"]]
        return change
    a, b = (",".join(str(changed(f"{name}{i}", times(factor * (1 + 0.001 * i)))) for i in range(6)) for name, factor in [("a", 1), ("b", 1.3)])
    name = "cpu_sizes/cpu_avx size=256"
    def of(a, b):
        told = json.loads(harness("compare", a, b, "--format", "json").out)
        return next(cell for cell in told["cells"] if cell["case"] == name), told
    cell, told = of(a.split(",")[0], b.split(",")[0])
    assert cell["change"] == "UNDECIDED" and cell["why"].startswith("other cases scatter by a factor of ")
    cell, told = of(a, b)
    assert cell["change"] == "SLOWER" and told["scatter"] == 1 and told["a"]["id"].count(",") == 5
    assert harness("compare", a, b).out.startswith("A: 6 runs, the first: lab5 ")
    ran = harness("compare", LAB5, f"{LAB5},")
    assert (ran.code, ran.err) == (2, f'harness: "{LAB5}," lacks a run before or after a comma\n')
