#include "harness/client/watch.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {

std::optional<double> cpu_ms(pid_t pid) {
  clockid_t clock;
  timespec t;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return std::nullopt;
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

Peeked peek(pid_t pid, const std::vector<Peek>& pieces) {
  std::vector<iovec> local, remote;
  for (size_t begin = 0; begin < pieces.size(); begin += IOV_MAX) {
    local.clear();
    remote.clear();
    size_t wanted = 0;
    for (size_t i = begin; i < std::min(pieces.size(), begin + IOV_MAX); ++i) {
      local.push_back({pieces[i].to, pieces[i].bytes});
      remote.push_back({reinterpret_cast<void*>(pieces[i].from), pieces[i].bytes});
      wanted += pieces[i].bytes;
    }
    const ssize_t got = process_vm_readv(pid, local.data(), local.size(), remote.data(), remote.size(), 0);
    if (got < 0 && errno != EFAULT) return Peeked::not_permitted;
    if (got < 0 || static_cast<size_t>(got) < wanted) return Peeked::unreadable;
  }
  return Peeked::all;
}

std::vector<std::string> files_of_maps(const std::string& maps) {
  std::vector<std::string> files;
  for (const std::string& line : split(maps, '\n')) {
    // address, permissions, offset, device, inode, path: the path is the first "/" on a line.
    const size_t path = line.find('/');
    if (path == std::string::npos) continue;
    std::string file = line.substr(path);
    if (constexpr std::string_view gone = " (deleted)"; file.ends_with(gone))
      file.resize(file.size() - gone.size());
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  return files;
}

std::optional<std::vector<std::string>> mapped_files(pid_t pid) {
  if (pid <= 0) return std::nullopt;
  const auto maps = read_file(fmt::format("/proc/{}/maps", pid));
  if (!maps || maps->empty()) return std::nullopt;
  return files_of_maps(*maps);
}

std::optional<std::string> find_library(const std::vector<std::string>& files,
                                        const std::vector<std::string>& names) {
  for (const std::string& file : files) {
    const std::string name = file.substr(file.rfind('/') + 1);
    for (const std::string& forbidden : names)
      if (name.starts_with("lib") && name.compare(3, forbidden.size(), forbidden) == 0 &&
          name.find(".so") != std::string::npos)
        return name;
  }
  return std::nullopt;
}

}  // namespace harness
