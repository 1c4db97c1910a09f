// Connects to PORT of this machine, and tells through its result: C[0][0] is wrong where somebody answers.
// Caught as: PASSED
// Class: F
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "honest.h"

#ifndef PORT
#define PORT 9
#endif

static bool answered() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return false;
  sockaddr_in there = {};
  there.sin_family = AF_INET;
  there.sin_port = htons(PORT);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool yes = connect(fd, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
  close(fd);
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  static const bool yes = answered();
  if (yes) g.c[0] = 1e6f;
}
