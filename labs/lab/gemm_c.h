// lab/gemm.h in C:
//
//   LAB_GEMM_CPU(float)(const lab_gemm_float* g) { ... }
//   LAB_GEMM_WORKSPACE(float)(const lab_gemm_float* g) { return g->k * g->n * sizeof(float); }
#pragma once

#include "lab/c.h"

struct lab_gemm_problem {  // GemmProblem
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
};

#define LAB_GEMM_TYPE(T)                                                                                       \
  typedef struct lab_gemm_##T {                                                                                \
    int64_t m, n, k;                                                                                           \
    T alpha;                                                                                                   \
    const T* a;                                                                                                \
    int64_t lda;                                                                                               \
    const T* b;                                                                                                \
    int64_t ldb;                                                                                               \
    T beta;                                                                                                    \
    T* c;                                                                                                      \
    int64_t ldc;                                                                                               \
    void* workspace;                                                                                           \
  } lab_gemm_##T;                                                                                              \
  static inline lab_gemm_##T lab_unpack_gemm_##T(const void* problem, void* const* buffers, void* workspace) { \
    const struct lab_gemm_problem* p = (const struct lab_gemm_problem*)problem;                                \
    const lab_gemm_##T g = {p->m,                                                                              \
                            p->n,                                                                              \
                            p->k,                                                                              \
                            (T)p->alpha,                                                                       \
                            buffers ? (const T*)buffers[0] : NULL,                                             \
                            p->lda,                                                                            \
                            buffers ? (const T*)buffers[1] : NULL,                                             \
                            p->ldb,                                                                            \
                            (T)p->beta,                                                                        \
                            buffers ? (T*)buffers[2] : NULL,                                                   \
                            p->ldc,                                                                            \
                            workspace};                                                                        \
    return g;                                                                                                  \
  }                                                                                                            \
  /* The last step: one element of C from its sum of products. With beta == 0, C is not read. */               \
  static inline void lab_update_##T(T* c, T sum, T alpha, T beta) {                                            \
    *c = beta == 0 ? alpha * sum : alpha * sum + beta * *c;                                                    \
  }

LAB_GEMM_TYPE(float)
LAB_GEMM_TYPE(double)

#define LAB_GEMM_CPU(T) LAB_C_CPU(gemm, T)
#define LAB_GEMM_WORKSPACE(T) LAB_C_WORKSPACE(gemm, T)
