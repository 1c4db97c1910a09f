"""The workflows of docs/actions.md, run by act as GitHub's runner does. Only what needs a network is replaced: actions/* are small
local actions, and the repositories of the course lie in a folder."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CORPUS, QUICK, ROOT

ACT = Path(sys.executable).with_name("act")
RIGHT = CORPUS / "correct/my_ikj.cpp"
RULES = [{"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 20},
         {"name": "not for students", "rule": "correct", "variant": "cpu_mine", "where": {"size": 24}, "points": 7, "hidden": True}]
# Inputs with a default, and what each does instead of using the network.
ACTIONS = {
    "checkout@v6": ({"path": ".", "repository": "self", "ref": "", "persist-credentials": "true"},
                    'mkdir -p "$(dirname "${{ inputs.path }}")" && cp -rP "$SERVER_FOLDER/${{ inputs.repository }}" "${{ inputs.path }}"'),
    "cache@v5": ({"path": "", "key": "", "restore-keys": ""}, "test -n '${{ inputs.key }}'"),
    "cache/restore@v5": ({"path": "", "key": "", "restore-keys": ""}, "test -n '${{ inputs.key }}'"),
    "cache/save@v5": ({"path": "", "key": ""}, "test -n '${{ inputs.key }}'"),
    "upload-artifact@v6": ({"name": "", "path": "", "if-no-files-found": ""},
                           'mkdir "$SERVER_FOLDER/artifact" && cp -r ${{ inputs.path }} "$SERVER_FOLDER/artifact"'),
}


@pytest.fixture
def server(tmp_path, lab):
    """A folder with the repositories of a course, the harness among them."""
    folder = tmp_path / "server"
    for name, (inputs, script) in ACTIONS.items():
        repository, _, below = name.split("@")[0].partition("/")
        action = folder / "actions" / repository / below
        action.mkdir(parents=True, exist_ok=True)
        declared = "".join(f"  {word}: {{default: '{value}'}}\n" for word, value in inputs.items())
        (action / "action.yml").write_text(f"name: {name}\ninputs:\n{declared}runs:\n  using: composite\n  steps:\n    - shell: bash\n      run: |\n"
                                           f"        {script}\n")
    harness = folder / "OWNER/harness"
    (harness / "bin").mkdir(parents=True)
    # The launcher would build the program; the program under test is built.
    (harness / "bin/harness").write_text(f'#!/bin/sh\nHARNESS_ROOT={ROOT} exec {os.environ["HARNESS_BUILD"]}/harness "$@"\n')
    (harness / "bin/harness").chmod(0o755)
    shutil.copytree(ROOT / ".github", harness / ".github")
    shutil.copy(ROOT / "action.yml", harness)
    for name in (".venv", "reports"):
        (harness / name).symlink_to(ROOT / name)
    course = lab(tmp_path / "course", measure=QUICK, grade={"rules": RULES})
    course.sweep("cpu_mine", name="sizes", size=[16, 24])
    (folder / "OWNER/labs").mkdir()
    shutil.copy(course.write(), folder / "OWNER/labs/matmul.yaml")
    return folder


def act(server: Path, event: str, workflow: str, *words):
    """Runs the only workflow of a repository."""
    repository = server / "self"
    (repository / ".github/workflows").mkdir(parents=True)
    (repository / ".github/workflows/grade.yml").write_text(workflow)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    local = [f"--local-repository=actions/{name.split('/')[0].split('@')[0]}@{name.split('@')[1]}={server}/actions/{name.split('/')[0].split('@')[0]}"
             for name in ACTIONS]
    return subprocess.run([ACT, event, "--platform=ubuntu-24.04=-self-hosted", "--no-skip-checkout", *local,
                           f"--local-repository=OWNER/harness@main={server}/OWNER/harness", f"--env=SERVER_FOLDER={server}", *words],
                          cwd=repository, capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": str(server.parent / "cache")})


def in_the_docs(number: int) -> str:
    return re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/actions.md").read_text(), re.S)[number]


def test_a_push_of_a_student(server):
    (server / "self").mkdir()
    shutil.copy(RIGHT, server / "self/cpu_mine.cpp")
    ran = act(server, "push", in_the_docs(0))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "::set-output:: points=20\n" in ran.stdout and "**20 of 20 points**" in ran.stdout
    assert "20 of 20 points" in (server / "artifact/feedback/feedback.md").read_text()


def test_a_class_of_a_teacher(server):
    (server / "self").mkdir()
    for student, source in (("anna", RIGHT), ("ben", CORPUS / "wrong/zeros.cpp")):
        repository = server / f"OWNER/lab-{student}"
        repository.mkdir()
        shutil.copy(source, repository / "cpu_mine.cpp")
        for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=repository, check=True)
    shutil.copy(server / "OWNER/labs/matmul.yaml", server / "self")
    (server / "self/class.csv").write_text("id,repository\nanna,OWNER/lab-anna\nben,OWNER/lab-ben\n")
    (server / "self/roster.csv").write_text("id,name\nanna,Anna\nben,Ben\n")
    workflow = in_the_docs(1).replace("        --marks=course/marks.csv\n", "")
    ran = act(server, "workflow_dispatch", workflow, "--secret=STUDENTS_TOKEN=x", f"--env=SERVER=file://{server}")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    grades = (server / "artifact/grades/grades.csv").read_text()
    assert re.search(r"^anna,.*\b27\b", grades, re.M) and re.search(r"^ben,.*,0\b", grades, re.M), grades
