// BLIS: another vendor library of the CPU ladder, often faster than OpenBLAS in f64.
//
// BLIS chooses its kernels by the CPU's model. Version 0.9 knows none of AMD's with AVX-512 and uses plain C there (19
// instead of 97 GFLOP/s in f64 on a Zen 5), so this file asks for the kernels of Skylake-X. The report shows which were
// used. LAB_THREADS sets the number of threads; the default is 1. AVX512=0 asks for the kernels of Haswell (AVX2).
//
// What limits it: the multiply-adds of the CPU.
#include <blis.h>

#include <cstdlib>
#include <string>

#include "lab/gemm.h"

LAB_NEEDS(blis);

#ifndef AVX512
#define AVX512 1
#endif

/// Before the first call, because BLIS then chooses.
static const bool ready = [] {
  if (!AVX512)
    setenv("BLIS_ARCH_TYPE", std::to_string(BLIS_ARCH_HASWELL).c_str(), 1);
  else if (__builtin_cpu_supports("avx512dq"))
    setenv("BLIS_ARCH_TYPE", std::to_string(BLIS_ARCH_SKX).c_str(), 0);
  const char* const threads = std::getenv("LAB_THREADS");
  setenv("BLIS_NUM_THREADS", threads ? threads : "1", 1);
  return true;
}();

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  rntm_t how = BLIS_RNTM_INITIALIZER;
  bli_rntm_init_from_global(&how);
  // The kernels that BLIS 0.9 has for small problems read up to 8 bytes past the end of C, if n is no multiple of 4.
  if (g.n % 4 != 0) bli_rntm_disable_l3_sup(&how);
  bli_sgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, g.m, g.n, g.k, const_cast<float*>(&g.alpha), const_cast<float*>(g.a),
               g.lda, 1, const_cast<float*>(g.b), g.ldb, 1, const_cast<float*>(&g.beta), g.c, g.ldc, 1, nullptr, &how);
}

LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) {
  bli_dgemm(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, g.m, g.n, g.k, const_cast<double*>(&g.alpha),
            const_cast<double*>(g.a), g.lda, 1, const_cast<double*>(g.b), g.ldb, 1, const_cast<double*>(&g.beta), g.c,
            g.ldc, 1);
}

LAB_ABOUT() {
  static const std::string about = std::string("BLIS ") + bli_info_get_version_str() + ", kernels for " +
                                   bli_arch_string(bli_arch_query_id()) + ", threads " +
                                   std::to_string(bli_thread_get_num_threads());
  return about.c_str();
}
