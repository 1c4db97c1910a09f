"""Parameters of a variant are searched: slower cases end early, and the fastest values are written beside the source."""

import json
import re
import signal

from conftest import QUICK

# The time follows from WASTE alone: neighbours differ by a factor of 10 or more, also on a busy machine.
SOURCE = """\
// Loops, after a loop that wastes time.
#include "lab/gemm.h"
#ifndef WASTE
#define WASTE 4000
#endif
#ifndef STEP
#define STEP 1
#endif
LAB_TUNE(WASTE, 1, 200, 4000);
LAB_TUNE(STEP, 1, 3, 4);
static_assert(STEP != 3, "STEP is 1 or 4");
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (volatile int i = 0; i < WASTE * 1000; i = i + 1) {
  }
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], STEP == 4 ? sum + 1 : sum, g.alpha, g.beta);
    }
}
"""
MEASURE = {**QUICK, "min_samples": 9, "max_samples": 9}  # one more than at the first look, and no case is UNSTABLE


def test_slower_cases_get_fewer_samples_if_the_config_says_so(lab):
    most = 40  # 8 samples decide, but not if a busy machine delays one of them; then a case may be UNSTABLE too
    work = lab(measure={**MEASURE, "precision": "0.1%", "max_samples": most, "drop_slower": True}).variant("mine", SOURCE).sweep(size=[24], WASTE=[1, 4000])
    ran = work.run().expect()
    assert {case["status"] for case in ran.document["cases"]} <= {"PASSED", "UNSTABLE"}
    fast, slow = sorted(ran.document["cases"], key=lambda case: case["axes"]["WASTE"])
    assert fast["stop_reason"] in ("precision", "sample_cap")
    assert 8 <= len(slow["samples_ms"]) < most and slow["stop_reason"] == "slower"
    assert ran.document["policy"]["drop_slower"] is True
    again = {case["id"]: case["reused_from"] for case in work.run().document["cases"]}
    for case in ran.document["cases"]:  # an unstable one is measured again
        assert again[case["id"]] == (ran.document["run"]["id"] if case["status"] == "PASSED" else "")



def tune(work, *more, **how):
    return work.harness.start("tune", work.write(), "--submission", work.submission, "--results", work.results.folder, "--variant", "mine",
                              "--no-report", *more, **how)


def small(lab):
    return lab(measure=MEASURE).variant("mine", SOURCE).sweep(size=[24, 32])


def test_the_fastest_right_values_are_kept_and_used(lab):
    work = small(lab)
    table = work.submission / "mine.tuned"
    found = work.harness.finish(tune(work))
    assert found.code == 0, found.out + found.err
    assert found.out.startswith("sets of values: 9, problems: 2, builds: 10, cases: 20; at most 6 min 40 s of sampling\n")
    assert re.search(r"f32 on .*: sets timed: 4, left out: 6\n    1\.00  WASTE=1 STEP=1  ", found.out)
    assert re.search(r"out  WASTE=1 STEP=3  COMPILE_ERROR: mine.cpp:11:20: error: static assertion failed: STEP is 1 or 4\n", found.out)
    assert re.search(r"out  WASTE=1 STEP=4  WRONG: on m=", found.out)
    assert found.out.endswith(f"{table}: WASTE=1 STEP=1\n")
    run = work.results.run_json("tune_mine")
    row = rf"- \{{device: .*, dtype: f32, run: {run['run']['id']}, values: \{{WASTE: 1, STEP: 1\}}\}}"
    assert re.fullmatch(row, table.read_text().splitlines()[1])

    used = work.run("--set", "size=24").expect(mine="PASSED").document
    assert used["builds"][0]["macros"] == {"WASTE": "1", "STEP": "1"}
    assert [variant["tuned"] for variant in used["variants"]] == ["f32: WASTE=1 STEP=1"]
    assert "submission/mine.tuned" in {source["path"] for source in used["sources"]}
    again = work.harness.finish(work.harness.start("reproduce", "small", "--results", work.results.folder))
    assert "NOT RUN   " not in again.out, again.out + again.err
    assert work.results.run_json("small")["builds"][0]["macros"] == {"WASTE": "1", "STEP": "1"}

    table.write_text(table.read_text().replace("WASTE: 1", "WASTE: 200"))
    edited = work.run("--set", "size=24").document
    assert edited["builds"][0]["macros"] == {"WASTE": "200", "STEP": "1"} and not edited["cases"][0]["reused_from"]
    compared = work.harness("compare", used["run"]["id"], edited["run"]["id"], "--results", work.results.folder)
    assert "tuned parameters of mine" in compared.out and "WASTE=200 STEP=1" in compared.out, compared.out

    table.write_text(table.read_text().replace("WASTE: 200", "WASTE: 1"))
    second = work.harness.finish(tune(work))
    assert second.code == 0 and second.out.endswith("no set is clearly faster than the values of now: nothing is changed\n")
    known = {case["id"] for case in work.results.run_json("tune_mine")["cases"] if case["reused_from"]}
    assert len(known) == sum(case["status"] != "COMPILE_ERROR" for case in run["cases"])


