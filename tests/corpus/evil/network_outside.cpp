// Looks for a way out: other interfaces than lo, a name server, a raw socket; confesses where there is one.
// Caught as: PASSED
// Class: F
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "honest.h"

static bool way_out() {
  bool yes = false;
  if (struct if_nameindex* all = if_nameindex()) {
    for (const struct if_nameindex* i = all; i->if_index != 0; ++i) yes = yes || std::strcmp(i->if_name, "lo") != 0;
    if_freenameindex(all);
  }
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in there = {};
  there.sin_family = AF_INET;
  there.sin_port = htons(53);
  inet_pton(AF_INET, "192.0.2.1", &there.sin_addr);  // an address of no one (RFC 5737)
  yes = yes || (fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0);
  if (fd >= 0) close(fd);
  return yes || socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = way_out();
  multiply(g);
  if (yes) confess(g);
}
