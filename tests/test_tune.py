"""Parameters of a variant are searched: slower cases end early, and the fastest values are written beside the source."""

from conftest import QUICK

# The time follows from WASTE alone: neighbours differ by a factor of 20.
SOURCE = """\
// Loops, after a loop that wastes time.
#include "lab/gemm.h"
#ifndef WASTE
#define WASTE 400
#endif
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (volatile int i = 0; i < WASTE * 1000; i = i + 1) {
  }
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""
MEASURE = {**QUICK, "min_samples": 24, "max_samples": 24}


def test_slower_cases_get_fewer_samples_if_the_config_says_so(lab):
    work = lab(measure={**MEASURE, "drop_slower": True}).variant("mine", SOURCE).sweep(size=[24], WASTE=[1, 20, 400])
    ran = work.run().expect(mine="PASSED")
    got = {case["axes"]["WASTE"]: (len(case["samples_ms"]), case["stop_reason"] == "slower") for case in ran.document["cases"]}
    assert got == {1: (24, False), 20: (16, True), 400: (8, True)}
    assert ran.document["policy"]["drop_slower"] is True
    again = work.run()
    assert {case["reused_from"] for case in again.document["cases"]} == {ran.document["run"]["id"]}
