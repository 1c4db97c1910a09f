"""A variant that misbehaves costs only its own case, and leaves nothing behind.

The files are from the corpus; test_corpus.py and test_evil.py check all verdicts with their reasons.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import CORPUS, ROOT

FILES = {"aborts": "CRASHED", "c_transposed": "WRONG", "detaches": "MISTRUSTED", "fills_tmp": "PASSED", "fork_bomb": "MISTRUSTED",
         "opens_socket": "PASSED", "plain": "PASSED", "prints_a_little": "PASSED",
         "prints_endlessly": "CRASHED", "spies": "PASSED", "throws": "CRASHED", "workflow_commands": "CRASHED",
         "writes_huge_file": "CRASHED", "writes_input": "INPUT_MODIFIED", "writes_past_end": "OUT_OF_BOUNDS"}


def source(name):
    return next(CORPUS.glob(f"*/{name}.cpp"))


@pytest.fixture(scope="module")
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


@pytest.fixture(scope="module")
def everything(lab, listener):
    """All of them in one run, with one of the lab's own variants."""
    work = lab(lab="hostile", flags={"cxx": ["-O1"]},
               resources={"case_time": "2s", "memory": "64MiB", "file_size": "8MiB", "processes": 50})
    for name in FILES:
        work.variant(name, source(name))
    work.sweep("cpu_baseline", *(name for name in FILES if name != "opens_socket"), size=24)
    work.sweep("opens_socket", name="network", size=24, PORT=listener.getsockname()[1])
    before = set(os.listdir("/tmp"))
    ran = work.run("--json", report=True)
    return SimpleNamespace(ran=ran, work=work, document=ran.document, new_in_tmp=set(os.listdir("/tmp")) - before,
                           report=work.results.folder / "hostile" / ran.document["run"]["id"],
                           cases={case["variant"]: case for case in ran.document["cases"]})


@pytest.mark.parametrize("name", FILES)
def test_each_gets_its_verdict(everything, name):
    assert everything.cases[name]["status"] == FILES[name], everything.cases[name]["reason"]


def test_no_time_for_a_wrong_result(everything):
    case = everything.cases["c_transposed"]
    assert case["metrics"] == {} and case["samples_ms"] == []


def test_the_run_goes_on_to_its_end(everything):
    assert everything.ran.code == 1 and everything.ran.err == ""
    assert everything.cases["cpu_baseline"]["status"] == "PASSED"
    assert everything.document["run"]["state"] == "complete"
    assert everything.ran.end["cancelled"] == 0
    passed = sum(status == "PASSED" for status in FILES.values())
    assert everything.ran.end["passed"] == 1 + passed
    assert everything.ran.end["failed"] == len(FILES) - passed
    report = (everything.report / "report.md").read_text()
    assert "it wrote to its input A" in report and "are the indices of C swapped?" in report


def test_printed_text_is_no_command_for_the_runner(everything):
    """GitHub Actions takes lines of a log for commands: "::" at the beginning of a line, "##[" anywhere."""
    log = everything.work.run("--variant", "workflow_commands")
    assert "title=Autograding report" in log.out and "set-output name=result" in log.out
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in log.out.splitlines())


def test_no_process_and_no_file_is_left(everything, living):
    assert living({build["key"] for build in everything.document["builds"]}) == set()
    assert [name for name in everything.new_in_tmp if name.startswith("harness-test-")] == []


def test_printed_text_is_shown_without_effect(everything):
    """The author needs the text of a failed assertion, so it is shown, and so is what a correct variant prints."""
    assert len(everything.ran.of("end")) == 1
    log = everything.work.run("--variant", "aborts", "--variant", "prints_a_little")
    assert "Assertion `g.m % 16 == 0' failed" in log.out
    assert "\x1b" not in log.out + log.err and "\n  | PASSED  all of it\n" in log.out and "\nPASSED  all" not in log.out
    html, markdown = (everything.report / "report.html").read_text(), (everything.report / "report.md").read_text()
    assert "g.m % 16 == 0" in html and "g.m % 16 == 0" in markdown
    assert "&lt;script&gt;alert(1)" in html and "<script>alert" not in html
    assert "\x1b" not in html + markdown


def test_the_text_of_an_exception_is_told(everything):
    assert everything.cases["throws"]["notes"] == [
        {"code": "printed", "arguments": {"output": "not written yet"}, "text": "it printed: not written yet"}]


def test_no_connection_was_made(everything, listener):
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_without_a_sandbox_the_spies_see_something(everything, listener):
    """Shows that without the sandbox they do see something. The launcher denies connections there, too."""
    ran = everything.work.run("--json", "--sandbox", "none", "--variant", "spies", "--variant", "opens_socket")
    ran.expect(1, spies="WRONG", opens_socket="PASSED")
    assert len(ran.cases) == 2
    with pytest.raises(BlockingIOError):
        listener.accept()


@pytest.fixture
def folder_for():
    """A copy of the project for another user, who cannot read ours."""
    folders = []

    def make(user):
        folder = Path(tempfile.mkdtemp(prefix="harness-for-others-"))
        folders.append(folder)
        for name in ("labs", "configs", "reference"):
            shutil.copytree(ROOT / name, folder / name)
        subprocess.run(["chown", "-R", user, folder], check=True)
        return folder

    yield make
    for folder in folders:
        shutil.rmtree(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="all of this file ran as an ordinary user")
@pytest.mark.parametrize("user, before, names", [
    ("nobody", ["setpriv", "--reuid=nobody", "--clear-groups"],
     ["breaks_out", "fills_shared_memory", "fork_bomb", "plain", "sees_other_processes", "spies", "writes_outside",
      "writes_past_end"]),
    ("root", ["unshare", "--map-root-user"], ["breaks_out", "plain", "sees_other_processes", "spies", "writes_past_end"]),
], ids=["an ordinary user", "root of a user namespace"])
def test_the_same_verdicts_as_another_user(harness, lab, folder_for, living, user, before, names):
    folder = folder_for(user)
    work = lab(folder / "configs", resources={"case_time": "2s", "processes": 50}, flags={"cxx": ["-O1"]}).sweep(*names, size=24)
    submission = folder / "submission"
    submission.mkdir()
    for file in (*map(source, names), CORPUS / "evil/honest.h", CORPUS / "wrong/right.h"):
        shutil.copy(file, submission)
    program = shutil.copy(harness.path, folder / "harness")
    words = [*before, program, "run", work.write(), "--submission", submission, "--no-report", "--json"]
    environment = {"PATH": os.environ["PATH"], "HARNESS_ROOT": str(folder)}
    ran = harness.finish(subprocess.Popen(words, cwd="/", env=environment, text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE))
    assert ran.err == ""
    ran.expect(1, **{name: FILES.get(name, "PASSED") for name in names})
    assert living([str(folder)]) == set()
