// Looks for other processes, whose memory may hold an answer, and confesses where it can read one's.
// Caught as: PASSED
// Class: C
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "honest.h"

static bool reads_one() {
  bool yes = false;
  if (DIR* all = opendir("/proc")) {
    while (const dirent* entry = readdir(all)) {
      const int pid = std::atoi(entry->d_name);
      if (pid <= 0 || pid == getpid()) continue;
      const int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY);
      yes = yes || fd >= 0;
      if (fd >= 0) close(fd);
    }
    closedir(all);
  }
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = reads_one();
  multiply(g);
  if (yes) confess(g);
}
