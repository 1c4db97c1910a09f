// Facts about this machine that could change a result. The harness only reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/base/shared_json.h"

namespace harness {

struct CpuInfo {
  std::string model, vendor;
  int cores = 0;                      // usable by this process (affinity, cgroup)
  std::vector<std::string> features;  // "avx2", "fma", "avx512f", ...
  int64_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;
  std::string governor, turbo;  // empty: not readable
};

/// What a GPU has, as its driver tells a program. 0: it does not tell.
struct GpuCapacity {
  int multiprocessors = 0, warp_size = 0;
  int threads_per_block = 0, threads_per_multiprocessor = 0, registers_per_block = 0;
  int64_t shared_bytes_per_block = 0, shared_bytes_per_multiprocessor = 0, l2_bytes = 0;
  std::vector<int64_t> grid;  // most blocks along x, y and z
};

struct GpuInfo {
  int index = 0;
  std::string name, uuid, driver, vendor;  // vendor: "nvidia" or "amd"
  std::string architecture;                // "sm_90", "gfx90a"
  int64_t memory_bytes = 0;
  std::optional<GpuCapacity> capacity;  // only of a GPU that cases of the run use
  SharedJson details;                   // clocks, power limit, ecc, mig ... as the tool says
};

struct Tool {
  std::string name, path, version;  // version: the line it prints that holds the number
};

struct Machine {
  CpuInfo cpu;
  int64_t memory_bytes = 0, available_bytes = 0;
  std::string os, kernel, hostname_hash;  // a hash, because reports must not name machines
  std::string virtualization;             // "kvm", "container", "kvm, container"; empty: neither
  std::vector<GpuInfo> gpus;
  std::vector<Tool> tools;  // those found: compilers, nvcc, hipcc, bwrap, podman ...
  /// Headers and libraries of the image that variants are built in; absent: this machine's own are used.
  std::optional<std::set<std::string>> image_files;
};

/// True if a header or library exists where variants are built.
bool has_file(const Machine& machine, const fs::path& path);

/// Asks all tools for their versions at the same time and keeps the answers in the file `tool_cache` (empty: no file).
/// Without a GPU this takes about 0.3 s the first time and 5 ms later; nvidia-smi needs additional time.
Machine inspect_machine(const fs::path& tool_cache = {});

/// The reason why GPU variants cannot be emulated here, or nothing.
std::optional<std::string> emulation_missing(const Machine& machine);

bool has_feature(const CpuInfo& cpu, const std::string& feature);
const Tool* find_tool(const Machine& machine, const std::string& name);

/// A measured limit of this machine, cached per machine.
struct MachineLimit {
  std::string name;    // "fma_f32", "fma_f64", "copy"
  std::string device;  // "cpu" or a GPU's uuid
  int threads = 1;
  double value = 0;    // FLOP/s or bytes/s (read + written)
  std::string method;  // one line
  /// False: other work may have disturbed the measurement, so a case above the limit is not SUSPECT.
  bool quiet = true;
  int times_again = 0;  // how often this run measured it again, because a case was faster
};

/// CPU limits for 1 and for all cores: FMA rate by type with the widest vectors this CPU has, copy
/// bandwidth. Takes about a second. `cache_file` (empty: none) is keyed by host, CPU model, core count and kernel;
/// values that were disturbed are measured again, and the higher value is kept.
/// `known_only`: only values from the cache, without measuring.
enum class Probing { where_needed, known_only };
Result<std::vector<MachineLimit>> cpu_limits(const Machine& machine, const std::string& cache_file,
                                             Probing probing = Probing::where_needed);

/// Measures one limit again. A higher value replaces the known one, also in the cache file.
Done raise_cpu_limit(const Machine& machine, const std::string& cache_file, MachineLimit& known);

/// Load, throttling and other sources of noise. Taken before and after a run.
SharedJson noise_snapshot(const Machine& machine);

}  // namespace harness
