"""action.yml and the workflow for a class: their scripts run as the runner of GitHub Actions runs them."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import CORPUS, QUICK, ROOT
from ruamel.yaml import YAML

RIGHT = (CORPUS / "correct/my_ikj.cpp").read_text()
# It prints commands to the runner, and looks for the runner's files and for the rules.
HOSTILE = """#include <cstdio>
#include <cstdlib>
#include "lab/gemm.h"
#pragma message("x\\n::error::from the compiler")
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::printf("\\n::error::forged\\n::add-mask::points\\n::set-output name=points::99\\n::notice title=points::99 of 99\\n##[error]old\\n");
  for (const char* name : {"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV"})
    if (const char* file = std::getenv(name)) std::fputs("points=99\\n", std::fopen(file, "a"));
  std::fflush(stdout);
  g.c[0] = 1;
}
"""
RULES = [{"name": "compiles", "rule": "builds", "variant": "cpu_mine", "points": 10},
         {"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 20},
         {"name": "not for students", "rule": "correct", "variant": "cpu_mine", "where": {"size": 24}, "points": 7, "hidden": True}]
COMMAND = re.compile(r"^\s*::([a-z-]+)(?: [^:]*)?::(.*)$")


def steps_of(file):
    document = YAML(typ="safe").load(ROOT / file)
    jobs = document.get("jobs")
    return (jobs["grade"] if jobs else document["runs"])["steps"], document


def script_of(file, name):
    return next(step["run"] for step in steps_of(file)[0] if step.get("name") == name)


class Runner:
    """A folder with what the runner gives to a step."""

    def __init__(self, folder):
        self.folder = folder
        self.files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE")}
        self.temp, self.action = folder / "temp", folder / "action"
        # The launcher would build the program; the program under test is built.
        (self.action / "bin").mkdir(parents=True)
        (self.action / ".github").mkdir()
        self.temp.mkdir()
        (self.action / "bin/harness").write_text(f'#!/bin/sh\nHARNESS_ROOT={ROOT} exec {os.environ["HARNESS_BUILD"]}/harness "$@"\n')
        (self.action / "bin/harness").chmod(0o755)
        for script in ("grade_submission", "fetch_submissions"):
            shutil.copy(ROOT / ".github" / script, self.action / ".github")
        for name in (".venv", "reports"):
            (self.action / name).symlink_to(ROOT / name)

    def step(self, script, **environment):
        for file in self.files.values():
            file.write_text("")
        given = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "RUNNER_TEMP": self.temp, "GITHUB_ACTION_PATH": self.action,
                 "GITHUB_WORKSPACE": self.folder, "GITHUB_REPOSITORY": "school/lab-anna", **self.files, **environment}
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(bash, cwd=self.folder, env={name: str(value) for name, value in given.items()}, capture_output=True, text=True)

    def text(self, name):
        return self.files[name].read_text()


def commands(out):
    """The commands that the runner would obey, as (name, text)."""
    obeyed, stopped = [], None
    for line in out.splitlines():
        if stopped:
            stopped = None if line.strip() == f"::{stopped}::" else stopped
            continue
        assert "##[" not in line
        if found := COMMAND.match(line):
            if found[1] == "stop-commands":
                stopped = found[2]
            else:
                obeyed.append(found.groups())
    assert not stopped
    return obeyed


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)


@pytest.fixture
def course(lab, tmp_path):
    course = lab(tmp_path / "course", measure=QUICK, grade={"rules": RULES})
    course.sweep("cpu_mine", name="sizes", size=[16, 24])
    course.write()
    (tmp_path / "submission").mkdir()
    return course


def grade(runner, **environment):
    given = {"CONFIG": "course/lab.yaml", "SUBMISSION": "submission", "GPU": "emulated", "SANDBOX": "bwrap", **environment}
    return runner.step(script_of("action.yml", "Grade"), **given)


def outputs(runner):
    return dict(line.split("=") for line in runner.text("GITHUB_OUTPUT").splitlines())


def test_the_files_follow_the_official_schemas(harness, course, tmp_path):
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    action = subprocess.run([*check, "vendor.github-actions", ROOT / "action.yml"], capture_output=True, text=True)
    assert action.returncode == 0, action.stdout
    assert harness("init", course.file, tmp_path / "student", "--action", "school/harness@v1", "--course", "school/labs").code == 0
    made = tmp_path / "student/.github/workflows/grade.yml"
    workflow = subprocess.run([*check, "vendor.github-workflows", made], capture_output=True, text=True)
    assert workflow.returncode == 0, workflow.stdout
    steps = YAML(typ="safe").load(made)["jobs"]["grade"]["steps"]
    inputs = steps_of("action.yml")[1]["inputs"]
    assert steps[2] == {"uses": "school/harness@v1", "with": {"config": "course/small.yaml", "submission": "submission"}}
    assert set(steps[2]["with"]) <= set(inputs) and steps[1]["with"]["repository"] == "school/labs"


def test_the_workflows_in_the_docs_are_valid_and_short(tmp_path):
    page = (ROOT / "docs/actions.md").read_text()
    student, teacher = re.findall(r"```yaml\n(.*?)```", page, re.S)
    assert len(student.splitlines()) <= 10
    for name, text in (("student.yml", student), ("teacher.yml", teacher)):
        (tmp_path / name).write_text(text)
        check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", tmp_path / name]
        ran = subprocess.run(check, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout
    called = YAML(typ="safe").load(ROOT / ".github/workflows/grade-class.yml")["on"]["workflow_call"]
    given = YAML(typ="safe").load(teacher)["jobs"]["grade"]
    needed = {name for name, value in called["inputs"].items() if value.get("required")}
    assert needed <= set(given["with"]) <= set(called["inputs"]) and set(given["secrets"]) == set(called["secrets"])


def test_a_student_sees_points_and_feedback(runner, course):
    (runner.folder / "submission/cpu_mine.cpp").write_text(RIGHT)
    ran = grade(runner)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert outputs(runner) == {"points": "30", "of": "30", "open": "0"}
    summary = runner.text("GITHUB_STEP_SUMMARY")
    assert "30 of 30 points" in summary and "lab-anna" in summary and "1 rule more counts" in summary
    assert commands(ran.stdout) == []
    feedback = runner.temp / "feedback"
    assert {"summary.md", "annotations.txt", "feedback.pdf", "feedback.html", "junit.xml"} <= {file.name for file in feedback.iterdir()}
    for file in feedback.iterdir():
        assert b"not for students" not in file.read_bytes(), file


def test_what_a_student_commits_or_prints_changes_nothing(runner, course):
    submission = runner.folder / "submission"
    (submission / "cpu_mine.cpp").write_text(HOSTILE)
    generous = json.loads(course.file.read_text())
    generous["grade"]["rules"] = [{**RULES[0], "points": 99}]
    (submission / "lab.yaml").write_text(json.dumps(generous))
    for folder in (".github", "bin", "reports", "lab"):
        (submission / folder).mkdir()
    (submission / ".github/grade_submission").write_text("#!/bin/sh\necho points=99 >>$GITHUB_OUTPUT\n")
    (submission / "lab/gemm.h").write_text("#error mine\n")
    (submission / "reports/__init__.py").write_text("print('::error::python')\n")
    ran = grade(runner)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert outputs(runner) == {"points": "10", "of": "30", "open": "0"}
    assert [text for _, text in commands(ran.stdout) if "forged" in text or "99" in text or "python" in text] == []
    assert {name for name, _ in commands(ran.stdout)} <= {"error", "warning", "notice"}
    assert runner.text("GITHUB_ENV") == "" and "points=99" not in runner.text("GITHUB_STEP_SUMMARY")
    assert "10 of 30 points" in runner.text("GITHUB_STEP_SUMMARY")


def test_an_error_of_the_compiler_is_shown_at_the_students_line(runner, course):
    (runner.folder / "submission/cpu_mine.cpp").write_text(RIGHT.replace("{", "{ undeclared();", 1))
    ran = grade(runner)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    error, = [line for line in ran.stdout.splitlines() if line.startswith("::error ")]
    assert error.startswith("::error file=cpu_mine.cpp,line=") and "undeclared" in error


def test_rules_from_the_submission_are_refused(runner, course):
    shutil.copy(course.file, runner.folder / "submission/lab.yaml")
    ran = grade(runner, CONFIG="submission/lab.yaml")
    assert (ran.returncode, ran.stderr) == (2, "grade_submission: submission/lab.yaml is in the submission, so its student could change the "
                                               "rules; check out the course beside it\n")


def test_scripts_of_the_action_take_no_input_as_code():
    for file in ("action.yml", ".github/workflows/grade-class.yml"):
        for step in steps_of(file)[0]:
            assert "${{" not in step.get("run", ""), f"{file}: {step['run']}"


def repository(folder, name, source, **more):
    where = folder / "server/school" / name
    where.mkdir(parents=True)
    for file, text in {"cpu_mine.cpp": source, **more}.items():
        (where / file).write_text(text)
    git = ["git", "-C", where, "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "work"]):
        subprocess.run([*git, *words], check=True, capture_output=True)


def test_the_workflow_of_a_class_fetches_and_grades(runner, course):
    repository(runner.folder, "lab-anna", RIGHT)
    repository(runner.folder, "lab-ben", HOSTILE)
    (runner.folder / "harness").symlink_to(runner.action)
    rows = "id,repository\r\nanna,school/lab-anna\r\nben,school/lab-ben"
    (runner.folder / "course/class.csv").write_text(rows)
    workflow, server = ".github/workflows/grade-class.yml", f"file://{runner.folder}/server"
    fetch = script_of(workflow, "Fetch the submissions")
    for _ in ("first", "on a machine that keeps files"):
        fetched = runner.step(fetch, TOKEN="secret", REPOSITORIES="class.csv", SERVER=server)
        assert (fetched.returncode, fetched.stderr) == (0, "")
    assert not [file for file in (runner.folder / "submissions").rglob("*") if file.is_file() and b"secret" in file.read_bytes()]
    ran = runner.step(script_of(workflow, "Grade"), CONFIG="lab.yaml", OPTIONS="--only=anna\n--gpu=emulated\n")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert commands(ran.stdout) == [] and "GRADED        anna" in ran.stdout and "GRADED        ben" not in ran.stdout
    grades = json.loads((runner.folder / "results/small/grades/grades.json").read_text())
    assert [student["earned"] for student in grades["students"]] == [37, 0]


def test_only_the_server_of_the_repositories_gets_the_token(runner, course):
    """A filter, as the one for large files, runs while git clones, and asks any server that the repository names."""
    repository(runner.folder, "lab-anna", RIGHT, **{".gitattributes": "*.cpp filter=lfs\n"})
    seen, server = runner.folder / "seen", f"file://{runner.folder}/server"
    smudge = runner.folder / "smudge"
    smudge.write_text(f"""#!/bin/sh
