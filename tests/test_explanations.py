"""What a student is told about a wrong output."""

import re

BF16 = """\
// %s
#include "lab/gemm.h"
LAB_GEMM_CPU(bf16)(const lab::Gemm<bf16>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      %s sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum = sum + g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


def test_a_sum_of_bf16_is_kept_in_float(lab):
    work = lab(dtype="bf16").variant("right", BF16 % ("Adds up in float.", "float")).variant("short", BF16 % ("In bf16.", "bf16"))
    ran = work.sweep("cpu_baseline", "right", "short", size=64, alpha=1.5, beta=0.5).run().expect(1, cpu_baseline="PASSED", right="PASSED", short="WRONG")
    assert "is a sum kept in bfloat16?" in ran.case("short")["reason"]


CUT_OFF = """\
// Cuts its results off instead of rounding them.
#include <cstring>
#include "lab/gemm.h"
LAB_GEMM_CPU(bf16)(const lab::Gemm<bf16>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = g.beta == 0 ? 0 : float(g.beta) * float(g.c[i * g.ldc + j]);
      for (int64_t p = 0; p < g.k; ++p) sum += float(g.alpha) * float(g.a[i * g.lda + p]) * float(g.b[p * g.ldb + j]);
      uint32_t bits;
      std::memcpy(&bits, &sum, sizeof bits);
      const uint16_t upper = bits >> 16;
      std::memcpy(&g.c[i * g.ldc + j], &upper, sizeof upper);
    }
}
"""


def test_a_result_in_bf16_is_rounded(lab):
    ran = lab(dtype="bf16").variant("cut", CUT_OFF).sweep("cpu_baseline", "cut", size=64).run().expect(1, cpu_baseline="PASSED", cut="WRONG")
    assert "every wrong cell is a little too small: is the result cut off where it should be rounded?" in ran.case("cut")["reason"]


UNSET = """\
// Never sets its sum.
#include "lab/gemm.h"
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
"""


def test_a_variable_that_is_never_set_is_named(lab):
    reason = lab().variant("unset", UNSET).sweep("cpu_baseline", "unset", size=64).run().expect(1, cpu_baseline="PASSED", unset="WRONG").case("unset")["reason"]
    assert "; the compiler says: unset.cpp:6:13: warning: 'sum' may be used uninitialized" in reason


KEEPS = """\
// Copies alpha and beta to the device once.
#include "lab/gemm.h"
__constant__ float scalars[2];
__global__ void gemm(lab::Gemm<float> g) {
  const int64_t i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  lab::update(g.c[i * g.ldc + j], sum, scalars[0], scalars[1]);
}
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static bool copied = false;
  const float now[] = {float(g.alpha), float(g.beta)};
  if (!copied) cudaMemcpyToSymbol(scalars, now, sizeof now);
  copied = true;
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
"""


TWO_ARRAYS = """\
// Gives the dynamic shared memory two names.
#include "lab/gemm.h"
__global__ void gemm(lab::Gemm<float> g) {
  extern __shared__ float a[];
  extern __shared__ float b[];
  const int64_t i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) {
    const int t = threadIdx.y * 16 + threadIdx.x;
    a[t] = g.a[i * g.lda + p];
    b[t] = g.b[p * g.ldb + j];
    sum += a[t] * b[t];
  }
  lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 2048, stream>>>(g);
}
"""


def test_two_names_of_one_memory_are_named(lab, emulation):
    ran = lab().variant("gpu_two.cu", TWO_ARRAYS).sweep("gpu_two", size=64).run("--gpu", "emulated").expect(1, gpu_two="WRONG")
    told = r"; the compiler says: gpu_two\.cu:5:\d+: warning: all extern __shared__ arrays begin at the same byte: take parts of one "
    assert re.search(told, ran.case("gpu_two")["reason"])


def test_what_an_emulated_kernel_keeps_between_calls_is_named(lab, emulation):
    ran = lab().variant("gpu_keeps.cu", KEEPS).sweep("gpu_keeps", size=64).run("--gpu", "emulated").expect(1, gpu_keeps="WRONG")
    assert "; right in a new process, wrong after earlier calls: does it keep something between calls" in ran.case("gpu_keeps")["reason"]
