#include "harness/machine/cgroup.h"

#include <algorithm>
#include <vector>

#include "harness/base/text.h"
#include "harness/machine/kernel_text.h"

namespace harness {
namespace {

// Version 1 writes "no limit" as the largest page-aligned number.
constexpr int64_t kNoMemoryLimit = int64_t{1} << 60;

template <class T>
void tighten(std::optional<T>& limit, T value) {
  limit = limit ? std::min(*limit, value) : value;
}

void read_v2(const fs::path& group, CgroupLimits& limits) {
  const std::string cpu = kernel_text(group / "cpu.max");  // "150000 100000" or "max 100000"
  const std::vector<std::string> parts = split(cpu, ' ');
  if (parts.size() == 2) {
    const auto quota = leading_number(parts[0]), period = leading_number(parts[1]);
    if (quota && period && *period > 0) tighten(limits.cpus, double(*quota) / double(*period));
  }
  if (const auto bytes = kernel_number(group / "memory.max")) tighten(limits.memory_bytes, *bytes);
}

void read_v1(const fs::path& group, CgroupLimits& limits) {
  const auto quota = kernel_number(group / "cpu.cfs_quota_us");  // -1: no limit
  const auto period = kernel_number(group / "cpu.cfs_period_us");
  if (quota && period && *quota > 0 && *period > 0) tighten(limits.cpus, double(*quota) / double(*period));
  const auto bytes = kernel_number(group / "memory.limit_in_bytes");
  if (bytes && *bytes < kNoMemoryLimit) tighten(limits.memory_bytes, *bytes);
}

}  // namespace

CgroupLimits cgroup_limits(const fs::path& root) {
  CgroupLimits limits;
  const fs::path mounts = root / "sys/fs/cgroup";
  const std::string own = kernel_text(root / "proc/self/cgroup");
  for (const std::string& line : split(own, '\n')) {
    // "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::vector<fs::path> trees;
    if (controllers.empty()) {
      trees = {mounts, mounts / "unified"};
    } else {
      trees = {mounts / controllers};
      for (const std::string& name : split(controllers, ',')) trees.push_back(mounts / name);
    }
    // A container may see the host's path but only its own part of the tree, so missing folders are skipped.
    for (fs::path path = fs::path(line.substr(second + 1)).relative_path();; path = path.parent_path()) {
      for (const fs::path& tree : trees)
        controllers.empty() ? read_v2(tree / path, limits) : read_v1(tree / path, limits);
      if (path.empty()) break;
    }
  }
  return limits;
}

}  // namespace harness
