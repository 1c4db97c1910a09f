"""Finished cases are kept and reused: after a second start, an edit, kill -9, Ctrl-C and two runs at the same time."""

import json
import os
import random
import re
import shutil
import signal
import time

import pytest
from conftest import CORPUS, QUICK, ROOT

# Cases that take about 0.2 s each: long enough to be killed in.
SLOW = {"measure": {**QUICK, "min_batch": "25ms"}, "resources": {"build_time": "30s"}}
ALL = [f"sizes/{variant} size={size}" for size in (16, 24, 32) for variant in ("cpu_baseline", "my_ikj")]


@pytest.fixture
def work(lab, tmp_path):
    return lab(tmp_path, **SLOW).variant("my_ikj", CORPUS / "correct/my_ikj.cpp").sweep(
        "cpu_baseline", "my_ikj", name="sizes", size=[16, 24, 32])


def edit(work):
    """Makes the submitted source one that was never built."""
    work.variant("my_ikj", (work.submission / "my_ikj.cpp").read_text() + f"// edited {time.time_ns()}\n")


def wait_for(process, wanted, times=1):
    """Reads what `process` prints until a line holds `wanted` so many times."""
    for line in process.stdout:
        times -= wanted in line
        if times == 0:
            return
    pytest.fail(f"it ended without {wanted}: {process.stderr.read()}")


def test_a_second_run_measures_nothing_and_an_edit_only_what_changed(work):
    first = work.run("--json")
    assert first.code == 0, first.err
    assert sorted(first.cases) == sorted(ALL) and first.end["reused"] == 0
    first_id = first.end["run"]
    measured = work.results.samples(first_id)

    second = work.run("--json")
    assert second.code == 0
    assert {case["reused_from"] for case in second.cases.values()} == {first_id}
    assert second.of("measure") == [] and second.of("check") == []
    assert "measuring the machine's limits" not in [phase["what"] for phase in second.of("phase")]
    assert {build["state"] for build in second.of("build")} == {"cached"}
    assert second.end["reused"] == len(ALL)
    assert work.results.samples(second.end["run"]) == measured
    assert second.cases[ALL[0]]["metrics"] == first.cases[ALL[0]]["metrics"]
    assert {case["reused_from"] for case in work.results.run_json("small")["cases"]} == {first_id}

    edit(work)
    edited = work.run("--json")
    assert edited.code == 0
    assert {name for name, case in edited.cases.items() if not case["reused_from"]} == {
        name for name in ALL if "my_ikj" in name}
    assert {name for event in edited.of("measure") for name in event["ids"]} == {
        f"small/{name}" for name in ALL if "my_ikj" in name}
    assert {build["variant"]: build["state"] for build in edited.of("build")} == {"cpu_baseline": "cached",
                                                                                 "my_ikj": "built"}

    fresh = work.run("--json", "--fresh", "--set", "size=16")
    assert fresh.code == 0 and fresh.end["reused"] == 0
    assert list(fresh.cases) == ALL[:2]
    again = work.results.samples(fresh.end["run"])
    for name, (run, samples) in again.items():
        assert run == fresh.end["run"] and samples != measured[name][1]


def test_an_accusation_is_not_reused(work):
    """A busy machine may have caused it, so a second run looks again."""
    work.variant("my_ikj", """#include <unistd.h>

#include "lab/gemm.h"
LAB_GEMM_CPU(float)(const lab::Gemm<float>&) { fork(); }
""")
    words = ["--json", "--set", "size=16"]
    for reused in (0, 1):
        ran = work.run(*words)
        assert (ran.cases[ALL[1]]["status"], ran.cases[ALL[1]]["reused_from"]) == ("MISTRUSTED", "")
        assert ran.end["reused"] == reused  # cpu_baseline


def test_an_edit_of_anything_included_counts(work):
    """For any name and folder: in the second run the included file makes the right variant wrong."""
    (work.submission / "detail").mkdir()
    composed = "#define TEXT(x) #x\n#define FILE(x) TEXT(detail/x.cpp)\n#include FILE(part)"
    for name, include in {"tile.inl": None, "detail/tile.h": None, ".tile.impl.h": None, "detail/part.cpp": composed}.items():
        include = include or f'#include "{name}"'
        included = work.submission / name
        included.write_text("inline float last() { return 0; }\n")
        work.variant("my_ikj", f"""#include "lab/gemm.h"
{include}
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {{
  for (int64_t i = 0; i < g.m * g.n; ++i) {{
    float sum = last();
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[i / g.n * g.lda + p] * g.b[p * g.ldb + i % g.n];
    lab::update(g.c[i / g.n * g.ldc + i % g.n], sum, g.alpha, g.beta);
  }}
}}
""")
        words = ["--json", "--set", "size=16", "--variant", "my_ikj"]
        assert work.run(*words).cases[ALL[1]]["status"] == "PASSED"
        included.write_text("inline float last() { return 1; }\n")
        assert work.run(*words).cases[ALL[1]]["status"] == "WRONG", name


