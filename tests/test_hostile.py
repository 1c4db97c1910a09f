"""What a variant that misbehaves costs the others, and what is left of it: nothing. The verdicts themselves, each with its
reason, are those of the corpus (test_corpus.py); these are some of its files."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import QUICK, ROOT

CORPUS = ROOT / "tests/corpus"
FILES = {"aborts": "CRASHED", "c_transposed": "WRONG", "detaches": "CRASHED", "fills_tmp": "PASSED", "fork_bomb": "TIMEOUT",
         "opens_socket": "PASSED", "plain": "PASSED", "prints_a_little": "PASSED",
         "prints_endlessly": "CRASHED", "spies": "PASSED", "throws": "CRASHED", "workflow_commands": "CRASHED",
         "writes_huge_file": "CRASHED", "writes_input": "INPUT_MODIFIED", "writes_past_end": "OUT_OF_BOUNDS"}


def source(name):
    return next(CORPUS.glob(f"*/{name}.cpp"))


def run_all(harness, lab, results, folder, port):
    """All of them in one run, with a lab's own variant beside them."""
    submission = folder / "submission"
    submission.mkdir()
    for name in FILES:
        (submission / f"{name}.cpp").symlink_to(source(name))
    sweeps = [{"name": "all", "variants": ["cpu_baseline", *(name for name in FILES if name != "opens_socket")],
               "axes": {"size": 24}},
              {"name": "network", "variants": ["opens_socket"], "axes": {"size": 24, "PORT": port}}]
    limits = {"case_time": "2s", "memory": "64MiB", "file_size": "8MiB", "processes": 50}
    config = lab(folder, lab="hostile", sweeps=sweeps, resources=limits, flags={"cxx": ["-O1"]}, measure=QUICK)
    words = ["run", config, "--submission", submission, "--results", folder / "results", "--json"]
    before = set(os.listdir("/tmp"))
    ran = harness(*words)
    document = results(folder / "results").run_json("hostile")
    return SimpleNamespace(ran=ran, words=words, document=document, new_in_tmp=set(os.listdir("/tmp")) - before,
                           folder=folder, cases={case["variant"]: case for case in document["cases"]})


@pytest.fixture(scope="module")
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


@pytest.fixture(scope="module")
def everything(harness, lab, results, tmp_path_factory, listener):
    return run_all(harness, lab, results, tmp_path_factory.mktemp("hostile"), listener.getsockname()[1])


@pytest.mark.parametrize("name", FILES)
def test_each_has_its_own_verdict(everything, name):
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
    report = (everything.folder / "results/hostile" / everything.document["run"]["id"] / "report.md").read_text()
    assert "it wrote to its input A" in report and "are the indices of C swapped?" in report


def test_the_log_obeys_none_of_them(everything, harness):
    """GitHub Actions takes lines of a log for commands: "::" at the beginning of a line, "##[" anywhere."""
    words = [word for word in everything.words if word != "--json"]
    log = harness(*words, "--no-report", "--variant", "workflow_commands")
    assert "title=Autograding report" in log.out and "set-output name=result" in log.out
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in log.out.splitlines())


def test_nothing_of_them_is_left(everything, living):
    assert living({build["key"] for build in everything.document["builds"]}) == set()
    assert [name for name in everything.new_in_tmp if name.startswith("harness-test-")] == []


def test_what_they_print_is_shown_where_it_helps_and_does_nothing(everything, harness):
    """The sentence of a failed assertion is what its author needs. What a good variant prints is nobody's business."""
    assert "owned" not in everything.ran.out and len(everything.ran.of("end")) == 1
    words = [word for word in everything.words if word != "--json"]
    log = harness(*words, "--no-report", "--variant", "aborts", "--variant", "prints_a_little")
    assert "Assertion `g.m % 16 == 0' failed" in log.out
    assert "\x1b" not in log.out + log.err and "owned" not in log.out
    report = everything.folder / "results/hostile" / everything.document["run"]["id"]
    html, markdown = (report / "report.html").read_text(), (report / "report.md").read_text()
    assert "g.m % 16 == 0" in html and "g.m % 16 == 0" in markdown
    assert "&lt;script&gt;alert(1)" in html and "<script>alert" not in html
    assert "\x1b" not in html + markdown


def test_the_text_of_an_exception_is_told(everything):
    assert everything.cases["throws"]["notes"] == [
        {"code": "printed", "arguments": {"output": "not written yet"}, "text": "it printed: not written yet"}]


def test_nobody_was_called(everything, listener):
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_without_a_sandbox_the_spies_see_something(everything, harness, listener):
    """That they see nothing in it is worth something only if they would see what is there."""
    ran = harness(*everything.words, "--sandbox", "none", "--no-report", "--variant", "spies", "--variant",
                  "opens_socket")
    assert ran.code == 1
    assert {event["variant"]: event["status"] for event in ran.of("case")} == {"spies": "WRONG",
                                                                               "opens_socket": "WRONG"}
    listener.accept()[0].close()


@pytest.fixture
def folder_for():
    """A project of their own for others than us, who see nothing of ours."""
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
def test_the_same_as_others(harness, lab, folder_for, living, user, before, names):
    folder = folder_for(user)
    submission = folder / "submission"
    submission.mkdir()
    for file in (*map(source, names), CORPUS / "evil/honest.h", CORPUS / "wrong/right.h"):
        shutil.copy(file, submission)
    config = lab(folder / "configs", sweeps=[{"name": "all", "variants": names, "axes": {"size": 24}}],
                 measure=QUICK, resources={"case_time": "2s", "processes": 50}, flags={"cxx": ["-O1"]})
    program = shutil.copy(harness.path, folder / "harness")
    words = [*before, program, "run", config, "--submission", submission, "--no-report", "--json"]
    environment = {"PATH": os.environ["PATH"], "HARNESS_ROOT": str(folder)}
    ran = harness.finish(subprocess.Popen(words, cwd="/", env=environment, text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE))
    assert (ran.code, ran.err) == (1, "")
    said = {case["variant"]: (case["status"], case["reason"]) for case in ran.cases.values()}
    for name in names:
        assert said[name][0] == FILES.get(name, "PASSED"), said[name]
    assert living([str(folder)]) == set()
