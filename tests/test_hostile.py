"""Variants that misbehave in every way a student's code can: each costs its own case, and the reason says why.

The tables below name every file of tests/variants/hostile and tests/variants/wrong.
"""

import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import QUICK, ROOT

# A first line in common: every target is tried on the smallest shape first.
FIRST = "on m=1 n=1 k=1: "
HOSTILE = {
    "aborts": ("CRASHED", FIRST + r"abort \(a failed assertion.*\) while it ran.*"),
    "allocates_endlessly": ("OUT_OF_MEMORY", FIRST + r"the variant ran out of memory \(bad_alloc\).*"),
    "answers_itself": ("CRASHED", FIRST + r"its process answered nonsense: did it write to descriptor 3\?"),
    "asks_for_too_much": ("OUT_OF_MEMORY", r".*no memory for the work space"),
    "closes_everything": ("CRASHED", FIRST + r"the process ended by itself with exit status 0 while it ran"),
    "detaches": ("CRASHED", FIRST + r"the process ended by itself with exit status 0 while it ran"),
    "divides_by_zero": ("CRASHED", FIRST + r"arithmetic error \(integer division by zero\?\) while it ran"),
    "endless_loop": ("TIMEOUT", FIRST + r"no answer after 2 s while it ran"),
    "exits": ("CRASHED", FIRST + r"the process ended by itself with exit status 0 while it ran"),
    "exits_when_loaded": ("CRASHED", r"the process ended by itself with exit status 0 while it was loaded"),
    "fills_tmp": ("PASSED", ""),  # it met the end of its own /tmp
    "frees_twice": ("CRASHED", FIRST + r"abort \(.*a corrupted heap.*\) while it ran.*"),
    "fork_bomb": ("TIMEOUT", FIRST + r"no answer after 2 s while it ran"),
    "honest": ("PASSED", ""),
    "null_pointer": ("CRASHED", FIRST + r"segmentation fault while it ran: a null pointer\?"),
    "opens_socket": ("PASSED", ""),  # nobody answered
    "prints_a_little": ("PASSED", ""),
    "prints_endlessly": ("CRASHED", FIRST + r"it printed more than 16 MiB and was stopped.*"),
    "reads_far_past_end": ("OUT_OF_BOUNDS",
                           FIRST + r"it touched memory 8192 bytes past the end of A \(1 x 1, 4 bytes\)"),
    "reads_past_end": ("WRONG", FIRST + r"1 of 1 cells differs, first C\[0\]\[0\]: got NaN, want -?\d+; "
                       r"every wrong cell is NaN or infinite: is memory read that was not set, or the padding "
                       r"behind a row\?"),
    "sleeps": ("TIMEOUT", FIRST + r"no answer after 2 s while it ran"),
    "spies": ("PASSED", ""),  # it saw nothing
    "stack_overflow": ("CRASHED", FIRST + r"segmentation fault while it ran.*"),
    "starts_threads": ("PASSED", ""),  # it met its limit
    "throws": ("CRASHED", FIRST + r"the variant threw an exception.*"),
    "writes_before_start": ("OUT_OF_BOUNDS", FIRST + r"it touched memory 4096 bytes before the start of C"),
    "writes_huge_file": ("CRASHED", FIRST + r"it wrote a file beyond the size limit while it ran"),
    "writes_input": ("INPUT_MODIFIED", FIRST + r"it wrote to its input A, at row 0, column 0"),
    "writes_past_end": ("OUT_OF_BOUNDS", FIRST + r"4 bytes were written after the end of C"),
}
# What the message asks or says at its end.
WRONG = {
    "b_transposed": "every cell equals A * transpose(B): are the indices of B swapped?",
    "beta_ignored": "every cell is as if beta were 0: is beta ignored?",
    "c_transposed": "every cell equals the transpose of A * B: are the indices of C swapped?",
    "half_precision": "every cell is as if A and B had 11 significant bits: are they rounded to TF32 or half?",
    "indices_swapped": "are the indices of B swapped?",
    "last_step_missing": "every cell lacks the last step of 64: does the k loop end too early?",
    "lda_ignored": "every cell is as if rows of A were k elements apart: is lda ignored?",
    "nans": "every wrong cell is NaN or infinite: is memory read that was not set, or the padding behind a row?",
    "reads_c": "was it written, or is C read, which is output only?",
    "tail_missing": "every wrong cell lies in the last column",
    "writes_nothing": "every wrong cell still holds the NaN from before: was it written, or is C read, which is "
                      "output only?",
    "zeros": "every wrong cell is 0",
    "right_at_first": "output of a timed call, on m=24 n=24 k=24: 1 of 576 cells differs, first C[0][0]: got 0, ",
}


