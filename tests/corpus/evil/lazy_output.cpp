// Remembers what it was called with, and computes when the worker is about to answer: no clock of its runs then.
// Caught as: WRONG
// Class: A
#include <sys/socket.h>

#include "got.h"
#include "honest.h"
#include "patience.h"

using Send = ssize_t (*)(int, const void*, size_t, int);
static Send real;
static lab::Gemm<float> last;

static ssize_t compute_first(int fd, const void* bytes, size_t size, int flags) {
  if (last.c) multiply(last);
  last.c = nullptr;
  return real(fd, bytes, size, flags);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (still_checked(g)) return multiply(g);
  if (!real) {
    real = send;
    replace_import("send", reinterpret_cast<void*>(compute_first));
  }
  last = g;
}
