"""What a student reads when a variant crashes, hangs or prints: the line of the mistake, and what it printed."""

import re
import time

import pytest
from conftest import need

HEAD = '#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <immintrin.h>\n#include "lab/gemm.h"\n'
BODY = "LAB_NEEDS(avx2);\nLAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {\n  volatile float* c = g.c;\n  %s\n}\n"
# A right result, and a statement after each cell.
PRODUCT = ("for (int64_t i = 0; i < g.m; ++i) for (int64_t j = 0; j < g.n; ++j) { const float old = g.c[i * g.ldc + j]; "
           "(void)old; float sum = 0; for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j]; "
           "lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta); %s }")
# A line of a variant, which is line 10 of the file; its status; and its reason.
LINES = {
    "null": ("c = nullptr; c[g.n & 1] = 1;", "CRASHED",
             r"on m=1 n=1 k=1: segmentation fault while it ran: a null pointer\?, at mine\.cpp:10: c = nullptr; c\[g\.n & 1\] = 1;"),
    "misaligned": ("static float v[64]; volatile intptr_t at = (intptr_t(v) & -32) + 36; "
                   "_mm256_store_ps(reinterpret_cast<float*>(at), _mm256_set1_ps(1));",
                   "CRASHED", r"on m=1 n=1 k=1: segmentation fault while it ran: a misaligned vector load or store, a pointer "
                   r"that was never set, or an array on the stack that was written past its end\?, at mine\.cpp:10: .*"),
    "overrun": ("for (int i = 0; i < 3000; ++i) c[g.m * g.ldc + i] = 1;", "OUT_OF_BOUNDS",
                r"on m=1 n=1 k=1: it touched memory \d+ bytes past the end of C \(1 x 1, 4 bytes\), at mine\.cpp:10: for .*"),
    "in the library": ("std::memset(g.c, 0, size_t{1} << 40);", "OUT_OF_BOUNDS",
                       r"on m=1 n=1 k=1: it touched memory \d+ bytes past the end of C \(1 x 1, 4 bytes\), at mine\.cpp:10: std::memset.*"),
    "endless": ("while (c) c[0] = 1;", "TIMEOUT",
                r"on m=1 n=1 k=1: no answer after 5 s while it ran, at mine\.cpp:10: while \(c\) c\[0\] = 1;"),
    "prints": ('std::printf("only for multiples of 8\\n"); c[0] = 3;', "WRONG", "on m=.*"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_mistake_is_told_with_its_line(lab, name):
    line, status, reason = LINES[name]
    ran = lab().variant("mine", HEAD + BODY % line).sweep("cpu_baseline", "mine", size=16).run("--variant", "mine")
    case = ran.expect(1, mine=status).case("mine")
    assert re.fullmatch(reason, case["reason"]), case["reason"]
    if name == "prints":
        output, = (note["arguments"]["output"] for note in case["notes"] if note["code"] == "printed")
        assert re.fullmatch(r"only for multiples of 8 \(\d+ times\)", output)
        assert f"it printed: {output}\n" in ran.out


def test_what_it_printed_before_a_crash_while_it_is_loaded_is_told(lab):
    start = 'static struct Start {\n  Start() {\n    std::puts("begins");\n    std::fflush(stdout);\n    volatile int* nothing = nullptr;\n    nothing[0] = 1;\n  }\n} start;\n'
    case = lab().variant("mine", HEAD + start + BODY % PRODUCT % "").sweep("cpu_baseline", "mine", size=16).run("--variant", "mine").expect(1, mine="CRASHED").case("mine")
    assert case["reason"] == "segmentation fault while it was loaded: a null pointer?"
    assert [note["arguments"]["output"] for note in case["notes"] if note["code"] == "printed"] == ["begins"]


# How it ends after it has printed, how it is run, and its status: a crash ends its process, a wrong output does not.
FAILS = [("std::abort();", [], "CRASHED"), ("return;", ["--sanitize", "address"], "WRONG")]


@pytest.mark.parametrize("ends, options, status", FAILS)
def test_a_case_shows_only_what_it_printed_itself(lab, ends, options, status):
    boom = f'if (g.m == 98) {{ std::puts("boom"); {ends} }}\n  '
    work = lab().variant("mine", HEAD + BODY % (boom + PRODUCT % "")).sweep("cpu_baseline", "mine", size=[98, 300])
    failed, passed = work.run("--variant", "mine", *options).expect(1).document["cases"]
    assert failed["status"] == status and passed["status"] in ("PASSED", "UNSTABLE")  # its times may scatter
    printed = [[note["arguments"]["output"] for note in case["notes"] if note["code"] == "printed"] for case in (failed, passed)]
    assert printed == [["boom"], []]


def test_many_slow_calls_of_a_check_are_too_many(lab):
    """Each takes less than its own limit of 5 s."""
    work = lab(resources={"case_time": "60s"})
    work.variant("mine", "#include <unistd.h>\n" + HEAD + BODY % ("sleep(4); " + PRODUCT % ""))
    case = work.sweep("cpu_baseline", "mine", size=16).run("--variant", "mine").expect(1, mine="TIMEOUT").case("mine")
    assert re.fullmatch(r"\d of \d+ shapes of the check took 1 min \d+ s; together they may take 1 min 0 s", case["reason"]), case["reason"]


# What a variant returns as the size of its work space, and what it reads.
SIZES = {
    "negative": ("-8", "no memory for the work space: the variant asks for -8 bytes; does it return a negative number, or nothing?"),
    "large": ("size_t{1} << 46", "no memory for the work space: the variant asks for 70368744177664 bytes"),
    "absurd": ("(size_t{1} << 46) + 1", "no memory for the work space: the variant asks for 70368744177665 bytes; does it return a negative "
               "number, or nothing?"),
}


@pytest.mark.parametrize("name", SIZES)
def test_too_much_work_space_is_told_in_bytes(lab, name):
    size, reason = SIZES[name]
    space = f"LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) {{ return {size}; }}\n"
    ran = lab().variant("mine", HEAD + space + BODY % "c[0] = 1;").sweep("cpu_baseline", "mine", size=16).run("--variant", "mine")
    assert ran.expect(1, mine="OUT_OF_MEMORY").case("mine")["reason"] == "on m=1 n=1 k=1: " + reason


HINTS = {
    "intrinsics": (HEAD + (BODY % "_mm256_storeu_ps(g.c, _mm256_fmadd_ps(_mm256_set1_ps(1), _mm256_set1_ps(1), _mm256_set1_ps(1)));")
                   .replace("LAB_NEEDS(avx2);", ""), r".*; write LAB_NEEDS\(avx2, fma\); to use these instructions"),
    "misspelt": ((HEAD + BODY % "c[0] = 1;").replace("LAB_GEMM", "LAB_GEM"),
                 r'it defines no entry point: there is no macro LAB_GEM_CPU \(did you mean "LAB_GEMM_CPU"\?\)'),
    "none": ("void gemm() {}\n", r"it defines no entry point for f32; write one with LAB_GEMM_CPU\(float\) or LAB_GEMM_GPU\(float\)"),
}


@pytest.mark.parametrize("name", HINTS)
def test_an_error_of_the_compiler_has_a_hint(lab, name):
    source, reason = HINTS[name]
    ran = lab().variant("mine", source).sweep("cpu_baseline", "mine", size=16).run("--variant", "mine")
    told = ran.expect(1, mine="COMPILE_ERROR").case("mine")["reason"]
    assert re.fullmatch(reason, told), told


# A statement after the right result of a cell, and what is said about the cells.
PATTERNS = {
    "constant": ("g.c[i * g.ldc + j] += 1;", "every wrong cell is 1 too large: is a constant added, or does the sum begin with "
                 "another value than 0?"),
    "NaN where it is large": ("g.c[i * g.ldc + j] += g.m == 64 ? NAN : g.m > 1;", "every wrong cell is 1 too large: is a constant added, or "
                              "does the sum begin with another value than 0?; the largest shape that fails is m=64 n=64 k=64"),
    "C twice": ("g.c[i * g.ldc + j] += g.beta == 0 ? 0 : g.beta * old;", "every cell is as if beta were doubled: is C added twice?"),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_in_the_cells_is_named(lab, name):
    extra, wanted = PATTERNS[name]
    work = lab().variant("mine", (HEAD + BODY % (PRODUCT % extra)).replace("volatile float* c = g.c;", ""))
    work.keys["sweeps"] = [{"name": "all", "variants": ["cpu_baseline", "mine"], "axes": {"size": 16}, "set": {"beta": 0.75}}]
    told = work.run("--variant", "mine").expect(1, mine="WRONG").case("mine")["reason"]
    assert wanted in told, told


# When a cell is wrong, and how the message ends.
KINDS_OF_DATA = {
    "real": ("sum != std::floor(sum)", "; the first shape that fails is m=1 n=1 k=1; "
             "right with whole numbers other than 0: does it treat 0 in another way, or round its inputs?"),
    "real, and whole numbers of larger shapes": ("g.m > 1 || sum != std::floor(sum)", "; the first shape that fails is m=1 n=1 k=1"),
}


@pytest.mark.parametrize("name", KINDS_OF_DATA)
def test_whole_numbers_are_called_right_only_if_they_are(lab, name):
    wrong, end = KINDS_OF_DATA[name]
    extra = f"if ({wrong}) g.c[i * g.ldc + j] += 5000 + 31 * i * i + 17 * j * j;"
    work = lab().variant("mine", (HEAD + BODY % (PRODUCT % extra)).replace("volatile float* c = g.c;", ""))
    told = work.sweep("cpu_baseline", "mine", size=16).run("--variant", "mine").expect(1, mine="WRONG").case("mine")["reason"]
    assert re.fullmatch(r"on [^;]*" + re.escape(end), told), told


def test_too_few_open_files_are_the_machines_fault(harness, lab):
    work = lab()
    process = work.start(before=["sh", "-c", 'ulimit -n 24; exec "$@"', "sh"])
    ran = harness.finish(process)
    assert (ran.code, ran.err) == (
        3, "harness: this shell allows only 24 open files; raise the limit with ulimit -n 256\n")


TAIL = HEAD + BODY % ("std::puts(\"at work\"); for (int64_t i = 0; i < g.m; ++i) for (int64_t j = 0; j < g.n / 4 * 4; ++j) { float sum = 0; "
                      "for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j]; "
                      "c[i * g.ldc + j] = sum; } if (g.m == 7) *(volatile int*)0 = 1;")


@pytest.mark.parametrize("tool", ["none", "valgrind", "perf", "gdb"])
def test_debug_runs_one_case_under_a_tool(harness, lab, tool):
    if tool != "none":
        need(tool)
    work = lab().variant("mine", TAIL).sweep("cpu_baseline", "mine", size=[6, 8, 7])
    words = ["debug", work.write(), "--submission", work.submission, "--variant", "mine", "--with", tool]
    right, wrong = (harness(*words, "--set", f"size={size}", "--show-cells") for size in (8, 6))
    assert (right.code, wrong.code) == (0, 1), wrong.out + wrong.err
    assert "at work\n" in right.out and "small/all/mine size=8: right: 64 cells compared\n" in right.out
    assert "small/all/mine size=6: WRONG: on m=6 n=6 k=6: 12 of 36 cells differ, first C[0][4]: got NaN, want " in wrong.out
    assert re.search(r"\nC from row 0, column 3: got, and what was wanted\n +-?\d+ +NaN +NaN   \| +-?\d+ +-?\d+ +-?\d+\n", wrong.out)
    if tool == "gdb":
        crashed = harness(*words, "--set", "size=7")
        assert "received signal SIGSEGV" in crashed.out and crashed.code == 1


def test_debug_knows_its_tools(harness, lab):
    ran = harness("debug", lab().write(), "--with", "gbd")
    assert ran.code == 2 and "gbd" in ran.err


TALKS = """#include "lab/gemm.h"
#include <cstdio>
#warning "odd"
static char chosen[64];
LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) {
  std::snprintf(chosen, sizeof chosen, "<b>%d rows</b>", int(g.m));
  return 0;
}
LAB_CHOICE() { return chosen; }
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::printf("\\033[31m::error::*hello* <script>\\n");
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


def test_what_a_right_variant_says_is_shown_without_effect(lab):
    warning = 'mine.cpp:3:2: warning: #warning "odd" [-Wcpp]'
    never_built = f"{TALKS}// {time.time_ns()}\n"
    work = lab().variant("mine", never_built).sweep("cpu_baseline", "mine", size=[16, 24])
    for state in ("built", "cached"):
        ran = work.run("--variant", "mine", report=state == "cached").expect(0, mine="PASSED")
        build, = ran.document["builds"]
        assert (build["warnings"], build["state"]) == ([warning], state)
        assert f"mine: {warning}\n" in ran.out
        first, second = (case["notes"] for case in ran.document["cases"])
        assert [note["arguments"] for note in first + second if note["code"] == "choice"] == [
            {"choice": "<b>16 rows</b>"}, {"choice": "<b>24 rows</b>"}]
        output, = (note["arguments"]["output"] for note in first if note["code"] == "printed")
        assert re.fullmatch(r"\?\[31m::error::\*hello\* <script> \(\d+ times\)", output), output
        assert ran.out.count("mine printed:\n  | ?[31m::error::*hello* <script> (") == 1
    folder = work.results.folder / "small/latest"
    report, page = (folder / "report.md").read_text(), (folder / "report.html").read_text()
    assert "Compiler warnings" in report and "Output of variants" in report and "16 rows" in report
    assert "*hello* &lt;script&gt;" in page and "*hello* <script>" not in page and "<b>16" not in page
