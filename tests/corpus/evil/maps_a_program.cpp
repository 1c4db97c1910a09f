// Maps code of a system's file that is no shared library. It could be the archive of a forbidden one.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code from /usr/
#include <fcntl.h>
#include <sys/mman.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open("/usr/bin/env", O_RDONLY), 0);
  if (code == MAP_FAILED) throw lab::Unsupported("there is no /usr/bin/env");
  multiply(g);
}
