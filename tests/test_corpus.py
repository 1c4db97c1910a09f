"""The corpus: does the harness reject wrong variants, and accept right ones? Each verdict is a test. test_evil.py has the
attacks."""

import json
import re
import shutil

import pytest
from conftest import CORPUS, QUICK, ROOT, head_of
from corpus_run import LABS, PLANTED, assert_all, assert_verdict, entries, own, run_folders


@pytest.fixture(scope="module")
def corpus(harness, tmp_path_factory):
    return run_folders(harness, tmp_path_factory.mktemp("corpus"), "correct", "wrong")


def test_there_are_enough_of_them():
    assert len(own("correct")) + len(LABS) >= 25 and len(PLANTED) >= 25
    assert len(own("wrong")) >= 40 and len(own("evil")) >= 45
    assert {head_of(file)["Class"] for file in own("evil")} == set("ABCDEF")


@pytest.mark.parametrize("name", [*entries("correct"), *entries("wrong")])
def test_verdict(corpus, name):
    assert_verdict(corpus.entries[name])


def test_the_summary(corpus):
    assert_all(corpus, "correct", "wrong")
    correct, wrong = (corpus.end[folder]["of"] for folder in ("correct", "wrong"))
    assert corpus.end["summary"] == (f"corpus: {correct} of {correct} correct accepted, {wrong} of {wrong} wrong rejected, "
                                     "0 of 0 evil caught")


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
