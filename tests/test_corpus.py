"""The corpus: does the harness catch what it must, and accuse nobody else? One run of `harness selftest --corpus`, each
verdict a test; and honest variants again and again on a busy machine."""

import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from conftest import QUICK, ROOT, head_of

CORPUS = ROOT / "tests/corpus"
PLANTED = sorted((ROOT / "emulator/planted").glob("*.cu"))
LABS = sorted((ROOT / "labs").glob("*/*pu_*.c*"))


def own(folder):
    return [file for file in sorted((CORPUS / folder).iterdir()) if file.suffix in (".cpp", ".cu", ".c")]


# Labels as the program prints them.
ENTRIES = [f"{folder}/{file.name}" for folder in ("correct", "wrong", "evil") for file in own(folder)]
ENTRIES += [f"wrong/planted/{file.name}" for file in PLANTED]
ENTRIES += [f"correct/{file.parent.name}/{file.name}" for file in LABS]


@pytest.fixture(scope="module")
def corpus(harness):
    ran = harness.finish(harness.start("selftest", "--corpus", "--json"), timeout=1500)
    assert ran.err == ""
    return SimpleNamespace(ran=ran, entries={e["entry"]: e for e in ran.of("entry")}, end=ran.of("corpus")[0])


def test_there_are_enough_of_them():
    assert len(own("correct")) + len(LABS) >= 25 and len(PLANTED) >= 25
    assert len(own("wrong")) >= 40 and len(own("evil")) >= 45
    assert {head_of(file)["Class"] for file in own("evil")} == set("ABCDEF")


def test_the_run_names_every_file(corpus):
    assert set(corpus.entries) == set(ENTRIES)


@pytest.mark.parametrize("name", ENTRIES)
def test_verdict(corpus, name):
    entry = corpus.entries[name]
    if entry["open"]:
        assert not entry["as_expected"], "it is caught now: take its line \"// Open:\" out"
    else:
        assert entry["as_expected"], (entry["expected"], entry["got"], entry["reason"])


def test_the_summary(corpus):
    assert corpus.end["disturbed"] == []
    is_open = [entry for entry in corpus.entries.values() if entry["open"]]
    assert corpus.end["as_expected"] == (not is_open) and corpus.ran.code == (1 if is_open else 0)
    counts = {folder: corpus.end[folder] for folder in ("correct", "wrong", "evil")}
    correct, wrong, evil = (counts[folder]["of"] for folder in ("correct", "wrong", "evil"))
    assert [count["as_expected"] for count in counts.values()] == [correct, wrong, evil - len(is_open)]
    assert wrong == len(own("wrong")) + len(PLANTED) - counts["wrong"]["left_out"]
    assert corpus.end["summary"] == (f"corpus: {correct} of {correct} correct accepted, {wrong} of {wrong} wrong rejected, "
                                     f"{evil - len(is_open)} of {evil} evil caught")


@pytest.fixture
def small_corpus(tmp_path):
    """A corpus of two files: one verdict is right, the other is not."""
    config = {"lab": "small", "kernel": "gemm", "measure": QUICK,
              "sweeps": [{"name": "all", "variants": ["*"], "axes": {"size": 16}}]}
    (tmp_path / "gemm.yaml").write_text(json.dumps(config))
    for name in ("correct/plain.cpp", "wrong/zeros.cpp"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text((CORPUS / name).read_text())
    return tmp_path


def test_a_verdict_that_is_not_met_is_shown(harness, small_corpus):
    ran = harness("selftest", "--corpus", small_corpus)
    assert ran.out.splitlines()[-1] == "corpus: 1 of 1 correct accepted, 1 of 1 wrong rejected, 0 of 0 evil caught", ran.out
    zeros = (small_corpus / "wrong/zeros.cpp").read_text()
    (small_corpus / "wrong/zeros.cpp").write_text(zeros.replace("WRONG", "TIMEOUT"))
    (small_corpus / "correct/plain.cpp").write_text(re.sub("// (Caught|Says).*\n", "", zeros))
    ran = harness("selftest", "--corpus", small_corpus)
    lines = ran.out.splitlines()
    assert ran.code == 1
    assert re.match(r"ACCUSED  correct/plain\.cpp   PASSED  WRONG          on m=", lines[0])
    assert re.match(r"MISSED   wrong/zeros\.cpp     TIMEOUT WRONG          on m=", lines[1])
    assert lines[-1] == "corpus: 0 of 1 correct accepted, 0 of 1 wrong rejected, 0 of 0 evil caught"


def test_a_head_that_is_not_understood_is_refused(harness, small_corpus):
    file = small_corpus / "wrong/zeros.cpp"
    file.write_text(file.read_text().replace("WRONG", "WORNG"))
    ran = harness("selftest", "--corpus", small_corpus)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f'harness: {file}:2:15: unknown status "WORNG" (did you mean "WRONG"?); there are PASSED, ')
    assert harness("selftest", "--json").err == "harness: --json is for the corpus: add --corpus\n"


def test_where_the_project_lies_is_nobodys_guilt(harness, small_corpus, tmp_path_factory):
    """The path is on the worker's command line."""
    root = tmp_path_factory.mktemp("timed-checkout") / "seed"
    for name in ("labs", "configs"):
        shutil.copytree(ROOT / name, root / name)
    (small_corpus / "evil").mkdir()
    for name in ("environment_tells.cpp", "honest.h"):
        shutil.copy(CORPUS / "evil" / name, small_corpus / "evil")
    ran = harness("selftest", "--corpus", small_corpus, root=root)
    assert ran.out.splitlines()[-1] == "corpus: 1 of 1 correct accepted, 1 of 1 wrong rejected, 1 of 1 evil caught", ran.out


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
