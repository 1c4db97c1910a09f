// oneDNN: another vendor library of the CPU ladder, f32 only. It writes the code of its inner loop for the CPU that it
// finds, so it knows new models better than a library that chooses by model.
//
// The harness sets OMP_NUM_THREADS, which oneDNN obeys. With AVX512=0 it uses AVX2 only.
//
// What limits it: the multiply-adds of the CPU.
#include <dnnl.h>

#include <stdexcept>
#include <string>

#include "lab/gemm.h"

LAB_NEEDS(onednn);

#ifndef AVX512
#define AVX512 1
#endif

/// Before the first call, because oneDNN then writes its code.
static const bool limited = !AVX512 && dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2) == dnnl_success;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (dnnl_sgemm('N', 'N', g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc) != dnnl_success)
    throw std::runtime_error("dnnl_sgemm failed");
}

LAB_ABOUT() {
  static const std::string about = [] {
    const dnnl_version_t& v = *dnnl_version();
    return "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch) +
           (limited ? ", AVX2" : "");
  }();
  return about.c_str();
}
