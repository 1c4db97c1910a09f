"""The attacks of the corpus: is each caught? And honest variants again and again on a busy machine. These tests run alone
(cmake/EndToEnd.cmake): some attacks only their times give away, and the busy machine would disturb others."""

import os
import subprocess
import sys

import pytest
from conftest import CORPUS, ROOT
from corpus_run import assert_all, assert_verdict, entries, own, run_folders


@pytest.fixture(scope="module")
def evil(harness, tmp_path_factory):
    return run_folders(harness, tmp_path_factory.mktemp("evil"), "evil")


@pytest.mark.parametrize("name", entries("evil"))
def test_verdict(evil, name):
    assert_verdict(evil.entries[name])


def test_the_summary(evil):
    assert_all(evil, "evil")
    of = evil.end["evil"]["of"]
    caught = of - sum(bool(entry["open"]) for entry in evil.entries.values())
    assert evil.end["summary"] == f"corpus: 0 of 0 correct accepted, 0 of 0 wrong rejected, {caught} of {of} evil caught"


# Sizes that take milliseconds, for every config that times CPU variants.
SMALL = {"lab5": 48, "ladder": 48, "dcu_gemm": 48, "cuda_tasks_conv": 32, "ladder_conv2d": 32}


@pytest.fixture
def busy():
    """Starts five processes, or twice as many as cores. They never wait."""
    all_of_them = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(max(5, 2 * os.cpu_count()))]
    yield
    for process in all_of_them:
        process.kill()
        process.wait()


@pytest.mark.parametrize("name", SMALL)
def test_no_variant_of_a_lab_is_accused_on_a_busy_machine(harness, tmp_path, busy, name):
    """GPU variants on the emulated device have no times, so they are only in the corpus test."""
    words = ["run", ROOT / f"configs/{name}.yaml", "--set", f"size={SMALL[name]}", "--variant", "cpu_*", "--results", tmp_path,
             "--no-report", "--json", "--fresh", "--budget", "5s"]
    ran = harness(*words)
    right = ("PASSED", "UNSTABLE", "THROTTLED")  # on a busy machine every time may scatter
    accused = [(case["id"], case["status"], case["reason"]) for case in ran.of("case")
               if case["status"] not in (*right, "SKIPPED")]
    assert accused == [] and ran.code == 0, ran.err
    assert any(case["status"] in right for case in ran.of("case"))


@pytest.mark.skipif("HARNESS_STRESS" not in os.environ, reason="minutes of a busy machine: set HARNESS_STRESS to run it")
def test_no_correct_variant_is_accused_on_a_busy_machine(harness, tmp_path, busy):
    (tmp_path / "correct").mkdir()
    for file in (*own("correct"), *(CORPUS / "correct").glob("*.yaml")):
        if file.suffix != ".cu":
            (tmp_path / "correct" / file.name).symlink_to(file)
    count = sum(file.suffix != ".cu" for file in own("correct"))
    ran = harness("selftest", "--corpus", tmp_path)
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert ran.out.splitlines()[-1].startswith(f"corpus: {count} of {count} correct accepted, ")
