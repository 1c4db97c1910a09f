#include "harness/machine/system.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/machine/cgroup.h"
#include "harness/machine/kernel_text.h"

namespace harness {
namespace {

// Empty without a hypervisor, and on processors without this instruction.
std::string hypervisor() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kRunsUnderHypervisor = 1u << 31;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & kRunsUnderHypervisor)) return "";
  __cpuid(0x40000000, a, b, c, d);
  char signature[13] = {};
  std::memcpy(signature, &b, 4);
  std::memcpy(signature + 4, &c, 4);
  std::memcpy(signature + 8, &d, 4);
  return hypervisor_name(signature);
#else
  return "";
#endif
}

bool in_container(const fs::path& root) {
  std::error_code ignored;
  if (fs::exists(root / ".dockerenv", ignored) || fs::exists(root / "run/.containerenv", ignored) ||
      fs::exists(root / ".singularity.d", ignored))
    return true;
  // by systemd's convention the container runtime sets it for the first process
  return kernel_text(root / "proc/1/environ").find("container=") != std::string::npos;
}

}  // namespace

std::string parse_os_release(std::string_view text) {
  std::string name = line_value(text, "PRETTY_NAME");
  name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
  return name;
}

int64_t meminfo_bytes(std::string_view text, std::string_view key) {
  return leading_number(line_value(text, key)).value_or(0) * 1024;  // the kernel writes kB but means KiB
}

std::string hypervisor_name(std::string_view signature) {
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"KVMKVMKVM", "kvm"},    {"Microsoft Hv", "hyper-v"}, {"VMwareVMware", "vmware"},
      {"XenVMMXenVMM", "xen"}, {"TCGTCGTCGTCG", "qemu"},    {"VBoxVBoxVBox", "virtualbox"}};
  for (const auto& [bytes, name] : known)
    if (starts_with(signature, bytes)) return std::string(name);
  return "virtual machine";
}

void inspect_system(Machine& machine, const fs::path& root) {
  const std::string meminfo = kernel_text(root / "proc/meminfo");
  machine.memory_bytes = meminfo_bytes(meminfo, "MemTotal");
  machine.available_bytes = meminfo_bytes(meminfo, "MemAvailable");
  if (const auto limit = cgroup_limits(root).memory_bytes) {
    machine.memory_bytes = std::min(machine.memory_bytes, *limit);
    machine.available_bytes = std::min(machine.available_bytes, *limit);
  }

  machine.os = parse_os_release(kernel_text(root / "etc/os-release"));
  utsname name{};
  if (uname(&name) == 0) {
    machine.kernel = name.release;
    machine.hostname_hash = sha256(name.nodename).substr(0, 8);
  }

  std::vector<std::string> layers;
  if (const std::string host = hypervisor(); !host.empty()) layers.push_back(host);
  if (in_container(root)) layers.push_back("container");
  machine.virtualization = join(layers, ", ");
}

}  // namespace harness
