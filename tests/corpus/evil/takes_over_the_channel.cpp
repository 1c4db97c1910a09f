// Never returns: answers the harness itself from then on, with good results and tiny times.
// Caught as: SUSPECT, CRASHED, WRONG, TIMEOUT
// Class: B
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int calls = 0;
  multiply(g);
  if (++calls < 60) return;
  static char request[64 << 10], answer[544];  // RunReply of harness/worker/protocol.h, with one time
  uint32_t op = 2;  // run
  for (;;) {
    const uint32_t ok = 0;
    const int32_t samples = 1;
    const double call = 1e-6;
    std::memset(answer, 0, sizeof answer);
    std::memcpy(answer, &op, 4);
    std::memcpy(answer + 4, &ok, 4);
    std::memcpy(answer + 520, &samples, 4);
    std::memcpy(answer + 536, &call, 8);
    if (send(3, answer, sizeof answer, 0) < 0) _exit(0);
    if (recv(3, request, sizeof request, 0) <= 0) _exit(0);
    std::memcpy(&op, request, 4);
    if (op == 2) multiply(g);
  }
}
