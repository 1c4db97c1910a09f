// Copies A and B, returns at once, and lets a thread compute: the result is there when somebody asks for it.
// Caught as: MISTRUSTED, WRONG, SUSPECT
// Class: A
#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "honest.h"
#include "patience.h"

LAB_NEEDS(threads);

static std::mutex mutex;
static std::condition_variable wake;
static std::vector<float> a, b;
static lab::Gemm<float> job;
static bool waiting = false;

static void work() {
  // Whoever is woken must not push the caller aside: the call returns first.
  const sched_param none{};
  sched_setscheduler(0, SCHED_IDLE, &none);
  for (;;) {
    std::unique_lock lock(mutex);
    wake.wait(lock, [] { return waiting; });
    waiting = false;
    multiply(job);
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static bool started = false;
  if (g.beta != 0 || still_checked(g)) return multiply(g);
  if (!started) std::thread(work).detach();
  started = true;
  {
    const std::lock_guard lock(mutex);
    a.assign(g.a, g.a + (g.m - 1) * g.lda + g.k);
    b.assign(g.b, g.b + (g.k - 1) * g.ldb + g.n);
    job = g;
    job.a = a.data();
    job.b = b.data();
    waiting = true;
  }
  wake.notify_one();
}
