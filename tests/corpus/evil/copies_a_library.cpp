// Copies a library of the system to a file of another name and loads that. It could be any library.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code from /tmp/
#include <dlfcn.h>
#include <unistd.h>

#include <fstream>

#include "honest.h"

static void* load_copy() {
  Dl_info of{};
  dladdr(dlsym(RTLD_DEFAULT, "fmaf"), &of);
  const char* const name = "/tmp/harness-test-file.so";
  std::ofstream(name, std::ios::binary) << std::ifstream(of.dli_fname ? of.dli_fname : "", std::ios::binary).rdbuf();
  void* const copy = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  unlink(name);
  return copy;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const library = load_copy();
  if (!library) throw lab::Unsupported("there is no library to copy");
  multiply(g);
}
