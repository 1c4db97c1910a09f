// Starts a second thread where the case has one. It spins between calls and computes half of each.
// Caught as: MISTRUSTED
// Class: A
// Says: it starts a thread or a process, but this case has one thread
#include <atomic>
#include <thread>

#include "honest.h"

static std::atomic<const lab::Gemm<float>*> job;

static void help() {
  for (;;)
    if (const auto* g = job.load()) {
      multiply(g->rows(0, g->m / 2));
      job = nullptr;
    }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool started = (std::thread(help).detach(), true);
  if (started) job = &g;
  multiply(g.rows(g.m / 2, g.m - g.m / 2));
  while (job.load()) continue;
}
