"""`harness runs` and `harness show`: what the store keeps of a run, and where a number of it comes from."""

import hashlib
import json
import re

import pytest
from conftest import CORPUS, ROOT


@pytest.fixture(scope="module")
def work(lab):
    work = lab()
    work.variant("mine", ROOT / "labs/gemm/cpu_baseline.cpp")
    (work.submission / "mine.cpp").write_text('#include "tile.h"\n' + (work.submission / "mine.cpp").read_text())
    (work.submission / "tile.h").write_text("// a header of mine\n")
    (work.submission / "diary.txt").write_text("nobody else's business\n")
    work.variant("wrong", CORPUS / "wrong/ldb_ignored.cpp")
    work.sweep("cpu_baseline", "mine", "wrong", size=[16, 24])
    work.ran = work.run().expect(1, mine="PASSED", wrong="WRONG")
    return work


def test_runs_are_listed_and_filtered(harness, work):
    def runs(*words):
        ran = harness("runs", "--results", work.results.folder, *words)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    run, = json.loads(runs("--json"))
    assert (run["lab"], run["state"], run["cases"]) == ("small", "complete", 6)
    assert run["verdicts"] == {"PASSED": 4, "WRONG": 2}
    assert run["bytes"] > 1000 and "core" in run["machine"]
    head, line = runs().splitlines()
    assert head.split() == ["run", "lab", "UTC", "machine", "size", "cases"]
    assert line.startswith(run["id"]) and line.endswith("  6: 4 PASSED, 2 WRONG")
    day = run["started"][:10]
    for words in (["--lab", "small"], ["--status", "WRONG"], ["--since", day], ["--machine", run["machine"].split()[0].swapcase()]):
        assert len(json.loads(runs("--json", *words))) == 1, words
    for words in (["--lab", "lab5"], ["--status", "CRASHED"], ["--since", "2999-01-01"], ["--machine", "no such machine"]):
        assert json.loads(runs("--json", *words)) == [], words
    assert runs("--lab", "lab5") == "none of 1 run fits\n"


@pytest.mark.parametrize("words, error", [
    (["--status", "WRON"], '--status "WRON" is unknown (did you mean "WRONG"?); there are PASSED, WRONG, '),
    (["--since", "2026-02-30"], '--since "2026-02-30" is not a day; write for example 2026-11-22\n'),
    (["--since", "yesterday"], '--since "yesterday" is not a day; write for example 2026-11-22\n')])
def test_filters_that_mean_nothing(harness, work, words, error):
    ran = harness("runs", "--results", work.results.folder, *words)
    assert (ran.code, ran.out) == (2, "") and ran.err.startswith(f"harness: {error}")


def test_no_store_is_an_error_and_none_is_made(harness, tmp_path):
    ran = harness("runs", "--results", tmp_path)
    assert (ran.code, ran.err) == (2, f"harness: {tmp_path}: no store here; run a lab first, or name another folder with --results\n")
    assert list(tmp_path.iterdir()) == []


def test_a_number_has_its_pedigree(harness, work):
    ran = harness("show", "latest", "mine size=24", "--results", work.results.folder)
    assert (ran.code, ran.err) == (0, "")
    case = work.ran.cases["all/mine size=24"]
    assert ran.out.startswith("small/all/mine size=24  PASSED\n")
    assert f"\nsamples: {len(case['samples_ms'])}, " in ran.out and "  in order  " in ran.out
    time = case["metrics"]["kernel_ms"]
    assert f"  kernel_ms          {time['median']:.6g} ms ({time['low']:.6g} to {time['high']:.6g}), {time['n']} samples\n" in ran.out
    for line in case["check"]["lines"]:
        assert re.search(rf"^  right {re.escape(line['name'])} +{re.escape(line['detail'])}", ran.out, re.M), line
    build, = [build for build in work.ran.document["builds"] if build["key"] == case["build_key"]]
    assert f"  command      {build['command']}\n" in ran.out and f"  compiler     {build['compiler']}\n" in ran.out
    source = (work.submission / "mine.cpp").read_text()
    assert f"sha256 {hashlib.sha256(source.encode()).hexdigest()}" in ran.out
    shown = ran.out.split("\nsource text\n")[1]
    assert [line[7:] for line in shown.splitlines()] == source.splitlines()


def test_the_source_is_that_of_the_run(harness, work):
    """Not that of the file as it is today."""
    file = work.submission / "wrong.cpp"
    then = file.read_text()
    file.write_text("// changed\n")
    try:
        ran = harness("show", "latest", "wrong size=16", "--results", work.results.folder)
    finally:
        file.write_text(then)
    assert "WRONG" in ran.out.splitlines()[0] and "// changed" not in ran.out and then.splitlines()[-1] in ran.out


def test_the_run_knows_its_files(work):
    sources = {source["path"]: source for source in work.ran.document["sources"]}
    assert sources["submission/mine.cpp"]["variant"] == "mine"
    assert {"submission/tile.h", "submission/wrong.cpp", "labs/gemm/cpu_baseline.cpp", "labs/lab/gemm.h", "configs/lab.yaml"} <= set(sources)
    assert "submission/diary.txt" not in sources and "labs/gemm/cpu_avx.cpp" not in sources
    for path, source in sources.items():
        text = (work.results.folder / "sources" / source["hash"]).read_bytes()
        assert hashlib.sha256(text).hexdigest() == source["hash"], path


def test_the_run_keeps_what_the_compiler_read(lab):
    """Not what a comment names; and it says what is too large to be kept."""
    made = lab().variant("mine", '#include "tile.h"\n#include "large.h"\n// not notes.h\n' + (ROOT / "labs/gemm/cpu_baseline.cpp").read_text())
    for name, text in {"tile.h": "// mine\n", "notes.h": "// nobody includes this\n", "large.h": "// " + "x" * (1 << 20) + "\n"}.items():
        (made.submission / name).write_text(text)
    ran = made.sweep("mine", size=[16]).run().expect(0, mine="PASSED")
    kept = {source["path"] for source in ran.document["sources"] if source["path"].startswith("submission/")}
    assert kept == {"submission/mine.cpp", "submission/tile.h"}
    assert "warning: submission/large.h is larger than 1 MiB: the run does not keep it, and a bundle will lack it\n" in ran.out + ran.err


def test_a_run_from_elsewhere_shows_what_it_has(harness):
    ran = harness("show", ROOT / "docs/examples/lab5-h200", "cpu_avx size=256")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("lab5/cpu_sizes/cpu_avx size=256  PASSED\n") and "NVIDIA H200" not in ran.out
    ran = harness("show", ROOT / "docs/examples/lab5-h200", "gpu_shared size=512 BLOCK=16")
    assert "  GPU          NVIDIA H200, sm_90, driver " in ran.out and "clocks_sm_mhz" in ran.out
    wrong = harness("show", ROOT / "docs/examples/lab5-h200", "cpu_sizes/cpu_avx size=129")
    assert wrong.code == 2 and '(did you mean "cpu_sizes/cpu_avx size=128"?)' in wrong.err
