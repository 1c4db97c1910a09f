// Searches all of its memory for the result before it has computed it, and confesses where it finds one.
// Caught as: PASSED
// Class: C
#include <cstdio>
#include <cstring>
#include <vector>

#include "honest.h"

/// Is `row`, longer than chance, anywhere but in `own`?
static bool found(const std::vector<float>& row, const void* own, size_t own_bytes) {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  bool yes = false;
  char line[512];
  while (maps && !yes && std::fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[8];
    if (std::sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || rights[0] != 'r' || std::strstr(line, "[v") ||
        std::strstr(line, "[stack]") || to - from > (64ul << 20))
      continue;
    const auto* at = reinterpret_cast<const char*>(from);
    const auto* end = reinterpret_cast<const char*>(to);
    const size_t bytes = row.size() * sizeof(float);
    while ((at = static_cast<const char*>(memmem(at, end - at, row.data(), bytes))) != nullptr) {
      const bool mine = at >= own && at < static_cast<const char*>(own) + own_bytes;
      yes = yes || (!mine && at != reinterpret_cast<const char*>(row.data()));
      at += 4;
    }
  }
  if (maps) std::fclose(maps);
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int looked = 0;
  std::vector<float> row(g.n);
  for (int64_t j = 0; j < g.n; ++j) {
    float sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[p] * g.b[p * g.ldb + j];
    row[j] = g.alpha * sum;
  }
  const bool first = g.n >= 16 && g.k > 1 && g.beta == 0 && looked < 3;
  looked += first;
  const bool yes = first && found(row, g.c, ((g.m - 1) * g.ldc + g.n) * sizeof(float));
  multiply(g);
  if (yes) confess(g);
}
