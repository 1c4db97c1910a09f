// A thread sends answers of its own, while the worker sends its.
// Caught as: MISTRUSTED
// Class: B
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static bool started = false;
  if (!started)
    std::thread([] {
      for (;;) {
        char answer[552] = {2};
        send(3, answer, sizeof answer, MSG_DONTWAIT);
        usleep(200);
      }
    }).detach();
  started = true;
  multiply(g);
}
