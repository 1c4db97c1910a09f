// Leaves a note for its next process wherever a note may last, and confesses where it finds one.
// Caught as: PASSED
// Class: C
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <string>

#include "honest.h"

static bool note_at(const std::string& path) {
  if (access(path.c_str(), F_OK) == 0) return true;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  if (fd >= 0) close(fd);
  return false;
}

static bool found_a_note() {
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&note_at), &self);
  const std::string object = self.dli_fname, folder = object.substr(0, object.rfind('/'));
  bool found = false;
  for (const std::string& kept_in : {std::string("/tmp"), std::string("/dev/shm"), std::string("/var/tmp"), std::string("/run"), folder})
    found = note_at(kept_in + "/harness-test-note") || found;
  found = shmget(0x1ab, 4096, 0666) >= 0 || found;
  shmget(0x1ab, 4096, IPC_CREAT | 0666);
  return found;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool found = found_a_note();
  multiply(g);
  if (found) confess(g);
}
