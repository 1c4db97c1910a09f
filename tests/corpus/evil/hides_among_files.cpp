// Maps 20,000 files, so that a look at its memory takes long, and loads the vendor's library in every second call only.
// Caught as: MISTRUSTED
// Class: D
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "honest.h"

static bool map_files() {
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "/tmp/harness-test-file-" + std::to_string(i);
    const int fd = open(name.c_str(), O_RDWR | O_CREAT, 0600);
    mmap(nullptr, 1, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    unlink(name.c_str());
  }
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool mapped = map_files();
  static int calls = 0;
  void* const library = mapped && ++calls % 2 ? dlopen("libopenblas.so.0", RTLD_NOW) : nullptr;
  if (calls == 1 && !library) throw lab::Unsupported("there is no such library to load here");
  multiply(g);
  if (library) dlclose(library);
}