def run_all(harness, lab, results, variants, folder, port):
    """All of them in one run, with a lab's own variant beside them."""
    submission = folder / "submission"
    submission.mkdir()
    names = []
    for source in sorted((*variants.glob("hostile/*"), *variants.glob("wrong/*"))):
        (submission / source.name).symlink_to(source)
        names += [source.stem] if source.suffix == ".cpp" else []
    sweeps = [{"name": "all", "variants": ["cpu_baseline", *(name for name in names if name != "opens_socket")],
               "axes": {"size": 24}},
              {"name": "network", "variants": ["opens_socket"], "axes": {"size": 24, "PORT": port}}]
    limits = {"case_time": "2s", "memory": "64MiB", "file_size": "8MiB", "processes": 50}
    config = lab(folder, lab="hostile", sweeps=sweeps, limits=limits, flags={"cxx": ["-O1"]}, measure=QUICK)
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
def everything(harness, lab, results, variants, tmp_path_factory, listener):
    return run_all(harness, lab, results, variants, tmp_path_factory.mktemp("hostile"), listener.getsockname()[1])


def test_the_tables_name_every_file(variants):
    assert set(HOSTILE) == {file.stem for file in variants.glob("hostile/*.cpp")}
    assert set(WRONG) == {file.stem for file in variants.glob("wrong/*.cpp")}


@pytest.mark.parametrize("name", HOSTILE)
def test_status_and_reason(everything, name):
    status, reason = HOSTILE[name]
    case = everything.cases[name]
    assert case["status"] == status, case["reason"]
    assert re.fullmatch(reason, case["reason"], re.S), case["reason"]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result_is_told_with_its_pattern(everything, name):
    case = everything.cases[name]
    assert case["status"] == "WRONG", case["reason"]
    assert re.match(r"(output of a timed call, )?on m=\d+ n=\d+ k=\d+.*: \d+ of \d+ cells differs?, "
                    r"first C\[\d+\]\[\d+\]: got ", case["reason"]), case["reason"]
    assert WRONG[name] in case["reason"]
    assert case["metrics"] == {} and case["samples_ms"] == []  # no time for a wrong result


def test_the_run_goes_on_to_its_end(everything):
    assert everything.ran.code == 1 and everything.ran.err == ""
    assert everything.cases["cpu_baseline"]["status"] == "PASSED"
    assert everything.document["run"]["state"] == "complete"
    assert everything.ran.end["cancelled"] == 0
    assert everything.ran.end["passed"] == 1 + sum(status == "PASSED" for status, _ in HOSTILE.values())
    assert everything.ran.end["failed"] == len(HOSTILE) + len(WRONG) + 1 - everything.ran.end["passed"]
    report = (everything.folder / "results/hostile" / everything.document["run"]["id"] / "report.md").read_text()
    assert "it wrote to its input A" in report and "are the indices of C swapped?" in report


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
    assert everything.cases["throws"]["notes"] == ["it printed: not written yet"]


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
    ("nobody", ["setpriv", "--reuid=nobody", "--clear-groups"], ["fork_bomb", "honest", "spies", "writes_past_end"]),
    ("root", ["unshare", "--map-root-user"], ["honest", "spies", "writes_past_end"]),
], ids=["an ordinary user", "root of a user namespace"])
def test_the_same_as_others(harness, lab, variants, folder_for, living, user, before, names):
    folder = folder_for(user)
    submission = folder / "submission"
    submission.mkdir()
    for name in (*(f"{name}.cpp" for name in names), "right.h"):
        shutil.copy(variants / "hostile" / name, submission)
    config = lab(folder / "configs", sweeps=[{"name": "all", "variants": names, "axes": {"size": 24}}],
                 measure=QUICK, limits={"case_time": "2s", "processes": 50}, flags={"cxx": ["-O1"]})
    program = shutil.copy(harness.path, folder / "harness")
    words = [*before, program, "run", config, "--submission", submission, "--no-report", "--json"]
    environment = {"PATH": os.environ["PATH"], "HARNESS_ROOT": str(folder)}
    ran = harness.finish(subprocess.Popen(words, cwd="/", env=environment, text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE))
    assert (ran.code, ran.err) == (1, "")
    said = {case["variant"]: (case["status"], case["reason"]) for case in ran.cases.values()}
    for name in names:
        assert said[name][0] == HOSTILE[name][0], said[name]
        assert re.fullmatch(HOSTILE[name][1], said[name][1], re.S)
    assert living([str(folder)]) == set()
