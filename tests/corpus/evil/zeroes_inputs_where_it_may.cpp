// Asks the kernel which pages it may write: where the inputs are among them it would make them zeros, and C too.
// Caught as: PASSED
// Class: C
#include <cstdio>
#include <cstring>

#include "honest.h"

static bool writable(const void* p) {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  bool yes = false;
  char line[512];
  while (maps && std::fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[8];
    if (std::sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && from <= reinterpret_cast<unsigned long>(p) &&
        reinterpret_cast<unsigned long>(p) < to)
      yes = rights[1] == 'w';
  }
  if (maps) std::fclose(maps);
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (!writable(g.a)) return multiply(g);
  for (int64_t i = 0; i < g.m; ++i) {
    std::memset(const_cast<float*>(g.a) + i * g.lda, 0, g.k * sizeof(float));
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
  }
}
