// Looks into the folders beside its own, where other variants' objects lie, and confesses where it sees one.
// Caught as: PASSED
// Class: C
#include <dirent.h>
#include <dlfcn.h>

#include <string>

#include "honest.h"

static int objects_seen() {
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&objects_seen), &self);
  std::string folder = self.dli_fname;
  int seen = -1;  // its own
  for (int up = 0; up < 2; ++up) folder.resize(folder.rfind('/'));
  if (DIR* all = opendir(folder.c_str())) {
    while (const dirent* entry = readdir(all)) seen += entry->d_name[0] != '.';
    closedir(all);
  }
  return seen;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const int seen = objects_seen();
  multiply(g);
  if (seen > 0) confess(g);
}
