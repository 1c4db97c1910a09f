"""The pages of docs/reproduced follow from the recorded runs and the configs."""

import json
import os
import sys
from pathlib import Path

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT))
from reports import reproduced, summation  # noqa: E402
from reports.document import plain  # noqa: E402
from reports.errors import ReportError  # noqa: E402
from reports.load import parse_run  # noqa: E402

CPU_RUN = ROOT / "docs/reproduced/runs/dcu_gemm-cpu/run.json"


@pytest.fixture(scope="module")
def program():
    return Path(os.environ["HARNESS_BUILD"]) / "harness"


@pytest.fixture(scope="module")
def written(program):
    return {path.name: (path, text) for path, text in reproduced.pages(program).items()}


def claims_of(page: str) -> int:
    return page.split("## Claims")[1].split("## Printed")[0].count("\n| `")


def test_the_pages_are_up_to_date(written):
    old = [name for name, (path, text) in written.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    assert not old, "run .venv/bin/python -m reports.reproduced"
    assert {path.name for path in reproduced.PAGES.glob("*.md")} == set(written)


def test_every_printed_figure_and_every_claim_is_there(written):
    lab5, hw6 = (written[name][1] for name in ("lab5.md", "hw6.md"))
    printed = [line.split(" | ") for line in lab5.splitlines() if line.startswith("| `cpu_avx` | ")]
    assert [(cells[1], cells[2]) for cells in printed] == [
        (str(size), f"{ms:g}") for size, ms in ((128, 0.99), (256, 8.65), (512, 72.96), (1024, 922.9), (2048, 17343))]
    assert claims_of(lab5) == (ROOT / "configs/lab5.yaml").read_text().count("claim: ")
    assert claims_of(hw6) == (ROOT / "configs/hw6.yaml").read_text().count("claim: ") > 20


def test_a_lab_for_gpus_alone_has_no_column_for_a_machine_without_one(written):
    lab10, lab5 = (written[name][1] for name in ("lab10.md", "lab5.md"))
    assert "- CPU machine: no run, because every variant of this lab needs a GPU." in lab10
    assert "| GPU machine | ratio | outcome |" in lab10 and "| CPU machine |" not in lab10 and "| CPU machine | ratio | outcome |" in lab5


def test_lab5_is_shown_without_optimisation_too(written):
    page = written["lab5.md"][1]
    claims, figures = page.split("## Claims")[1].split("## Printed figures")
    assert "| CPU machine without -O |" in claims and "**NOT RUN**" in next(line for line in claims.splitlines() if "gpu_naive over" in line)
    tables = [line for line in figures.splitlines() if line.startswith("| variant")]
    assert ["without -O" in line for line in tables] == [True, True, False, False, False, False]


def test_sums_that_are_rounded_in_another_way_differ():
    cells = [plain(cell.text) for cell in summation.row(128)]
    assert cells[0] == "128" and all(0 < float(cell) < 1e-4 for cell in (cells[1], cells[3], cells[5]))
    assert 0 < int(cells[2].removesuffix(" %")) < int(cells[4].removesuffix(" %")) < 100


def test_a_page_says_if_the_config_has_changed():
    recorded = json.loads(CPU_RUN.read_text())
    machine = reproduced.Recorded("here", parse_run(json.dumps(recorded)), {})
    config = recorded["run"]["config"]["text"]
    said = plain(reproduced.about_run(machine, config + "\n# a new line"))
    changed = " The config has changed since this run, whose samples answer the claims of the present one."
    assert said.endswith(changed)
    assert plain(reproduced.about_run(machine, config)) == said.removesuffix(changed)


def test_the_noise_of_a_run_is_told():
    recorded = json.loads(CPU_RUN.read_text())
    recorded["noise"] = {"before": {"load_1min": 0.5, "stolen_s": 20.5}, "after": {"load_1min": 1.25, "stolen_s": 22.0}}
    assert reproduced.noise(parse_run(json.dumps(recorded))) == " Noise: load 0.5 before the run and 1.25 after it, 1.5 s of steal in between."


def test_serial_times_have_the_source_of_the_run():
    recorded = json.loads(CPU_RUN.read_text())
    recorded["recorded_baseline"]["source"] = "a clock on the wall"
    (section,) = reproduced.serial_times(parse_run(json.dumps(recorded)))
    assert plain(section.blocks[0].text) == (
        "Speedups over the recorded baseline are relative to the times of dcu_gemm_serial_baseline.csv: a clock on the wall. They are an "
        "input of the lab and no result.")


def test_a_claim_is_not_run_if_no_case_of_its_variants_ran():
    recorded = json.loads(CPU_RUN.read_text())
    run = parse_run(json.dumps(recorded))
    assert {reproduced.word(run, claim) for claim in run.claims if "gpu_" in claim.text} == {"NOT RUN"}
    # the words of the reason decide nothing
    for case in recorded["cases"]:
        case["status"] = "UNSTABLE"
    again = parse_run(json.dumps(recorded))
    assert [reproduced.word(again, claim) for claim in again.claims] == [claim.measured.answer for claim in again.claims]


def test_a_run_that_the_program_refuses_is_an_error(program, tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(json.loads(CPU_RUN.read_text()) | {"claims": []}))
    with pytest.raises(ReportError, match="no_such_lab.yaml"):
        reproduced.recorded("here", tmp_path, "no_such_lab", program)
