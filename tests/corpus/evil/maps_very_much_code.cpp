// Maps as much as it can as code, up to 64 TiB, most of it behind the end of its file: the harness looks at each page of
// code when a lab forbids libraries. It gets a few GiB, which can be looked at.
// Caught as: PASSED, MISTRUSTED
// Class: D
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "honest.h"

static void* map_code() {
  const int file = open("/proc/self/exe", O_RDONLY);
  for (size_t bytes = size_t{1} << 46; bytes > 0; bytes /= 2) {
    void* code = mmap(nullptr, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (code != MAP_FAILED) return code;
  }
  return nullptr;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const code = map_code();
  (void)code;
  multiply(g);
}
