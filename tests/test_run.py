"""One whole `harness run` on a small lab: what it checks, times, stores, prints and renders."""

import itertools
import json
import math
import os
import pty
import re
import shlex
import shutil
import signal
import statistics
import subprocess
from types import SimpleNamespace

import jsonschema
import pytest
from conftest import CORPUS, QUICK, ROOT, skip

SHAPE = {"m": 20, "n": 31, "k": 17, "lda": 24, "ldb": 40, "ldc": 33}
LAB = {
    "title": "A small lab",
    "baseline": "cpu_baseline",
    "sweeps": [
        {"name": "sizes", "variants": ["cpu_baseline", "gpu_naive", "cpu_unrolled"], "axes": {"size": [33, 16]},
         "exclude": [{"variant": "gpu_naive", "size": 33, "reason": "too slow for a test"}]},
        {"name": "macros", "variants": ["cpu_unrolled"], "axes": {"size": 48, "UNROLL": [2, 8]}},
        {"name": "scaled", "variants": ["cpu_baseline", "cpu_unrolled"], "axes": {"shape": [SHAPE]},
         "set": {"alpha": 1.5, "beta": 0.5}},
        {"name": "doubles", "dtype": "f64", "variants": ["cpu_baseline", "cpu_unrolled"], "axes": {"size": 24}},
    ],
    "report": {
        "tables": [{"title": "Variants by size", "sweep": "sizes", "rows": "variant", "columns": "size",
                    "value": "kernel_ms"},
                   {"title": "Columns at once", "sweep": "macros", "rows": "UNROLL", "columns": "size",
                    "value": "kernel_ms"}],
        "plots": [{"title": "Variants by size", "sweep": "sizes", "kind": "lines", "x": "size", "y": "kernel_ms",
                   "series": "variant", "log": ["x", "y"]}],
    },
}
CPU_CASES = ["sizes/cpu_baseline size=33", "sizes/cpu_unrolled size=33", "sizes/cpu_baseline size=16",
             "sizes/cpu_unrolled size=16", "macros/cpu_unrolled size=48 UNROLL=2", "macros/cpu_unrolled size=48 UNROLL=8",
             "scaled/cpu_baseline m=20 n=31 k=17 lda=24 ldb=40 ldc=33 alpha=1.5 beta=0.5",
             "scaled/cpu_unrolled m=20 n=31 k=17 lda=24 ldb=40 ldc=33 alpha=1.5 beta=0.5",
             "doubles/cpu_baseline size=24", "doubles/cpu_unrolled size=24"]


@pytest.fixture(scope="module")
def whole(harness, lab, results, tmp_path_factory):
    """One complete run with its report, and what it left."""
    folder = tmp_path_factory.mktemp("ein kleines Labor für α")
    config = lab(folder, **LAB).write()
    ran = harness("run", config.name, "--results", "my results", "--json", "--gpu", "cuda", cwd=folder).expect()
    kept = results(folder / "my results")
    document = kept.run_json("small")
    return SimpleNamespace(ran=ran, config=config, kept=kept, document=document, folder=folder,
                           cases={case["id"].split("/", 1)[1]: case for case in document["cases"]})


def test_every_cpu_case_passes_in_the_order_of_the_plan(whole):
    assert [name for name, case in whole.cases.items() if case["device"] == "cpu"] == CPU_CASES
    assert {whole.cases[name]["status"] for name in CPU_CASES} == {"PASSED"}
    assert whole.ran.end["passed"] >= len(CPU_CASES)
    assert whole.ran.end["failed"] == whole.ran.end["cancelled"] == whole.ran.end["reused"] == 0
    assert [case["id"] for case in whole.document["cases"]][1] == "small/sizes/cpu_unrolled size=33"


def test_gpu_cases_are_skipped_with_the_reason(whole, has_gpu):
    if has_gpu:
        pytest.skip("this machine has nvidia-smi: GPU cases may run")
    case = whole.cases["sizes/gpu_naive size=16"]
    assert (case["status"], case["reason"]) == ("SKIPPED", "no GPU was found on this machine")
    assert case["samples_ms"] == [] and case["metrics"] == {}
    assert whole.ran.end["skipped"] == 1
    assert "no GPU was found on this machine" in (whole.folder / "my results/small/latest/report.md").read_text()


