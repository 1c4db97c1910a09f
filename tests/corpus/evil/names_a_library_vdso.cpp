// Copies a library of the system to a file whose name ends as that of the Linux kernel's own code does.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code from /tmp/
#include "copied_library.h"
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const library = load_copy("/tmp/harness-test-file[vdso]");
  if (!library) throw lab::Unsupported("there is no library to copy");
  multiply(g);
}
