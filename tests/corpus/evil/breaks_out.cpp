// Tries the ways out of a sandbox: another user, another root, a mount, a namespace, a device; confesses where one is open.
// Caught as: PASSED
// Class: F
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "honest.h"

static bool open_way() {
  bool yes = (getuid() != 0 && setuid(0) == 0) || (getgid() != 0 && setgid(0) == 0);
  yes = chroot("/tmp") == 0 || yes;
  yes = mount("/usr", "/tmp", nullptr, MS_BIND, nullptr) == 0 || yes;
  yes = umount2("/tmp", MNT_DETACH) == 0 || yes;
  yes = unshare(CLONE_NEWNS) == 0 || yes;
  for (const char* path : {"/dev/mem", "/dev/sda", "/proc/1/root/etc/shadow", "/proc/kcore", "/proc/sysrq-trigger"}) {
    const int fd = open(path, O_RDWR);
    yes = yes || fd >= 0;
    if (fd >= 0) close(fd);
  }
  return yes;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = open_way();
  multiply(g);
  if (yes) confess(g);
}
