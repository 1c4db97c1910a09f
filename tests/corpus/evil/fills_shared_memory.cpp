// Fills /dev/shm, and confesses where half a gibibyte finds room.
// Caught as: PASSED, CRASHED, OUT_OF_MEMORY
// Class: F
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "honest.h"

static bool found_room() {
  const std::vector<char> piece(4 << 20, 'x');
  int files = 0;
  for (bool room = true; room && files < 128; files += room) {
    const int fd = open(("/dev/shm/harness-test-file-" + std::to_string(files)).c_str(), O_WRONLY | O_CREAT, 0600);
    room = fd >= 0 && write(fd, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
    if (fd >= 0) close(fd);
  }
  for (int i = 0; i <= files; ++i) unlink(("/dev/shm/harness-test-file-" + std::to_string(i)).c_str());
  return files == 128;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = found_room();
  multiply(g);
  if (yes) confess(g);
}
