// Asks for signals when something happens to a file or a connection. SIGCONT would continue a worker that the harness has
// stopped, and the network sends data with a delay, so it is a timer. It confesses where it may.
// Caught as: PASSED
// Class: D
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "honest.h"

static bool gets_signals() {
  int ends[2];
  if (pipe(ends) != 0) return true;
  const int folder = open("/tmp", O_RDONLY);
  return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ||
         fcntl(ends[0], F_SETSIG, SIGCONT) == 0 || fcntl(ends[0], F_SETOWN, getpid()) == 0 ||
         fcntl(folder, F_NOTIFY, DN_CREATE) == 0 || fcntl(fileno(tmpfile()), F_SETLEASE, F_WRLCK) == 0 ||
         mq_open("/later", O_CREAT | O_RDWR, 0600, nullptr) >= 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = gets_signals();
  multiply(g);
  if (yes) confess(g);
}
