// Writes a jump to a clock of its own over the first bytes of libc's clock_gettime. The harness reads its own clock, and
// where a lab forbids libraries it sees that code was changed.
// Caught as: MISTRUSTED
// Class: A
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

#include "honest.h"

static int slow(clockid_t which, timespec* t) {
  const int result = static_cast<int>(syscall(SYS_clock_gettime, which, t));
  const int64_t now = t->tv_sec * 1'000'000'000LL + t->tv_nsec;
  static const int64_t start = now;
  const int64_t shown = start + (now - start) / 1000;
  *t = {shown / 1'000'000'000, shown % 1'000'000'000};
  return result;
}

static bool detour() {
  auto* at = reinterpret_cast<unsigned char*>(&clock_gettime);
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(at) / 4096 * 4096);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};  // mov rax, slow; jmp rax
  void* const to = reinterpret_cast<void*>(&slow);
  std::memcpy(jump + 2, &to, sizeof to);
  std::memcpy(at, jump, sizeof jump);
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool detoured = detour();
  (void)detoured;
  multiply(g);
}
