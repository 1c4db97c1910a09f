// What all steps of one run share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/client/client.h"
#include "harness/config/config.h"
#include "harness/engine/decide.h"
#include "harness/engine/events.h"
#include "harness/engine/recorded_baseline.h"
#include "harness/engine/options.h"
#include "harness/machine/machine.h"
#include "harness/plan/plan.h"
#include "harness/store/store.h"

namespace harness {

/// A variant with its macros: built once, run by one worker.
struct Target {
  const VariantInfo* variant = nullptr;
  Axes macros;
  Dtype dtype = Dtype::f32;
  int threads = 1;
  Build build;
  int64_t largest_bytes = 0;  // of its problems' buffers

  // What its worker told, and what its check found: once, before its first case.
  Opened opened;
  std::optional<CheckRecord> shapes;
  std::optional<Failure> failed;
  std::vector<Diagnostic> diagnostics;  // of the emulated device
  double flops_per_s = 0;         // the rate last seen, to foresee the next case,
  double rate_flops = 0;          // and the size of the problem it was seen on

  void saw(double flops, double seconds) {
    if (seconds <= 0) return;
    flops_per_s = flops / seconds;
    rate_flops = flops;
  }
};

struct CaseState {
  const Case* plan = nullptr;
  Target* target = nullptr;  // null: it cannot run here
  Evidence evidence;
  CaseRecord record;
  bool finished = false;

  /// Decides the case: status and reason of its record are written here and nowhere else.
  void conclude();
};

struct Context {
  const RunOptions* options = nullptr;
  fs::path root, results, cache, launcher, worker, build_files;
  Config config;
  const Kernel* kernel = nullptr;
  std::vector<VariantInfo> variants;
  nlohmann::json published;
  std::optional<RecordedTable> recorded;
  Plan plan;
  Machine machine;
  std::shared_ptr<const Sandbox> sandbox;
  const GpuInfo* gpu = nullptr;          // the one that GPU variants run on; null: none, or the emulated one
  const Toolchain* gpu_toolchain = nullptr;  // what builds them
  std::string architecture;
  std::vector<MachineLimit> limits;
  EventSink* events = nullptr;
  Store* store = nullptr;
  std::string run_id;
  std::vector<std::unique_ptr<Target>> targets;
  std::vector<CaseState> cases;

  const Toolchain& toolchain(const VariantInfo& variant) const {
    return variant.gpu ? *gpu_toolchain : *find_toolchain("cpu");
  }
  /// Is it a GPU variant in a run without a real GPU?
  bool emulates(const VariantInfo& variant) const { return variant.gpu && gpu_toolchain->name() == "emulated"; }

  /// Why a GPU variant that can be built here cannot run here, or nothing.
  std::optional<std::string> only_builds(const VariantInfo& variant) const;

  void emit(const std::string& name, const nlohmann::json& fields) const { events->on(name, fields); }
  /// Finished cases and all of them, for progress.
  int done() const;
};

}  // namespace harness
