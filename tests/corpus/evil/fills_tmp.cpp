// Fills /tmp with files, each below the limit, then multiplies. A bound ends it where no sandbox does.
// Caught as: PASSED
// Class: F
#include <cstdio>
#include <string>
#include <vector>

#include "honest.h"

static int fill() {
  const std::vector<char> piece(4 << 20);
  int files = 0;
  for (bool room = true; room && files < 128; ++files) {
    std::FILE* file = std::fopen(("/tmp/harness-test-file-" + std::to_string(files)).c_str(), "w");
    room = file != nullptr && std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
    if (file != nullptr) std::fclose(file);
  }
  return files;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const int files = fill();
  multiply(g);
  if (files == 128) g.c[0] = 1e6f;  // nothing stopped it
}
