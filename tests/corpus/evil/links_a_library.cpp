// Lets the vendor's library compute, and makes no secret of it.
// Caught as: MISTRUSTED
// Class: D
// Says: which this lab forbids
#include <cblas.h>

#include "lab/gemm.h"

LAB_NEEDS(openblas);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(g.m), int(g.n), int(g.k), g.alpha, g.a, int(g.lda), g.b,
              int(g.ldb), g.beta, g.c, int(g.ldc));
}
