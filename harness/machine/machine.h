// Facts about this machine that could change a number. Everything is read, nothing is changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/base/dtype.h"
#include "harness/base/result.h"

namespace harness {

struct CpuInfo {
  std::string model, vendor;
  int cores = 0;                      // usable by this process (affinity, cgroup)
  std::vector<std::string> features;  // "avx2", "fma", "avx512f", ...
  int64_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;
  std::string governor, turbo;        // empty: not readable
};

struct GpuInfo {
  int index = 0;
  std::string name, uuid, driver, vendor;  // vendor: "nvidia" or "amd"
  std::string architecture;                // "sm_90", "gfx90a"
  int64_t memory_bytes = 0;
  nlohmann::json details;                  // clocks, power limit, ecc, mig, throttle reasons ... as the tool says
};

struct Tool {
  std::string name, path, version;  // version: first line it prints
};

struct Machine {
  CpuInfo cpu;
  int64_t memory_bytes = 0, available_bytes = 0;
  std::string os, kernel, hostname_hash;  // a hash: names of machines do not belong in reports
  std::string virtualization;             // "kvm", "container", empty
  std::vector<GpuInfo> gpus;
  std::vector<Tool> tools;  // compilers, nvcc, hipcc, bwrap, podman ... that were found
};

/// Cheap (under 30 ms without a GPU); tools' versions are asked for in parallel.
Machine inspect_machine();
nlohmann::json to_json(const Machine& machine);

bool has_feature(const CpuInfo& cpu, const std::string& feature);
const Tool* find_tool(const Machine& machine, const std::string& name);

/// Measured limits, cached per machine.
struct Ceiling {
  std::string name;    // "fma_f32", "fma_f64", "copy"
  std::string device;  // "cpu" or a GPU's uuid
  int threads = 1;
  double value = 0;    // FLOP/s or bytes/s (read + written)
  std::string method;  // one line
};
/// CPU ceilings for 1 and for all cores: FMA rate by type with the widest vectors this CPU has, copy bandwidth.
/// Takes about a second when not cached. `cache_file` is keyed by CPU model, core count and kernel.
Result<std::vector<Ceiling>> cpu_ceilings(const Machine& machine, const std::string& cache_file);

/// Throttle and noise facts taken before and after a run.
nlohmann::json noise_snapshot(const Machine& machine);

}  // namespace harness
