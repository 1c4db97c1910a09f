import json
import subprocess
import sys

import pytest

from reports.__main__ import main
from reports.tests.recorded import ROOT


def run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "reports", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)


def test_render_writes_the_formats_asked_for(folder, recorded, capsys):
    run_dir = folder(recorded)
    assert main(["render", str(run_dir), "--formats", "md"]) == 0
    written = sorted(str(path.relative_to(run_dir)) for path in run_dir.rglob("*") if path.is_file())
    assert written == sorted(["run.json", "report.md", *(f"plots/figure-{i}.svg" for i in range(1, 7))])
    assert capsys.readouterr().out.splitlines()[-1] == str(run_dir / "report.md")


def test_rendering_again_gives_the_same_bytes_and_removes_what_is_gone(folder, recorded):
    run_dir = folder(recorded)
    (run_dir / "plots").mkdir()
    (run_dir / "plots" / "figure-99.svg").write_bytes(b"old")
    main(["render", str(run_dir), "--formats", "md,html"])
    before = {path: path.read_bytes() for path in run_dir.rglob("*.*") if path.is_file()}
    main(["render", str(run_dir), "--formats", "md,html"])
    assert {path: path.read_bytes() for path in run_dir.rglob("*.*") if path.is_file()} == before
    assert not (run_dir / "plots" / "figure-99.svg").exists()


def without_rates(recorded):
    """A ladder needs rates."""
    for case in recorded["cases"]:
        case["metrics"].pop("gflops", None)


def test_a_run_without_plots_needs_no_plots_folder(folder, recorded):
    recorded["report"] = {}
    without_rates(recorded)
    run_dir = folder(recorded)
    assert main(["render", str(run_dir), "--formats", "md,html"]) == 0
    assert not (run_dir / "plots").exists()


def test_only_what_a_format_needs_is_imported(folder, recorded):
    recorded["report"]["plots"] = []
    without_rates(recorded)
    code = (f"import sys; from reports.__main__ import main; main(['render', {str(folder(recorded))!r}, '--formats', 'md,html']); "
            "sys.exit(len({'matplotlib', 'weasyprint'} & set(sys.modules)))")
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True).returncode == 0


def test_bad_input_is_one_line_and_exit_code_3(tmp_path):
    missing = run("render", tmp_path)
    assert (missing.returncode, missing.stdout) == (3, "")
    assert missing.stderr == f"{tmp_path}/run.json: there is no such file; give the folder of a run, such as results/lab5/latest\n"
    (tmp_path / "run.json").write_text(json.dumps({"schema": "harness/run/9"}))
    other = run("render", tmp_path)
    assert (other.returncode, len(other.stderr.splitlines())) == (3, 1)
    (tmp_path / "run.json").write_text('{"schema": "harness/run/2", "run"')
    torn = run("render", tmp_path)
    assert (torn.returncode, len(torn.stderr.splitlines())) == (3, 1)


def test_a_file_that_cannot_be_written(folder, recorded, capsys):
    recorded["report"]["plots"] = []
    run_dir = folder(recorded)
    (run_dir / "report.md").mkdir()
    assert main(["render", str(run_dir), "--formats", "md"]) == 3
    assert capsys.readouterr().err.endswith("cannot be written: Is a directory\n")
    assert not list(run_dir.glob(".report.md*"))


@pytest.mark.parametrize("formats, expected", [
    ("pfd", 'unknown format "pfd" (known formats: md, html, pdf)'), ("", "no format given (known formats: md, html, pdf)")])
def test_unknown_formats(tmp_path, formats, expected, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["render", str(tmp_path), "--formats", formats])
    assert caught.value.code == 2 and expected in capsys.readouterr().err
