#include "harness/client/watch.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {

std::optional<double> cpu_ms(pid_t pid) {
  clockid_t clock;
  timespec t;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return std::nullopt;
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

Mapped read_maps(const std::string& maps) {
  Mapped found;
  std::unordered_set<std::string> files, code;
  for (const std::string& line : split(maps, '\n')) {
    // address, permissions, offset, device, inode, path: the path is the first "/" on a line. "[vdso]" and "[vsyscall]" are
    // the Linux kernel's.
    const size_t rights = line.find(' '), path = line.find('/');
    if (rights == std::string::npos || line.ends_with("[vdso]") || line.ends_with("[vsyscall]")) continue;
    std::string file = path == std::string::npos ? "" : line.substr(path);
    if (constexpr std::string_view gone = " (deleted)"; file.ends_with(gone)) file.resize(file.size() - gone.size());
    const bool executable = line.substr(rights, 5).find('x') != std::string::npos;
    if (executable && code.insert(file).second) found.code.push_back(file);
    if (!file.empty() && files.insert(file).second) found.files.push_back(file);
  }
  return found;
}

std::optional<Mapped> mapped(pid_t pid) {
  if (pid <= 0) return std::nullopt;
  const auto maps = read_file(fmt::format("/proc/{}/maps", pid));
  if (!maps || maps->empty()) return std::nullopt;
  return read_maps(*maps);
}

std::optional<std::string> find_foreign_code(const Mapped& mapped, const std::vector<std::string>& own) {
  for (const std::string& file : mapped.code) {
    if (file.empty()) return "code that is in no file";
    const bool of_system = file.starts_with("/usr/") || file.starts_with("/lib");
    if (!of_system && std::find(own.begin(), own.end(), file) == own.end()) return "code from " + file;
  }
  return std::nullopt;
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
