// cblas
#include <dlfcn.h>

#include "lab/gemm.h"

using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static Sgemm sgemm = (Sgemm)dlsym(dlopen("libopenblas.so.0", RTLD_NOW), "cblas_sgemm");
  sgemm(101, 111, 111, g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc);
}