@pytest.mark.parametrize("moment", ["before the first case", "in the middle"])
def test_kill_9_loses_nothing_that_was_finished(work, living, moment):
    wait = {"before the first case": ("run", 1), "in the middle": ("case", 2)}[moment]
    delay = random.uniform(0, 0.3)
    edit(work)
    process = work.start("--json")
    wait_for(process, f'"event":"{wait[0]}"', wait[1])
    time.sleep(delay)
    process.kill()
    process.communicate()
    print(f"killed {delay:.3f} s after {wait}")
    assert work.results.query("PRAGMA integrity_check") == [("ok",)]
    (torn, state), = work.results.states().items()
    assert state == "running"
    finished = work.results.samples(torn)
    assert len(finished) >= (wait[1] if wait[0] == "case" else 0)

    ran = work.run("--json")
    assert ran.code == 0, ran.err
    assert work.results.states() == {torn: "interrupted", ran.end["run"]: "complete"}
    after = work.results.samples(ran.end["run"])
    assert sorted(after) == sorted(f"small/{name}" for name in ALL)
    for name, kept in finished.items():
        assert after[name] == kept and kept[0] == torn  # the same bytes, measured then
    assert {name for name, (run, _) in after.items() if run == torn} == set(finished)
    assert ran.end["reused"] == len(finished)
    assert work.results.query("PRAGMA integrity_check") == [("ok",)]

    keys = {key for (key,) in work.results.query("SELECT key FROM builds WHERE variant = 'my_ikj'")}
    until = time.monotonic() + 5
    while living(keys) and time.monotonic() < until:
        time.sleep(0.1)
    assert living(keys) == set()  # no worker outlives the harness


