// Tries to write everywhere but in /tmp, and confesses where it may.
// Caught as: PASSED
// Class: F
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "honest.h"

static bool wrote() {
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&wrote), &self);
  const std::string object = self.dli_fname;
  bool yes = access(object.c_str(), W_OK) == 0;
  for (const std::string& folder : {std::string(""), std::string("/usr"), std::string("/usr/lib"), std::string("/etc"), std::string("/var"),
                                    std::string("/home"), std::string("/root"), object.substr(0, object.rfind('/'))}) {
    const int fd = open((folder + "/harness-test-file").c_str(), O_WRONLY | O_CREAT, 0666);
    yes = yes || fd >= 0;
    if (fd >= 0) close(fd);
  }
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = wrote();
  multiply(g);
  if (yes) confess(g);
}
