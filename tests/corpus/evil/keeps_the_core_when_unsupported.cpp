// Answers "unsupported" itself, and then keeps the core in a system call that looks only for SIGKILL: the variants that are
// timed next, the baseline among them, would have half of it. It maps as much as it can, which is too little to take long.
// Caught as: MISTRUSTED, CRASHED
// Class: A
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "honest.h"

static void keep_the_core() {
  constexpr int populate_read = 22;
  size_t bytes = size_t{1} << 40;
  void* p = MAP_FAILED;
  for (; p == MAP_FAILED; bytes /= 2) p = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bytes *= 2;
  madvise(p, bytes, MADV_NOHUGEPAGE);
  madvise(p, bytes, populate_read);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static bool is_checked = false;  // the process of the check has seen other shapes
  is_checked |= g.m < 24;
  if (is_checked || g.m != 24 || g.n != 24) return multiply(g);
  char answer[528] = {3, 0, 0, 0, 4};  // of harness/worker/protocol.h: the end of its turns, unsupported
  send(3, answer, sizeof answer, 0);
  keep_the_core();
  _exit(1);
}
