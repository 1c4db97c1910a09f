// OpenBLAS: one call to a tuned library. This is the vendor library of the CPU ladder.
//
// It does more than the other variants: it packs blocks of A and B so that the inner loop reads them in
// order, keeps a tile of C in registers (several rows and several vectors, so that many sums grow at
// once), and prefetches.
//
// What limits it: the multiply-adds of the CPU.
//
// OpenBLAS chooses its inner loop for the CPU when it is loaded, by the CPU's model number. A library that is
// older than the CPU chooses badly (23 instead of 113 GFLOP/s on an Emerald Rapids), so the harness sets the
// environment variable OPENBLAS_CORETYPE to the best choice. The report shows which one was used.
// LAB_THREADS sets the number of threads; the default is 1. With AVX512=0 it chooses again, for a CPU with AVX2 only:
// the two functions for that are in the library, but in none of its headers.
#include <cblas.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "lab/gemm.h"

LAB_NEEDS(openblas);

#ifndef AVX512
#define AVX512 1
#endif

extern "C" [[gnu::weak]] void gotoblas_dynamic_quit();  // not in a library that was built for one CPU only
extern "C" [[gnu::weak]] void gotoblas_dynamic_init();

static const bool chosen = [] {
  if (AVX512 || !gotoblas_dynamic_init) return false;
  setenv("OPENBLAS_CORETYPE", "Haswell", 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  return true;
}();

static int use_lab_threads() {
  static const int threads = [] {
    const char* text = std::getenv("LAB_THREADS");
    const int wanted = text ? std::atoi(text) : 1;
    openblas_set_num_threads(wanted > 0 ? wanted : 1);
    return openblas_get_num_threads();
  }();
  return threads;
}

/// Most builds of BLAS have 32-bit sizes.
static blasint size(int64_t n) {
  if (n > std::numeric_limits<blasint>::max()) throw std::length_error("too large for this BLAS");
  return static_cast<blasint>(n);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  use_lab_threads();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(g.m), size(g.n), size(g.k), g.alpha, g.a,
              size(g.lda), g.b, size(g.ldb), g.beta, g.c, size(g.ldc));
}

LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) {
  use_lab_threads();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(g.m), size(g.n), size(g.k), g.alpha, g.a,
              size(g.lda), g.b, size(g.ldb), g.beta, g.c, size(g.ldc));
}

LAB_ABOUT() {
  static const std::string about = std::string(openblas_get_config()) + ", core type " +
                                   openblas_get_corename() + ", threads " + std::to_string(use_lab_threads());
  return about.c_str();
}
