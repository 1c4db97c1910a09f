"""The pages of docs/reproduced follow from the recorded runs and the configs."""

import json
import os
import sys
from pathlib import Path

from conftest import ROOT

sys.path.insert(0, str(ROOT))
from reports import reproduced  # noqa: E402

WRITTEN = {path: text for path, text in reproduced.pages(Path(os.environ["HARNESS_BUILD"]) / "harness").items()}


def test_the_pages_are_up_to_date():
    old = [path.name for path, text in WRITTEN.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    assert not old, "run .venv/bin/python -m reports.reproduced"
    assert {path.name for path in reproduced.PAGES.glob("*.md")} == {path.name for path in WRITTEN}


def test_every_printed_figure_and_every_claim_is_there():
    lab5 = next(text for path, text in WRITTEN.items() if path.name == "lab5.md")
    printed = [line.split(" | ") for line in lab5.splitlines() if line.startswith("| `cpu_avx` | ")]
    assert [(cells[1], cells[2]) for cells in printed] == [
        (str(size), f"{ms:g}") for size, ms in ((128, 0.99), (256, 8.65), (512, 72.96), (1024, 922.9), (2048, 17343))]
    assert lab5.split("## Claims")[1].split("## Printed")[0].count("\n| `") == (ROOT / "configs/lab5.yaml").read_text().count("claim: ")
    hw6 = next(text for path, text in WRITTEN.items() if path.name == "hw6.md")
    recorded = json.loads((ROOT / "docs/examples/hw6-h200/run.json").read_text())
    assert hw6.split("## Claims")[1].split("## Printed")[0].count("\n| `") == len(recorded["claims"]) > 20
