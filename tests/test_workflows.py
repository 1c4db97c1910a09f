"""The GitHub workflows, the step summary, the CMake presets and the launchers' source."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SUMMARY = ROOT / ".github/step_summary"


def run(*command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)


def summary(tmp_path, text):
    report = tmp_path / "report.md"
    report.write_text(text)
    return subprocess.run([SUMMARY, report], capture_output=True, text=True, check=True).stdout


def test_workflows_follow_the_official_schema():
    assert [file.name for file in WORKFLOWS] == ["ci.yml", "grade-class.yml", "grade.yml", "release.yml"]
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    result = run(*check, *WORKFLOWS)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_broken_workflow_is_noticed(tmp_path):
    broken = tmp_path / "broken.yml"
    broken.write_text("on: push\njobs: {a: {runs-on: ubuntu-24.04, stepz: []}}\n")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    assert run(*check, broken).returncode == 1


def test_actionlint_finds_no_mistake_in_the_workflows(tmp_path):
    """A fork of actionlint, because the package of the original fetches its binary from elsewhere. It also runs shellcheck on all scripts."""
    actionlint = [Path(sys.executable).with_name("actionlint"), "-no-color"]
    teacher = tmp_path / "teacher.yml"
    teacher.write_text(re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/actions.md").read_text(), re.S)[1])
    result = run(*actionlint, *WORKFLOWS, teacher)
    assert result.returncode == 0, result.stdout + result.stderr
    broken = tmp_path / "broken.yml"
    broken.write_text("on: push\njobs: {a: {runs-on: ubuntu-24.04, steps: [{run: 'echo ${{ steps.none.outputs.x }}'}]}}\n")
    found = run(*actionlint, broken)
    assert found.returncode == 1 and 'property "none" is not defined' in found.stdout


def test_zizmor_finds_no_weakness_in_the_workflows(tmp_path):
    zizmor = [Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--config", ROOT / ".github/zizmor.yml"]
    result = run(*zizmor, *WORKFLOWS, ROOT / "action.yml")
    assert result.returncode == 0, result.stdout + result.stderr
    weak = tmp_path / "weak.yml"
    weak.write_text("on: issues\npermissions: {}\njobs: {a: {runs-on: ubuntu-24.04, steps: [{run: 'echo ${{ github.event.issue.title }}'}]}}\n")
    found = run(*zizmor, weak)
    assert found.returncode != 0 and "template-injection" in found.stdout


def test_scripts_of_workflows_take_no_input_as_code():
    from ruamel.yaml import YAML

    for file in WORKFLOWS:
        for job in YAML(typ="safe").load(file)["jobs"].values():
            for step in job["steps"]:
                assert "${{" not in step.get("run", ""), f"{file.name}: {step['run']}"


def grade_step(name):
    from ruamel.yaml import YAML

    steps = YAML(typ="safe").load(ROOT / ".github/workflows/grade.yml")["jobs"]["grade"]["steps"]
    return next(step["run"] for step in steps if step.get("name") == name)


@pytest.mark.parametrize("code", [0, 1])
def test_grading_ends_with_the_exit_code_and_takes_no_command_from_what_is_printed(tmp_path, code):
    """The step's own script, around a program that prints runner commands and looks for the runner's files."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/harness"
    program.write_text(f'#!/bin/sh\necho "::error::forged $*"\necho "${{GITHUB_ENV-unset}}"\nexit {code}\n')
    program.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "CONFIG": "a b.yaml", "BUDGET": "5s", "GITHUB_ENV": "/x"}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", grade_step("Run the lab")]
    result = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == code
    first, *middle, last = result.stdout.splitlines()
    assert middle == ["::error::forged run a b.yaml --budget 5s", "unset"]
    prefix, word = first.rsplit("::", 1)
    assert prefix == "::stop-commands"
    assert len(word) == 36
    assert last == f"::{word}::"


def test_summary_keeps_the_head_and_the_tables_and_drops_pictures(tmp_path):
    head = "# Lab\n\n**1 of 2 wrong**\n\n"
    table = "## Sizes\n\n| n | a |\n|--|--|\n| 8 | 1 |\n\nmedian, ms\n\n"
    figure = "![plot](a.png)\n**Figure 1. Sizes.** It is a plot.\n"
    prose = "## Method\n\nwords\n\n```text\n# include\n| no table\n```\n"
    assert summary(tmp_path, head + table + figure + prose) == head + table


def test_summary_is_cut_at_a_line_below_the_limit(tmp_path):
    row = "| " + "é" * 48 + " |\n"
    cut = summary(tmp_path, "# A\n" + row * 20000 + "# B\n| b |\n")
    assert 990_000 < len(cut.encode()) < 1024 * 1024
    body, note = cut.split("\n\n")
    assert note == "**Cut here: a summary holds 1 MiB. The whole report is in the artifact of this run.**\n"
    assert set(body.splitlines()[1:]) == {row.rstrip("\n")}


def test_every_preset_has_a_workflow():
    result = run("cmake", "--list-presets=workflow")
    assert result.returncode == 0, result.stderr
    assert [line.strip() for line in result.stdout.splitlines()[2:]] == ['"default"', '"dev"', '"sanitize"', '"arm64"', '"fuzz"']


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shell_scripts_are_clean():
    result = run("shellcheck", "-x", "-a", "bin/harness", "bin/test", "containers/make", "containers/harness/entrypoint", ".ci/run", SUMMARY, ".github/grade_submission", ".github/fetch_submissions")
    assert result.returncode == 0, result.stdout
