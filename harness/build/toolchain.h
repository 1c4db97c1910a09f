// How the source of a variant becomes a shared object: one file a target (cpu, cuda, ...).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/registry.h"
#include "harness/build/needs.h"
#include "harness/kernel/value.h"
#include "harness/machine/machine.h"

namespace harness {

/// Whether an emulated device watches what a kernel does; real ones never do.
enum class Watch { diagnostics, nothing };

struct BuildInput {
  fs::path labs;    // the folder with lab/
  fs::path source;  // absolute
  Axes macros;
  std::vector<const Need*> needs;
  std::vector<std::string> flags;  // the config's
  std::string architecture;        // "sm_90"; empty for CPU; HIP takes several, "gfx906,gfx90a"
  fs::path helper;                 // harness-worker
  Watch watch = Watch::diagnostics;
};

/// Commands to run one after the other in an empty folder; the last one leaves variant.so there.
struct Recipe {
  std::vector<std::vector<std::string>> steps;
  std::vector<fs::path> sources;  // trusted ones compiled along (device glue)
  std::vector<fs::path> mounts;   // folders outside /usr that the compiler needs
  size_t shown = 0;               // the step that stands for the build on the provenance page
};

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  virtual std::string name() const = 0;
  virtual bool gpu() const = 0;
  /// Name of its compiler among the machine's tools: part of every key.
  virtual std::string compiler() const = 0;
  /// Why nothing can be built here, or nothing.
  virtual std::optional<std::string> unable(const Machine& machine) const = 0;
  /// Of the GPUs that run what it builds, as GpuInfo says it; empty: it needs none.
  virtual std::string vendor() const { return ""; }
  /// What it builds for where neither a GPU nor the user says; empty: nothing then.
  virtual std::string default_architecture() const { return ""; }
  /// Of --gpu-arch: does the compiler that is here know it?
  virtual Done check_architecture(const std::string& architecture, const Machine& machine) const {
    (void)architecture, (void)machine;
    return ok();
  }
  /// True for a LAB_NEEDS that it meets by itself, whatever is installed.
  virtual bool provides(const std::string& need) const {
    (void)need;
    return false;
  }
  /// Why it never meets a LAB_NEEDS, whatever is installed, or nothing.
  virtual std::optional<std::string> lacks(const std::string& need) const {
    (void)need;
    return std::nullopt;
  }
  virtual Recipe recipe(const BuildInput& input, const Machine& machine) const = 0;
};

const Toolchain* find_toolchain(const std::string& name);

/// A GPU variant in HIP's own words. All GPU targets build both kinds.
bool is_hip_source(const fs::path& source);

/// -DBLOCK=16 for each macro.
std::vector<std::string> definitions(const Axes& macros);

}  // namespace harness