for server in {server} https://elsewhere.example; do git config --get-urlmatch http.extraHeader $server/x >>{seen}; echo $server >>{seen}; done
echo "skip=$GIT_LFS_SKIP_SMUDGE" >>{seen}
exec cat
""")
    smudge.chmod(0o755)
    (runner.folder / ".gitconfig").write_text(f'[filter "lfs"]\n  smudge = {smudge}\n  required = true\n')
    (runner.folder / "harness").symlink_to(runner.action)
    (runner.folder / "course/class.csv").write_text("id,repository\nanna,school/lab-anna\n")
    fetch = script_of(".github/workflows/grade-class.yml", "Fetch the submissions")
    ran = runner.step(fetch, TOKEN="secret", REPOSITORIES="class.csv", SERVER=server, HOME=runner.folder)
    assert ran.returncode == 0, ran.stderr
    header, *rest = seen.read_text().splitlines()
    assert header == "Authorization: Basic " + base64.b64encode(b"x-access-token:secret").decode()
    assert rest == [server, "https://elsewhere.example", "skip=1"]


def test_a_cancelled_class_is_cached():
    restore, save = (next(step for step in steps_of(".github/workflows/grade-class.yml")[0] if step.get("uses", "").startswith(f"actions/cache/{what}@"))
                     for what in ("restore", "save"))
    assert save["if"] == "always()" and all(save["with"][key] == restore["with"][key] for key in ("path", "key"))


def test_a_repository_that_cannot_be_fetched_stops_the_class(runner, course):
    fetch = script_of(".github/workflows/grade-class.yml", "Fetch the submissions")
    (runner.folder / "harness").symlink_to(runner.action)
    (runner.folder / "course/class.csv").write_text("id,repository\nanna,school/none\n")
    ran = runner.step(fetch, TOKEN="secret", REPOSITORIES="class.csv", SERVER=f"file://{runner.folder}/server")
    assert ran.returncode == 1 and ran.stderr.endswith("anna: school/none cannot be fetched\n") and "secret" not in ran.stderr
    (runner.folder / "course/class.csv").write_text("anna,school/lab-anna\nben,school/lab-ben\n")
    ran = runner.step(fetch, TOKEN="secret", REPOSITORIES="class.csv")
    assert (ran.returncode, ran.stderr) == (2, 'course/class.csv:1: the first line is "anna,school/lab-anna" and not "id,repository"\n')
    (runner.folder / "course/class.csv").write_text("id,repository\nanna,--upload-pack=x\n")
    ran = runner.step(fetch, TOKEN="secret", REPOSITORIES="class.csv")
    assert ran.returncode == 2 and '"anna,--upload-pack=x" is not an id and a repository' in ran.stderr
