#include "harness/client/watch.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

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

std::vector<std::string> files_of_maps(const std::string& maps) {
  std::vector<std::string> files;
  std::unordered_set<std::string> seen;
  for (const std::string& line : split(maps, '\n')) {
    // address, permissions, offset, device, inode, path: the path is the first "/" on a line.
    const size_t path = line.find('/');
    if (path == std::string::npos) continue;
    std::string file = line.substr(path);
    if (constexpr std::string_view gone = " (deleted)"; file.ends_with(gone))
      file.resize(file.size() - gone.size());
    if (seen.insert(file).second) files.push_back(file);
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
