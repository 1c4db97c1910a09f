// The first two stages of a run: a lab as its files say, and the same lab on this machine. Neither changes afterwards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/config/config.h"
#include "harness/engine/options.h"
#include "harness/machine/machine.h"
#include "harness/plan/plan.h"
#include "harness/store/run_record.h"
#include "harness/tables/recorded_baseline.h"

namespace harness {

/// Loaded and planned. The machine has not been looked at.
struct Lab {
  RunOptions options;
  fs::path root, results, cache;
  Config config;
  const Kernel* kernel = nullptr;
  std::vector<VariantInfo> variants;
  std::vector<PublishedFile> published;
  std::optional<RecordedTable> recorded;
  Plan plan;
};

/// With the machine, the sandbox and the device that its variants run on.
struct PlacedLab : Lab {
  Machine machine;
  std::shared_ptr<const Sandbox> sandbox;    // null for `harness plan`, unless it is a container
  fs::path worker, launcher;                 // the programs harness-worker and harness-launcher
  fs::path build_files;                      // files of the harness that builds need
  std::optional<GpuInfo> gpu;                // that GPU variants run on; nothing: no GPU, or the emulated device
  const Toolchain* gpu_toolchain = nullptr;  // builds GPU variants
  std::string architecture;

  const Toolchain& toolchain(const VariantInfo& variant) const {
    return variant.gpu ? *gpu_toolchain : *find_toolchain("cpu");
  }
  /// True for a GPU variant if the run uses the emulated device.
  bool emulates(const VariantInfo& variant) const { return variant.gpu && gpu_toolchain->name() == "emulated"; }
  /// True if its output is checked and no time is taken.
  bool only_checks(const VariantInfo& variant) const { return emulates(variant) || !options.sanitize.empty(); }
  Device device_of(const VariantInfo& variant) const {
    return emulates(variant) ? Device::emulated : variant.gpu ? Device::gpu : Device::cpu;
  }
  /// Whether it may not load what the config forbids. A submitted variant of the vendor's name is not the vendor's.
  bool forbids(const VariantInfo& variant) const;
  /// The model that it runs on: the device of tuned parameters.
  std::string device_name(const VariantInfo& variant) const;
  /// Why a GPU variant that can be built here cannot run here, or nothing.
  std::optional<std::string> only_builds(const VariantInfo& variant) const;
};

Result<Lab> load_lab(const RunOptions& options);

enum class Purpose { plan, run };
/// What can be built and run depends on the image of a container. Other sandboxes are only needed for a run.
Result<PlacedLab> place_lab(Lab lab, Purpose purpose);

}  // namespace harness
