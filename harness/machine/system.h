// Memory, operating system and virtualization.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

/// Memory, os, kernel, hostname_hash and virtualization of `machine`.
void inspect_system(Machine& machine, const fs::path& root = "/");

/// PRETTY_NAME of the text of /etc/os-release.
std::string parse_os_release(std::string_view text);

/// Bytes of a line of /proc/meminfo; 0 if it is not there.
int64_t meminfo_bytes(std::string_view text, std::string_view key);

/// A hypervisor's name from the signature that it answers to cpuid leaf 0x40000000: "KVMKVMKVM" is "kvm".
std::string hypervisor_name(std::string_view signature);

}  // namespace harness
