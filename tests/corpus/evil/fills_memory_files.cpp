// Fills files that live in memory only; confesses where it gets half a gibibyte into them.
// Caught as: PASSED, CRASHED, OUT_OF_MEMORY
// Class: F
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "honest.h"

static bool got_it() {
  const std::vector<char> piece(4 << 20, 'x');
  std::vector<int> files;
  for (bool room = true; room && files.size() < 128;) {
    const int fd = memfd_create("note", 0);
    room = fd >= 0 && write(fd, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
    if (room) files.push_back(fd);
  }
  for (const int fd : files) close(fd);
  return files.size() == 128;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = got_it();
  multiply(g);
  if (yes) confess(g);
}