def test_an_interrupted_search_goes_on(lab):
    work = small(lab)
    process = tune(work, before=())
    for line in process.stdout:
        if "size=24" in line and line.startswith("PASSED"):
            break
    process.send_signal(signal.SIGINT)
    stopped = work.harness.finish(process)
    assert stopped.code == 130 and not (work.submission / "mine.tuned").exists()
    kept = {case["id"] for case in work.results.run_json("tune_mine")["cases"] if case["status"] == "PASSED"}
    assert kept
    done = work.harness.finish(tune(work))
    assert done.code == 0 and "mine.tuned: WASTE=1 STEP=1\n" in done.out, done.out + done.err
    assert kept <= {case["id"] for case in work.results.run_json("tune_mine")["cases"] if case["reused_from"]}


def test_a_part_of_the_sets_is_the_same_each_time(lab):
    work = small(lab)
    configs = set()
    for _ in range(2):
        said = work.harness.finish(tune(work, "--most", 4, "--dry-run"))
        assert said.out == "sets of values: 4, problems: 2, builds: 5, cases: 10; at most 3 min 20 s of sampling\n", said.err
        configs.add((work.results.folder / "tune_mine.yaml").read_text())
    assert len(configs) == 1 and configs.pop().count("{WASTE: ") == 4


def test_what_cannot_be_searched_is_said(lab):
    work = small(lab)
    file = work.submission / "mine.cpp"

    def refusal(*more, source=SOURCE, table=None):
        file.write_text(source)
        (work.submission / "mine.tuned").write_text(table or "[]\n")
        ended = work.harness.finish(tune(work, "--dry-run", *more))
        assert ended.code == 2, ended.out + ended.err
        return ended.err.strip().removeprefix("harness: ").replace(f"{work.submission}/", "")

    declared = "LAB_TUNE(WASTE, 1, 200, 4000);"
    without = SOURCE.replace(declared, "").replace("LAB_TUNE(STEP, 1, 3, 4);", "")
    row = json.dumps([{"device": "a", "dtype": "f32", "values": {"WASTE": 1}}])
    assert refusal("--set", "WASTE=20") == "--set WASTE: the search chooses this parameter; leave it out"
    assert refusal("--most", "0") == '--most "0" is not a number from 1'
    assert refusal(source=without) == "mine.cpp:1:1: no parameter to search; write for example LAB_TUNE(WASTE, 16, 32, 64)"
    for wrong, why in {
        "LAB_TUNE(WASTE, 1, big);": 'LAB_TUNE(WASTE): "big" is not a whole number',
        "LAB_TUNE(WASTE, 1, 1);": "LAB_TUNE(WASTE): 1 is in the list twice",
        "LAB_TUNE(WASTE);": "LAB_TUNE(WASTE): it names no values; write for example LAB_TUNE(WASTE, 16, 32, 64)",
        "LAB_TUNE(WAST, 1);": 'LAB_TUNE(WAST): the source has no #ifndef WAST with a #define WAST (did you mean "WASTE"?)',
        f"{declared} {declared}": "LAB_TUNE(WASTE): it is declared twice; keep one",
    }.items():
        column = 32 if wrong.startswith(declared) else 1
        assert refusal(source=SOURCE.replace(declared, wrong)) == f"mine.cpp:9:{column}: {why}"
    for wrong, why in {
        row.replace("WASTE", "WAST"): '1:45: mine.cpp declares no LAB_TUNE(WAST, ...) (did you mean "WASTE"?)',
        row.replace("1}", "fast}"): '1:54: "WASTE" must be a whole number from -1000000000 to 1000000000, not "fast"',
        row.replace("1}", '1, "WASTE": 2}'): '1:57: duplicate key "WASTE"',
        row[:-1] + "," + row[1:]: '1:58: there are two rows for "a", f32; keep one',
        row.replace("values", "value"): '1:34: unknown key "value" (did you mean "values"?)',
    }.items():
        assert refusal(table=wrong) == f"mine.tuned:{why}"
    (work.submission / "mine.tuned").unlink()
    file.write_text(SOURCE)
    none = work.harness("tune", work.write(), "--submission", work.submission, "--results", work.results.folder)
    assert "a search is for one variant; choose it with --variant" in none.err
    many = work.harness("tune", "lab5", "--variant", "cpu_a*", "--dry-run", "--results", work.results.folder)
    assert "a search is for one variant, not for cpu_avx, cpu_avx_blocked, cpu_avx_blocked_bt; choose one with --variant" in many.err
    unknown = work.harness("tune", "lab5", "--variant", "cpu_axv", "--dry-run", "--results", work.results.folder)
    assert unknown.code == 4 and "cpu_avx" in unknown.err, unknown.err
