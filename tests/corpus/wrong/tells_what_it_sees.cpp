// Looks around in its sandbox, and throws an exception that tells what it found.
// Caught as: CRASHED
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "lab/gemm.h"

static std::string status(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key + ":", 0) == 0) return line.substr(line.find_last_of(" \t") + 1);
  return "?";
}

static int opens(const std::string& path, int how) {
  const int fd = open(path.c_str(), how | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static int entries(const char* folder, bool numbers) {
  int count = 0;
  DIR* all = opendir(folder);
  while (const dirent* entry = all ? readdir(all) : nullptr)
    count += numbers ? entry->d_name[0] >= '0' && entry->d_name[0] <= '9' : entry->d_name[0] != '.';
  if (all) closedir(all);
  return count;
}

static std::string project() {
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&opens), &self);
  std::string path = self.dli_fname;
  for (int i = 0; i < 5; ++i) path.resize(path.rfind('/'));
  return path;
}

static int interfaces() {
  std::ifstream file("/proc/net/dev");
  int count = 0;
  for (std::string line; std::getline(file, line);) count += line.find(':') != std::string::npos;
  return count;
}

static std::string number(const char* name, long value) {
  return std::string(" ") + name + "=" + std::to_string(value);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  rlimit processes, file;
  getrlimit(RLIMIT_NPROC, &processes);
  getrlimit(RLIMIT_FSIZE, &file);
  std::string text = "root_id=" + std::to_string(getuid() == 0 || getgid() == 0);
  for (const char* key : {"CapEff", "CapPrm", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"})
    text += std::string(" ") + key + "=" + status(key);
  // In this order: it is one of the entries.
  const long write_tmp = opens("/tmp/mine", O_CREAT | O_WRONLY), in_tmp = entries("/tmp", false);
  text += number("write_root", opens("/mine", O_CREAT | O_WRONLY)) +
          number("write_usr", opens("/usr/mine", O_CREAT | O_WRONLY)) +
          number("write_object", opens(project() + "/build/cache/mine", O_CREAT | O_WRONLY)) +
          number("write_tmp", write_tmp) + number("in_tmp", in_tmp) +
          number("shadow", opens("/etc/shadow", O_RDONLY)) +
          number("reference", opens(project() + "/reference", O_RDONLY)) +
          number("first_memory", opens("/proc/1/mem", O_RDWR)) + number("interfaces", interfaces()) +
          number("pids", entries("/proc", true)) + number("fds", entries("/proc/self/fd", true)) +
          number("nproc", static_cast<long>(processes.rlim_cur)) + number("fsize", static_cast<long>(file.rlim_cur));
  throw std::runtime_error(text);
}
