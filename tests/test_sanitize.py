"""`harness run --sanitize`: gcc's sanitizers on CPU variants, with the line of the mistake."""

import os
import re
from pathlib import Path

import pytest
from conftest import CORPUS, QUICK
from small_class import RIGHT as PLAIN
from small_class import pupils  # noqa: F401, a fixture

RIGHT = """#include "lab/gemm.h"
#include <thread>
#include <vector>
LAB_NEEDS(threads);
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const auto rows = [&](int64_t from) {
    for (int64_t i = from; i < g.m; i += 2)
      for (int64_t j = 0; j < g.n; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
        lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
      }
  };
  std::thread other(rows, 1);
  rows(0);
  other.join();
}
"""
# The mistakes do no harm to the result, so that nothing else finds them.
MISTAKES = {
    "thread": (RIGHT.replace("  const auto rows", "  int64_t done = 0;\n  const auto rows")
               .replace("        float sum = 0;", "        float sum = 0; ++done;"), "WRONG",
               "data race: a (write|read) at mine.cpp:10 and, in another thread, a write at mine.cpp:10; usually: give each "
               "thread its own data, or protect it with a std::mutex"),
    "address": (RIGHT.replace("float sum = 0;", "std::vector<float> sums(3); float sum = sums.data()[3] * 0;"), "OUT_OF_BOUNDS",
                r"mine.cpp:9: heap-buffer-overflow \(READ of size 4\)"),
    "undefined": (RIGHT.replace("float sum = 0;", "float sum = 0; volatile int x = 2147483647; x = x + 1;"), "WRONG",
                  "mine.cpp:9: undefined behaviour: signed integer overflow: 2147483647 [+] 1 cannot be represented in type 'int'"),
}


@pytest.mark.parametrize("sanitizer", MISTAKES)
def test_a_mistake_is_told_with_its_line(lab, sanitizer):
    source, status, reason = MISTAKES[sanitizer]
    work = lab().variant("mine", source).variant("right", RIGHT).sweep("cpu_baseline", "mine", "right", "gpu_naive", size=40)
    ran = work.run("--sanitize", sanitizer, "--gpu", "cuda").expect(1, mine=status, right="PASSED", gpu_naive="SKIPPED")
    assert re.search(reason, ran.case("mine")["reason"]), ran.case("mine")["reason"]
    right = ran.case("right")
    assert right["samples_ms"] == [] and right["check"]["shapes"] > 10
    assert [note["text"] for note in right["notes"]] == [
        f'this case was checked with the sanitizer "{sanitizer}"; no time was taken']
    assert ran.case("gpu_naive")["reason"] == ("--sanitize is for CPU variants; the emulated device looks for such mistakes "
                                               "of GPU variants")


# It reads what the thread wrote before it joins it. Fences order this.
FENCES = RIGHT.replace("#include <thread>", "#include <atomic>\n#include <thread>").replace("""  std::thread other(rows, 1);
  rows(0);
""", """  int64_t done = 0;
  std::atomic<bool> ready{false};
  std::thread other([&] {
    rows(1);
    done = g.m;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  rows(0);
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  if (done != g.m) throw lab::Unsupported("rows are missing");
""")


def test_a_source_with_fences_is_not_looked_at(lab):
    work = lab().variant("mine", FENCES).sweep("mine", size=40, threads=2)
    ran = work.run("--sanitize", "thread").expect(mine="SKIPPED")
    assert ran.case("mine")["reason"] == ("--sanitize thread does not understand std::atomic_thread_fence, so it did not look "
                                          "for races in this source")
    work.run("--sanitize", "address").expect(mine="PASSED")


BEGIN = "lab::Gemm<float>& g) {\n"


def test_exceptions_work_as_without_a_sanitizer(lab):
    throws = BEGIN + """  if (g.k % 2) throw lab::Unsupported("even k only");
  try { std::vector<float>().at(g.k); } catch (const std::out_of_range&) {}
"""
    ran = lab().variant("mine", RIGHT.replace(BEGIN, throws)).sweep("mine", size=40).run("--sanitize", "address").expect(mine="PASSED")
    assert ran.case("mine")["check"]["left_out"] > 0


def test_the_look_at_a_submission_goes_on_where_it_learns_nothing(pupils):
    overruns = BEGIN + """  if (g.m == 1) throw lab::Unsupported("m > 1 only");
#ifdef __SANITIZE_ADDRESS__
  if (g.m == 7) __builtin_abort();
#endif
  std::vector<float> sums(g.n);
  volatile float* at = sums.data();
  if (g.k > 20) (void)at[g.n];
"""
    pupils.submit("anna", "#include <vector>\n" + PLAIN.replace(BEGIN, overruns, 1))
    assert pupils.grade().code == 0
    assert "heap-buffer-overflow" in (pupils.grades_folder / "students/anna/feedback.md").read_text()


def test_the_look_at_a_submission_with_fences_is_for_other_mistakes(pupils):
    pupils.lab.keys["sweeps"][0]["axes"]["threads"] = 2
    overruns = BEGIN + "  std::vector<float> sums(g.n);\n  volatile float* at = sums.data();\n  if (g.k > 20) (void)at[g.n];\n"
    pupils.submit("anna", FENCES).submit("ben", FENCES.replace(BEGIN, overruns))
    assert pupils.grade().code == 0
    anna, ben = ((pupils.grades_folder / f"students/{name}/feedback.md").read_text() for name in ("anna", "ben"))
    assert pupils.points("anna")["right"] == 20 and "data race" not in anna + ben
    assert "heap-buffer-overflow" in ben and "heap-buffer-overflow" not in anna


def test_the_line_is_found_in_a_relative_folder(lab):
    source, status, reason = MISTAKES["undefined"]
    work = lab().variant("mine", source).sweep(size=40)
    work.submission = Path(os.path.relpath(work.submission))
    ran = work.run("--sanitize", "undefined").expect(1, mine=status)
    assert re.search(reason, ran.case("mine")["reason"]), ran.case("mine")["reason"]


def test_a_result_that_differs_between_runs_is_called_a_race(lab):
    work = lab().variant("mine", CORPUS / "wrong/threads_share_a_sum.cpp").sweep("cpu_baseline", "mine", size=40, threads=2)
    assert work.run().expect(1, mine="WRONG").case("mine")["reason"].endswith("; differs between runs: a race?")


OPENMP = """#include "lab/gemm.h"
LAB_NEEDS(openmp);
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
#pragma omp parallel for
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


@pytest.mark.parametrize("own", [OPENMP, RIGHT], ids=["OpenMP", "std::thread"])
def test_a_race_that_optimization_hides(lab, own):
    """With optimization each thread keeps the sum in a register of its own."""
    begin = "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {\n"
    shared = own.replace("float sum = 0;", "sum = 0;").replace(begin, begin + "  float sum;\n")
    ran = lab(measure=QUICK).variant("mine", shared).variant("right", own).sweep("mine", "right", size=40, threads=2).run()
    ran.expect(1, mine="WRONG")
    assert ran.case("mine")["reason"].endswith(
        "; right only with optimization: is a variable shared that each thread needs for itself, or does the call return before its threads have ended?"), ran.case("mine")["reason"]
    assert ran.case("right")["status"] in ("PASSED", "UNSTABLE"), ran.case("right")["reason"]
