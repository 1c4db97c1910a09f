// Starts a second thread where the case has one. It sleeps between calls and computes half of each.
// Caught as: MISTRUSTED
// Class: A
// Says: it starts a thread or a process, but this case has one thread
#include <semaphore>
#include <thread>

#include "honest.h"

static std::binary_semaphore asked(0), done(0);
static const lab::Gemm<float>* job;

static void help() {
  for (;;) {
    asked.acquire();
    multiply(job->rows(0, job->m / 2));
    done.release();
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool started = (std::thread(help).detach(), true);
  if (!started) return multiply(g);
  job = &g;
  asked.release();
  multiply(g.rows(g.m / 2, g.m - g.m / 2));
  done.acquire();
}
