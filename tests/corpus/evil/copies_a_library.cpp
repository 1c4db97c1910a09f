// Copies a library of the system to a file of another name and loads that.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code from /tmp/
#include <unistd.h>

#include "copied_library.h"
#include "honest.h"

static void* load_and_unlink(const char* name) {
  void* const copy = load_copy(name);
  unlink(name);
  return copy;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const library = load_and_unlink("/tmp/harness-test-file.so");
  if (!library) throw lab::Unsupported("there is no library to copy");
  multiply(g);
}
