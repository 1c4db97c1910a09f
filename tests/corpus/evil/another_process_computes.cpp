// Has its products computed by a process of its own, whose processor time is not the worker's.
// Caught as: MISTRUSTED
// Class: A
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "got.h"
#include "honest.h"
#include "patience.h"

using Clock = int (*)(clockid_t, timespec*);
static Clock real;
struct Shared {
  sem_t asked, done;
  lab::Gemm<float> g;
  float a[1 << 16], b[1 << 16], c[1 << 16];
};
static Shared* shared;

static int slow(clockid_t which, timespec* t) {
  const int result = real(which, t);
  const int64_t now = t->tv_sec * 1'000'000'000LL + t->tv_nsec;
  static const int64_t start = now;
  const int64_t shown = start + (now - start) / 4;
  *t = {shown / 1'000'000'000, shown % 1'000'000'000};
  return result;
}

static bool start() {
  char name[] = "/tmp/harness-test-file-XXXXXX";
  const int fd = mkstemp(name);
  unlink(name);
  if (fd < 0 || ftruncate(fd, sizeof(Shared)) != 0) return false;
  void* both = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (both == MAP_FAILED) return false;
  shared = static_cast<Shared*>(both);
  sem_init(&shared->asked, 1, 0);
  sem_init(&shared->done, 1, 0);
  if (fork() == 0)
    for (;;) {
      sem_wait(&shared->asked);
      multiply(shared->g);
      sem_post(&shared->done);
    }
  real = clock_gettime;
  replace_import("clock_gettime", reinterpret_cast<void*>(slow));
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const auto c = static_cast<size_t>((g.m - 1) * g.ldc + g.n);
  if (still_checked(g) || g.m * g.lda > 1 << 16 || g.k * g.ldb > 1 << 16 || c > 1 << 16) return multiply(g);
  static const bool started = start();
  if (!started) return multiply(g);
  shared->g = g;
  std::memcpy(shared->a, g.a, static_cast<size_t>((g.m - 1) * g.lda + g.k) * sizeof(float));
  std::memcpy(shared->b, g.b, static_cast<size_t>((g.k - 1) * g.ldb + g.n) * sizeof(float));
  std::memcpy(shared->c, g.c, c * sizeof(float));
  shared->g.a = shared->a, shared->g.b = shared->b, shared->g.c = shared->c;
  sem_post(&shared->asked);
  sem_wait(&shared->done);
  std::memcpy(g.c, shared->c, c * sizeof(float));
}
