// Pins its only thread to a core that it may use, and takes an error for an error.
#include <pthread.h>
#include <sched.h>

#include <stdexcept>

#include "lab/gemm.h"

static void pin() {
  cpu_set_t usable, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) throw std::runtime_error("which cores may it use?");
  int core = 0;
  while (!CPU_ISSET(core, &usable)) ++core;
  CPU_SET(core, &one);
  if (pthread_setaffinity_np(pthread_self(), sizeof one, &one) != 0) throw std::runtime_error("cannot pin a thread to its core");
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  pin();
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
