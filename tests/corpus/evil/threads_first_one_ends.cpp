// Another thread goes on where the first one ends. From then on the process has no list of its memory; its threads have.
// Caught as: MISTRUSTED
// Class: D
#include <dlfcn.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "honest.h"

LAB_NEEDS(threads);

static ucontext_t here;
static volatile bool moved = false;

static void move_to_another_thread() {
  getcontext(&here);
  if (moved) return;
  moved = true;
  std::thread([] {
    usleep(20'000);  // until the first one has ended
    setcontext(&here);
  }).detach();
  syscall(SYS_exit, 0);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (!moved) {
    move_to_another_thread();
    const std::string name = std::string("lib") + "open" + "blas.so.0";
    if (!dlopen(name.c_str(), RTLD_NOW)) throw lab::Unsupported("there is no such library to load here");
  }
  multiply(g);
}
