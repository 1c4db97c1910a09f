// Maps 64 TiB as code, most of it behind the end of its file: the harness looks at each page of code when a lab forbids
// libraries.
// Caught as: MISTRUSTED
// Class: D
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const code = mmap(nullptr, size_t{1} << 46, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_NORESERVE,
                                 open("/proc/self/exe", O_RDONLY), 0);
  (void)code;
  multiply(g);
}
