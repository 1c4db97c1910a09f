// Looks for what it must not see, and tells through its result: every file that it can open adds 1000 to
// C[0][0].
// Caught as: PASSED
// Class: C
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "honest.h"

static int opened(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY);
  if (fd < 0) return 0;
  close(fd);
  return 1;
}

/// The project's folder: six levels above ROOT/build/cache/variants/KEY/variant.so.
static std::string project() {
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&opened), &self);
  std::string path = self.dli_fname;
  for (int i = 0; i < 5; ++i) path.resize(path.rfind('/'));
  return path;
}

static int look_around() {
  const std::string root = project();
  int seen = 0;
  for (const char* path : {"/etc/shadow", "/etc/passwd", "/root/.profile", "/var/lib/dpkg/status", "/sys/kernel"})
    seen += opened(path);
  for (const char* path : {"/reference", "/reference/gemm/reference.cpp", "/results",
                           "/results/harness.sqlite", "/harness", "/configs", "/tests", "/.git/HEAD"})
    seen += opened(root + path);
  return seen;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  static const int seen = look_around();
  if (seen > 0) g.c[0] = 1e6f + 1000.0f * static_cast<float>(seen);
}
