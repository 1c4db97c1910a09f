// Every process forks for ever. A count in shared memory ends it where no sandbox does.
// Caught as: TIMEOUT
// Class: F
// Says: on m=1 n=1 k=1: no answer after 2 s while it ran
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  void* page =
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* born = new (page) std::atomic<int>(0);
  for (;;) {
    if (*born < 3000 && fork() >= 0)
      ++*born;
    else
      usleep(1000);
  }
}
