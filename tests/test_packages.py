"""harness package: what a grading service gets runs in folders that are laid out as that service does."""

import json
import os
import re
import shutil
import subprocess
import zipfile

from conftest import ROOT, need
from test_actions import RIGHT, course  # noqa: F401


def unpack(harness, course, service, folder):
    archive = folder.parent / f"{service}.zip"
    folder.mkdir(parents=True)
    made = harness("package", course.file, "--for", service, "-o", archive)
    assert made.code == 0, made.err
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
        for file in packed.infolist():  # as unzip does, and Python's zipfile does not
            (folder / file.filename).chmod(file.external_attr >> 16)
    # setup.sh makes it, with packages from the network.
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    return made


def test_gradescope_runs_the_package(harness, course, tmp_path):
    """As its documentation lays out /autograder: source has the archive, and run_autograder is copied out of it."""
    autograder = tmp_path / "autograder"
    made = unpack(harness, course, "gradescope", autograder / "source")
    assert made.out == f"{autograder}/gradescope.zip: for gradescope\n"
    shutil.copy(autograder / "source/run_autograder", autograder)
    (autograder / "run_autograder").chmod(0o755)
    for name in ("submission", "results"):
        (autograder / name).mkdir()
    (autograder / "submission/cpu_mine.cpp").write_text(RIGHT)
    (autograder / "submission/results.json").write_text('{"score": 1000}')
    (autograder / "submission_metadata.json").write_text('{"id": 1}')
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    ran = subprocess.run([autograder / "run_autograder"], cwd="/", env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    results = json.loads((autograder / "results/results.json").read_text())
    assert results["score"] == 37 and {test["name"]: test["score"] for test in results["tests"]} == {
        "compiles": 10, "right": 20, "rules that are not shown": 7}
    assert [test["visibility"] for test in results["tests"]] == ["visible", "visible", "hidden"]
    # A failure of the harness is no grade.
    (autograder / "results/results.json").unlink()
    (autograder / "source/configs/small.yaml").write_text("lab: [\n")
    ran = subprocess.run([autograder / "run_autograder"], cwd="/", env=environment, capture_output=True, text=True)
    assert ran.returncode != 0 and not (autograder / "results/results.json").exists()


def test_classroom50_runs_the_package(harness, course, tmp_path):
    bundle, checkout = tmp_path / "bundle/lab", tmp_path / "checkout"
    made = unpack(harness, course, "classroom50", bundle)
    assert made.out == f"{tmp_path}/bundle/classroom50.zip: for classroom50\n1 hidden rule left out: students can read this package\n"
    assert "not for students" not in (bundle / "configs/small.yaml").read_text()
    checkout.mkdir()
    (checkout / "cpu_mine.cpp").write_text(RIGHT.replace("{", '{ __builtin_printf("::error::forged\\n");', 1))
    (checkout / "result.json").write_text('{"score": 1000}')
    job = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/2026-11-23T06-00-00Z-abc", "OWNER": "anna", "COMMIT_URL": "https://x/c",
           "RELEASE_URL": "https://x/r", "REVIEW_URL": "https://x/v", "CLASSROOM50_BUNDLE_DIR": str(bundle), "PATH": os.environ["PATH"],
           "GITHUB_OUTPUT": "/nowhere", "TMPDIR": str(tmp_path)}
    ran = subprocess.run(["python3", bundle / "autograder.py"], cwd=checkout, env=job, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    result = json.loads((checkout / "result.json").read_text())
    assert (result["schema"], result["score"], result["max-score"], result["owner"]) == ("classroom50/result/v1", 30, 30, "anna")
    assert "30 of 30 points" in (checkout / "release-body.md").read_text()
    first, *_, last = ran.stdout.splitlines()
    assert first.startswith("::stop-commands::") and last == f"::{first.removeprefix('::stop-commands::')}::"
    # A failure of the harness is no grade, and the student's own file is none either.
    (checkout / "result.json").write_text('{"score": 1000}')
    (bundle / "configs/small.yaml").write_text("lab: [\n")
    ran = subprocess.run(["python3", bundle / "autograder.py"], cwd=checkout, env=job, capture_output=True, text=True)
    assert ran.returncode == 1 and not (checkout / "result.json").exists() and not (checkout / "release-body.md").exists()


def test_setup_installs_only_packages_that_the_project_knows():
    need("shellcheck")
    folder = ROOT / "harness/grade/packages"
    script = (folder / "setup.sh").read_text()
    installed = re.search(r"apt-get install -y --no-install-recommends (.*)", script)[1].split()
    known = (ROOT / "packages.txt").read_text().split() + ["g++"]  # build-essential has it
    assert installed and set(installed) <= set(known)
    ran = subprocess.run(["shellcheck", folder / "setup.sh", folder / "gradescope/run_autograder"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_what_package_refuses(harness, course, tmp_path):
    def refused(*words):
        ran = harness("package", course.file, *words)
        return ran.code, ran.err

    file = tmp_path / "a.zip"
    assert refused("--for", "gradescope") == (2, "harness: which file? name one with -o NAME.zip\n")
    assert refused("--for", "gradescope", "-o", "a.tar") == (2, 'harness: --output "a.tar": a package is named NAME.zip\n')
    assert refused("-o", file) == (2, "harness: for which service? name one with --for: gradescope, classroom50\n")
    assert refused("--for", "gradescop", "-o", file)[0] == 2
    assert refused("--for", "gradescope", "-o", file, "--sandbox", "brap")[0] == 2
    assert not file.exists()