def test_excluded_cases_are_reported_with_the_reason(whole):
    assert "sizes/gpu_naive size=33" not in whole.cases
    assert whole.document["excluded"] == [{"sweep": "sizes", "variant": "gpu_naive", "axes": {"size": 33},
                                           "reason": "too slow for a test"}]


def test_run_json_follows_its_schema(whole):
    schema = json.loads((ROOT / "docs/run.schema.json").read_text())
    jsonschema.validate(whole.document, schema)
    assert whole.document["run"]["state"] == "complete"
    assert whole.document["run"]["config"]["text"] == whole.config.read_text()
    assert whole.document["machine"]["cpu"]["cores"] >= 1
    assert {row["name"] for row in whole.document["machine_limits"]} >= {"fma_f32", "copy"}
    broken = {**whole.document, "cases": [{**whole.document["cases"][0], "status": "GREAT"}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_every_case_was_checked_before_and_on_the_timed_output(whole):
    for name in CPU_CASES:
        check = whole.cases[name]["check"]
        assert [line["name"] for line in check["lines"]] == ["shapes, exact", "shapes, real data", "exact", "real data",
                                                             "near its size, exact", "timed output"], name
        assert all(line["right"] for line in check["lines"])
        assert all(line["worst_ratio"] <= 1 for line in check["lines"])
        assert check["shapes"] >= 15 and check["deterministic"] is True and check["timed_output"] is True
    assert all(row["rejected"] for row in whole.document["selftest"]["rows"])


def test_parameters_reach_the_kernel(whole):
    scaled = whole.cases[CPU_CASES[6]]
    assert {**scaled["parameters"]} == {**SHAPE, "alpha": 1.5, "beta": 0.5}
    assert scaled["flops"] == 2 * 20 * 31 * 17
    assert scaled["bytes"] == 4 * (20 * 17 + 17 * 31 + 2 * 20 * 31)
    doubles = whole.cases["doubles/cpu_unrolled size=24"]
    assert doubles["dtype"] == "f64" and doubles["bytes"] == 8 * 3 * 24 * 24


def test_each_value_of_a_macro_axis_has_its_build(whole):
    builds = [build for build in whole.document["builds"] if build["variant"] == "cpu_unrolled" and build["macros"]]
    assert [build["macros"] for build in builds] == [{"UNROLL": "2"}, {"UNROLL": "8"}]
    assert len({build["key"] for build in builds}) == 2
    for build in builds:
        assert f"-DUNROLL={build['macros']['UNROLL']}" in build["command"].split()
    assert {build["state"] for build in whole.document["builds"]} <= {"built", "cached"}


def test_all_raw_samples_are_stored(whole):
    run = whole.document["run"]["id"]
    samples = whole.kept.samples(run)
    assert len(samples) >= len(CPU_CASES)
    for name, (_, samples_ms) in samples.items():
        case = whole.cases[name.split("/", 1)[1]]
        assert samples_ms == case["samples_ms"]
        kernel = case["metrics"]["kernel_ms"]
        assert kernel["n"] == len(case["samples_ms"]) == len(case["rounds"]) == QUICK["max_samples"]
        assert kernel["median"] == pytest.approx(statistics.median(case["samples_ms"]))
        assert kernel["low"] <= kernel["median"] <= kernel["high"]
        assert case["metrics"]["gflops"]["median"] == pytest.approx(case["flops"] / kernel["median"] / 1e6)
        assert len(case["warmup_ms"]) >= 1 and case["calls_per_sample"] >= 1
        assert case["stop_reason"]


def test_speedup_is_over_the_baseline_in_the_same_rounds(whole):
    for size in (16, 33):
        base, fast = (whole.cases[f"sizes/{variant} size={size}"] for variant in ("cpu_baseline", "cpu_unrolled"))
        assert "speedup" not in base["metrics"]
        speedup = fast["metrics"]["speedup"]
        assert speedup["over"] == "cpu_baseline" and speedup["paired"] is True
        of_round = dict(zip(fast["rounds"], fast["samples_ms"]))
        ratios = [math.log(ms / of_round[turn]) for turn, ms in zip(base["rounds"], base["samples_ms"])]
        assert speedup["median"] == pytest.approx(math.exp(statistics.median(ratios)))
    assert "speedup" not in whole.cases["macros/cpu_unrolled size=48 UNROLL=2"]["metrics"]
    assert whole.cases["doubles/cpu_unrolled size=24"]["metrics"]["speedup"]["over"] == "cpu_baseline"


def test_the_report_has_three_formats(whole):
    folder = whole.folder / "my results/small/latest"
    assert folder.is_symlink() and folder.readlink().name == whole.document["run"]["id"]
    markdown, html = ((folder / f"report.{kind}").read_text() for kind in ("md", "html"))
    for text in (markdown, html):
        for word in ("A small lab", "cpu_baseline", "cpu_unrolled", "Columns at once", whole.document["run"]["id"]):
            assert word in text
    pdf = (folder / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF") and len(pdf) > 10_000
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", folder / "report.pdf", "-"], capture_output=True, text=True,
                              check=True).stdout
        assert "cpu_unrolled" in text and "A small lab" in text


def test_the_report_says_how_to_run_it_again(whole):
    line, = re.findall(r"Rerun:\*\* `(.*)`", (whole.folder / "my results/small/latest/report.md").read_text())
    assert shlex.split(line) == ["bin/harness", "run", "lab.yaml", "--gpu", "cuda"]


def documented_events():
    """Names and fields from the comment of json_lines.h, which is the documentation of --json."""
    text = re.sub(r"\n/// {12,}", " ", (ROOT / "harness/cli/json_lines.h").read_text())
    text = re.sub(r": \{[^}]*\}", "", text)  # what is inside of a field
    return {name: [field.strip() for field in fields.split(",")]
            for name, fields in re.findall(r"^///   (\w+) +\{([^}]*)\}", text, re.M)}


def test_events_are_one_json_object_a_line_with_documented_fields(whole):
    documented = documented_events()
    assert set(documented) >= {"run", "build", "phase", "check", "measure", "case", "end"}
    assert {event["event"] for event in whole.ran.events} | {"warning", "claims"} == set(documented)
    for event in whole.ran.events:
        fields = set(event) - {"event"}
        if event["event"] == "case":
            assert fields >= set(documented["case"]) - {"..."} and "samples_ms" not in fields
        else:
            assert fields == set(documented[event["event"]])
    assert [event["event"] for event in whole.ran.events][::len(whole.ran.events) - 1] == ["run", "end"]
    assert whole.ran.of("run")[0]["folder"] == whole.ran.end["folder"]
    assert whole.ran.err == ""


def test_a_busy_machine_is_told_at_once(whole):
    busy = whole.document["noise"]["before"]["load_1min"] > whole.document["machine"]["cpu"]["cores"]
    assert any(event["text"].startswith("this machine is busy (load ") for event in whole.ran.of("warning")) == busy


def test_a_log_shows_each_case_once_and_where_the_report_is(whole, harness):
    ran = harness("run", whole.config, "--results", whole.folder / "my results", "--no-report", "--gpu", "cuda")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "small: A small lab"
    shown = [line for line in lines if line.startswith("PASSED ")]
    assert len(shown) == whole.ran.end["passed"]
    for name in CPU_CASES:
        assert len([line for line in shown if f" small/{name}  " in line]) == 1
    assert all(line.endswith("  (known)") and " GFLOP/s" in line for line in shown)
    run = whole.kept.query("SELECT id FROM runs ORDER BY row DESC")[0][0]
    assert re.fullmatch(rf"\d+ passed, 0 failed, \d+ skipped \({len(shown)} known from earlier runs\) in [\d.a-z ]+ m?s",
                        lines[-2])
    assert lines[-1] == f"report: {whole.folder}/my results/small/{run}/run.json"
    assert "\r" not in ran.out and "\x1b" not in ran.out


def test_a_terminal_shows_the_progress(whole, harness):
    ours, its = pty.openpty()
    process = subprocess.Popen([harness.path, "run", whole.config, "--fresh", "--sweep", "sizes", "--set", "size=16",
                                "--no-report", "--results", whole.folder / "terminal"], stdout=its, stderr=its,
                               env={**os.environ, "TERM": "xterm", "HARNESS_ROOT": str(ROOT)})
    os.close(its)
    text = b""
    try:
        while chunk := os.read(ours, 65536):
            text += chunk
    except OSError:  # Linux: the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    shown = [part.strip() for part in re.split(r"\r\x1b\[2K|\r?\n", text.decode())]
    for wanted in (r"building \d/\d cpu_unrolled", r"\[\d/\d\] checking small/sizes/cpu_unrolled size=16; a call may take 5 s",
                   r"\[\d/\d\] timing small/sizes/cpu_\w+ size=16 and 1 more; about .* left"):
        assert any(re.fullmatch(wanted, part) for part in shown), (wanted, shown)
    assert [part for part in shown if part][-1].startswith("report: ")


def test_filters_choose_cases(whole, harness):
    def chosen(variant, *words):
        planned = json.loads(harness("plan", whole.config, "--variant", variant, *words, "--json").out)
        return [case["id"].split("/", 1)[1] for case in planned["cases"]]

    macros = ["macros/cpu_unrolled size=48 UNROLL=2", "macros/cpu_unrolled size=48 UNROLL=8"]
    assert chosen("cpu_u*", "--sweep", "macros", "--sweep", "doubles") == [*macros, "doubles/cpu_unrolled size=24"]
    two = ["--sweep", "sizes", "--sweep", "macros"]
    assert chosen("cpu_u*", *two, "--set", "UNROLL=8", "--set", "size=48") == macros[1:]
    # A value that no sweep has takes the place of those there; a macro is set for the variants that have it.
    assert chosen("cpu_*", *two, "--set", "size=40", "--set", "UNROLL=4") == [
        "sizes/cpu_baseline size=40", "sizes/cpu_unrolled size=40 UNROLL=4", "macros/cpu_unrolled size=40 UNROLL=4"]
    ran = harness("run", whole.config, "--variant", "cpu_unrolled", "--sweep", "sizes", "--set", "size=16", "--json",
                  "--no-report", "--results", whole.folder / "filtered")
    assert ran.code == 0 and list(ran.cases) == ["sizes/cpu_unrolled size=16"]


@pytest.fixture(scope="module")
def submitted(lab):
    """A run with a submission that replaces the baseline, and adds a correct and a wrong variant."""
    baseline = (CORPUS / "correct/plain.cpp").read_text().replace("Three loops and nothing else.", "A student's baseline.")
    work = lab(baseline="cpu_baseline", sweeps=LAB["sweeps"][:1]).variant("cpu_baseline", baseline)
    work.variant("my_ikj", CORPUS / "correct/my_ikj.cpp").variant("my_wrong", CORPUS / "wrong/beta_ignored.cpp")
    return work.run("--set", "size=16", "--quiet", "--gpu", "cuda")


def test_a_submission_replaces_variants_and_adds_variants(submitted):
    rows = {row["name"]: row for row in submitted.document["variants"]}
    assert rows["cpu_baseline"]["from_submission"] is True
    assert rows["cpu_baseline"]["file"] == "cpu_baseline.cpp"
    assert rows["cpu_baseline"]["summary"] == "A student's baseline."
    assert rows["cpu_unrolled"]["from_submission"] is False
    statuses = {case["variant"]: case["status"] for case in submitted.document["cases"] if case["device"] == "cpu"}
    assert statuses == {"cpu_baseline": "PASSED", "cpu_unrolled": "PASSED", "my_ikj": "PASSED", "my_wrong": "WRONG"}


def test_each_line_says_whose_file_it_is(submitted):
    whose = {case["variant"]: case["owner"] for case in submitted.document["cases"]}
    assert whose | {"gpu_naive": "lab"} == {"cpu_baseline": "submission", "cpu_unrolled": "lab", "gpu_naive": "lab",
                                            "my_ikj": "submission", "my_wrong": "submission"}


def test_a_misspelt_file_does_not_grade_the_labs_own(lab):
    work = lab(sweeps=LAB["sweeps"][:1]).variant("cpu_unroled", CORPUS / "correct/my_ikj.cpp")
    ran = work.run("--variant", "cpu_unrolled")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == ("harness: nothing of the submission is selected, only the lab's own cpu_unrolled; the submission "
                       f"has {work.submission}/cpu_unroled.cpp; name a file like the variant that it replaces, "
                       "or select it with --variant cpu_unroled\n")


def test_a_submission_whose_cases_are_all_skipped_fails(lab):
    picky = ('#include "lab/gemm.h"\nLAB_GEMM_CPU(float)(const lab::Gemm<float>&) { throw lab::Unsupported("only n=7"); }\n')
    ran = lab().variant("picky", picky).sweep("cpu_baseline", "picky", size=16).run(report=True).expect(1, picky="SKIPPED")
    why = re.search(r"^picky: a failure, because no case of this submitted variant ran: (.*)$", ran.out, re.M)[1]
    assert re.fullmatch(r"on all \d+ check shapes: the variant does not support it: only n=7", why)
    report = re.search(r"report: (\S+)/report", ran.out)[1]
    with open(f"{report}/report.md") as file:
        assert f"The run fails because no case of the submitted variant `picky` ran: {why}." in file.read()


def test_a_failed_variant_sets_the_exit_code_and_quiet_shows_only_it(submitted):
    assert (submitted.code, submitted.err) == (1, "")
    lines = submitted.out.splitlines()
    assert lines[0] == "WRONG          small/sizes/my_wrong size=16 (submission)"
    assert re.match(r" +on m=\d+ .*; every cell is as if beta were 0: is beta ignored\?", lines[1])
    assert re.match(r"[34] passed, 1 failed, ", lines[2])  # on a machine with a GPU its variant passes too
    assert [line for line in lines[3:] if not line.startswith("report: ")] == []


OPENMP = """#include <omp.h>
#include "lab/gemm.h"
LAB_NEEDS(openmp);
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (omp_get_max_threads() != 2 || omp_get_proc_bind() == omp_proc_bind_false) throw "other threads than the config's";
#pragma omp parallel for
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


HARDLY = """#include "lab/gemm.h"
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m % 16 || g.n % 16 || g.k % 16) throw lab::Unsupported("sizes that 16 does not divide");
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


def test_a_variant_that_declines_only_a_timed_call_is_told_once(lab):
    """A check of its own would take too long for the case."""
    declines = HARDLY.replace("g.m % 16 || g.n % 16 || g.k % 16", "g.m == 512")
    ran = lab(measure={**QUICK, "max_time": "100ms"}).variant("mine", declines).sweep("mine", size=512).run().expect(1, mine="SKIPPED")
    assert [note["code"] for note in ran.case("mine")["notes"]] == ["checked_by_timed_output", "declined"]


def test_a_variant_that_leaves_out_shapes_is_told_and_may_be_refused(lab, tmp_path):
    folder = lab(tmp_path).variant("hardly", HARDLY).sweep("hardly", size=[16, 32])
    told = folder.run(report=True)
    shapes, of = re.search(r"^hardly: it supports only (\d+) of the (\d+) shapes of the check$", told.out, re.M).groups()
    assert told.code == 0 and 0 < int(shapes) < int(of) / 2
    assert told.out.count("it supports only") == 1  # for two cases
    assert f"| {shapes} of {of} |" in (folder.results.folder / "small/latest/report.md").read_text()

    refused = lab(tmp_path, least_shapes="50%").variant("hardly", HARDLY).sweep("hardly", size=[16, 32]).run("--json")
    assert refused.code == 1
    for case in refused.cases.values():
        assert (case["status"], case["reason"]) == (
            "WRONG", f"it supports only {shapes} of the {of} shapes of the check, and this lab asks for 50 % of them: "
                     "the variant does not support it: sizes that 16 does not divide")


def test_inputs_may_be_in_no_cache(lab, tmp_path):
    folder = lab(tmp_path, measure={**QUICK, "cpu_cache": "cold"}).sweep("cpu_baseline", size=[64])
    ran = folder.run("--json").expect(cpu_baseline="PASSED")
    assert ran.document["policy"]["cpu_cache"] == "cold" and ran.end["reused"] == 0
    folder.keys["measure"] = {**QUICK, "cpu_cache": "fresh"}  # another question than before
    assert folder.run("--json").expect(cpu_baseline="PASSED").end["reused"] == 0


def test_openmp_gets_the_threads_of_the_config_on_cores_of_their_own(lab):
    if os.cpu_count() < 2:
        skip("one core")
    flagged = OPENMP.replace("LAB_NEEDS(openmp);", "")
    work = lab(flags={"cxx": ["-fopenmp"]}).variant("needs", OPENMP).variant("flagged", flagged)
    work.sweep("cpu_baseline", "needs", "flagged", size=64, threads=2).run().expect(needs="PASSED", flagged="PASSED")


def test_warnings_of_the_compiler_are_shown_also_from_the_cache(lab):
    silent = OPENMP.replace("LAB_NEEDS(openmp);", "").replace("#include <omp.h>", "").replace("  if (omp", "  // if (omp")
    work = lab().variant("silent", silent).sweep("cpu_baseline", "silent", size=16)
    wanted = ("silent: silent.cpp:6: warning: ignoring '#pragma omp parallel' [-Wunknown-pragmas]; write LAB_NEEDS(openmp); "
              "to use OpenMP")
    for _ in range(2):
        assert wanted in work.run().out.splitlines()


def test_the_budget_is_honoured(lab):
    greedy = {"max_time": "30s", "min_samples": 1_000_000, "max_samples": 1_000_000}
    ran = lab(measure=greedy).run("--budget", "3s", "--json").expect()
    # Without a budget: 30 s a case. How long it really takes is for a benchmark, not for a test on a busy machine.
    assert {case["stop_reason"] for case in ran.cases.values()} == {"budget"}
    assert all(0 < case["metrics"]["kernel_ms"]["n"] < 1_000_000 for case in ran.cases.values())


def test_a_budget_that_is_long_enough_stops_no_case(lab):
    sleeps = "#include <unistd.h>\n" + HARDLY.replace("{\n  if", "{\n  if (g.m == 64) usleep(300'000);\n  if", 1)
    work = lab(measure={**QUICK, "max_time": "200ms"}).variant("mine", sleeps).sweep("mine", size=64)
    assert work.run("--budget", "1h").expect(mine="PASSED").case("mine")["stop_reason"] == "time_cap"


def test_a_budget_that_is_too_short_is_told_early_with_what_to_leave_out(lab, harness):
    work = lab().sweep("cpu_baseline", size=[16, 4096])
    process = work.start("--budget", "40s", "--json")
    events = iter(json.loads(line) for line in process.stdout)
    before = list(itertools.takewhile(lambda event: event["event"] != "measure", events))
    process.send_signal(signal.SIGINT)
    harness.finish(process)
    [told] = [event["text"] for event in before if event["event"] == "warning" and "budget" in event["text"]]
    assert re.fullmatch(r"one call of each case that is left takes about .*, and the budget leaves .*; "
                          r"--longest-call \d+s leaves out 1 case, and one call of each other case takes .*", told), told
    ran = work.run("--budget", "40s", "--longest-call", "1s", "--json").expect()  # one call takes 10 s on any machine
    small, large = sorted(ran.cases.values(), key=lambda case: case["axes"]["size"])
    assert (small["status"], large["status"]) == ("PASSED", "SKIPPED")
    assert re.fullmatch(rf"one call takes about .*, longer than --longest-call allows \(.*\)", large["reason"])
    assert not [event for event in ran.of("warning") if "budget" in event["text"]]


def test_a_run_whose_output_goes_to_a_file_shows_its_progress(lab, monkeypatch):
    monkeypatch.setenv("HARNESS_PROGRESS_S", "0")
    said = lab().run("--fresh").expect().err.splitlines()
    assert "checking the check" in said
    assert [line for line in said if line.startswith("building 1/")]
    assert [line for line in said if re.match(r"\[\d+/\d+\] timing ", line)]
    monkeypatch.setenv("HARNESS_PROGRESS_S", "3600")
    assert "checking" not in lab().run("--fresh").expect().err


TILES = """#include "lab/gemm.h"
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m %% 128 || g.n %% 128 || g.k %% 128) throw lab::Unsupported("multiples of 128 only");
  for (int64_t i = 0; i < g.%s; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


def test_a_variant_of_large_tiles_is_checked_on_whole_tiles(lab):
    """None of the usual shapes has edges that are multiples of 128."""
    work = lab().variant("mine", TILES % "m").variant("square", TILES % "n").sweep("cpu_baseline", "mine", "square", size=128)
    ran = work.run("--variant", "mine", "--variant", "square").expect(1, mine="PASSED", square="WRONG")
    assert ran.case("mine")["check"]["shapes"] == 1
    assert ran.case("square")["reason"].startswith("on m=384 n=128 k=256: ")