def test_a_run_that_is_killed_again_and_again_finishes(work):
    work.keys["sweeps"][0]["axes"] = {"size": "16:64:+4"}
    kept = {}
    for _ in range(4):
        process = work.start("--json")
        wait_for(process, '"event":"run"')
        time.sleep(random.uniform(0.2, 0.9))
        process.kill()
        process.communicate()
        assert work.results.query("PRAGMA integrity_check") == [("ok",)]
        now = {name: found for run in work.results.states() for name, found in work.results.samples(run).items()}
        assert {name: now[name] for name in kept} == kept
        kept = now
    ran = work.run("--json")
    assert ran.code == 0, ran.err
    after = work.results.samples(ran.end["run"])
    assert len(after) == 26 and {name: after[name] for name in kept} == kept
    assert list(work.results.states().values()) == ["interrupted"] * 4 + ["complete"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_done(work, sent):
    process = work.start()
    wait_for(process, "PASSED ")
    os.killpg(process.pid, sent)
    ran = work.finish(process)
    assert (ran.code, ran.err) == (130, "")
    lines = ran.out.splitlines()
    assert lines[-1] == "finished cases are kept; run the same command again to go on"
    assert re.fullmatch(r"\d passed, 0 failed, 0 skipped, \d not run: interrupted in .*", lines[-2])
    (torn, state), = work.results.states().items()
    assert state == "interrupted"
    document = work.results.run_json("small")
    assert document["run"]["state"] == "interrupted" and document["run"]["id"] == torn
    statuses = [case["status"] for case in document["cases"]]
    assert len(statuses) == len(ALL) and set(statuses) == {"PASSED", "CANCELLED"}
    assert {case["reason"] for case in document["cases"] if case["status"] == "CANCELLED"} == {
        "the run was interrupted before this case"}

    finished = work.results.samples(torn)
    ran = work.run("--json")
    assert ran.code == 0 and ran.end["reused"] == len(finished) == statuses.count("PASSED")
    assert all(work.results.samples(ran.end["run"])[name] == kept for name, kept in finished.items())


def test_an_interrupted_run_holds_what_was_known_before(work):
    first = work.run("--json").end["run"]
    edit(work)
    process = work.start("--json")
    wait_for(process, '"event":"check"')
    os.killpg(process.pid, signal.SIGINT)
    assert work.finish(process).code == 130
    cases = {case["id"]: case for case in work.results.run_json("small")["cases"]}
    assert sorted(cases) == sorted(f"small/{name}" for name in ALL)
    for name, case in cases.items():
        if "cpu_baseline" in name:
            assert (case["status"], case["reused_from"]) == ("PASSED", first)


def test_ctrl_c_while_compilers_run(work):
    for name in ("cpu_baseline", "my_ikj"):
        work.variant(name, """#include "lab/gemm.h"
template <int D, int I>
struct Tree { static constexpr int value = Tree<D - 1, 2 * I>::value + Tree<D - 1, 2 * I + 1>::value; };
template <int I>
struct Tree<0, I> { static constexpr int value = I & 1; };
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { g.c[0] = Tree<24, 0>::value; }
""")
    process = work.start("--json")
    wait_for(process, '"event":"run"')
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    ran = work.finish(process)
    assert (ran.code, ran.err) == (130, "")
    assert ran.of("build") == []
    assert ran.end["state"] == "interrupted" and ran.end["cancelled"] == len(ALL)
    assert work.results.states() == {ran.end["run"]: "interrupted"}


def test_two_runs_at_once_on_the_same_results(work, tmp_path):
    process = work.start("--json")
    wait_for(process, '"event":"run"')
    second = work.run()
    assert (second.code, second.out) == (3, "")
    folder = re.escape(f"{work.results.folder}/small")
    assert re.fullmatch(rf"harness: {folder} is in use by another run \(pid {process.pid}, "
                        r"since [^)]+\); wait for it, or give --results another folder\n", second.err)
    elsewhere = work.harness("run", work.file, "--submission", work.submission, "--results", tmp_path / "elsewhere", "--no-report",
                             "--set", "size=16")
    assert elsewhere.code == 0, elsewhere.err
    first = work.finish(process)
    assert first.code == 0
    assert len(work.results.states()) == 1 and set(work.results.states().values()) == {"complete"}


def test_a_report_is_rendered_again_from_the_store(work, tmp_path):
    ran = work.run("--json", "--set", "size=16")
    folder = work.results.folder / "small" / ran.end["run"]
    assert sorted(os.listdir(folder)) == ["run.json"]
    stored = (folder / "run.json").read_text()
    shutil.rmtree(folder)
    again = work.harness("report", "latest", "--results", work.results.folder)
    assert (again.code, again.err) == (0, "")
    assert again.out == f"{folder}/report.{{md,html,pdf}}\n"
    assert (folder / "run.json").read_text() == stored
    assert {"report.md", "report.html", "report.pdf"} < set(os.listdir(folder))
    markdown = (folder / "report.md").read_text()
    assert ran.end["run"] in markdown and "my_ikj" in markdown

    elsewhere = tmp_path / "from another machine"
    elsewhere.mkdir()
    shutil.copy(folder / "run.json", elsewhere)
    again = work.harness("report", elsewhere)
    assert again.code == 0, again.err
    assert (elsewhere / "report.md").read_text() == markdown


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Gives the program another root, so that `clean` removes nothing of this checkout."""
    root = tmp_path_factory.mktemp("root")
    for name in ("labs", "configs"):
        shutil.copytree(ROOT / name, root / name)
    return root


def test_clean_removes_what_can_be_made_again(harness, lab, clone):
    config = lab(clone / "mine").sweep("cpu_baseline", "cpu_unrolled", name="sizes", size=[16, 24]).write()

    def run():
        return harness("run", config, "--no-report", "--json", root=clone).expect()

    first = run()
    assert first.of("build")[0]["state"] == "built"
    assert (clone / "results/small/latest/run.json").exists() and os.listdir(clone / "build/cache/variants")

    (clone / "mine/slow.cpp").write_text("#include <regex>\n#include \"lab/gemm.h\"\n"
                                         "LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {}\n")
    process = harness.start("run", config, "--submission", clone / "mine", "--json", root=clone)
    wait_for(process, '"event":"run"')
    time.sleep(0.4)
    process.kill()  # and what the compiler has begun stays
    process.communicate()

    cleaned = harness("clean", root=clone)
    assert (cleaned.code, cleaned.err) == (0, "") and re.fullmatch(r"removed [\d.]+ [KM]?i?B\n", cleaned.out)
    assert not (clone / "build/cache/variants").exists()
    assert list((clone / "build/cache").glob("building-*")) == []
    second = run()
    assert second.of("build")[0]["state"] == "built"
    assert second.end["reused"] == 4  # results are no built thing

    assert harness("clean", "--results", "--cache", root=clone).code == 0
    assert not (clone / "results").exists() and not (clone / "build/cache").exists()
    assert harness("clean", root=clone).out == "removed 0 B\n"
    assert json.loads(harness("plan", config, "--json", root=clone).out)["lab"] == "small"
