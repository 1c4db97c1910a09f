// Writes a file to /tmp until something stops it. A bound ends it where no sandbox does.
// Caught as: CRASHED
// Class: F
// Says: on m=1 n=1 k=1: it wrote a file beyond the size limit while it ran
#include <cstdio>
#include <vector>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const std::vector<char> piece(1 << 20);
  if (std::FILE* file = std::fopen("/tmp/harness-test-huge-file", "w")) {
    for (int i = 0; i < 512 && std::fwrite(piece.data(), 1, piece.size(), file) == piece.size(); ++i) {
    }
    std::fclose(file);
  }
  multiply(g);
}
