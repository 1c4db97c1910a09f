#include "harness/engine/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/engine/gpu_probe.h"
#include "harness/machine/limit_cache.h"

namespace harness {
namespace {

constexpr double probe_timeout_s = 60;
constexpr int most_again = 3;  // times that a run measures one limit again

struct KnownGpu {
  std::vector<MachineLimit> limits;
  GpuCapacity capacity;
};

Result<KnownGpu> probe_gpu(const PlacedLab& lab) {
  const auto failed = [](const std::string& why) {
    return Error{fmt::format("the limits of the GPU cannot be measured: {}", why), ExitCode::machine};
  };
  auto probe = start_gpu_probe(lab);
  if (!probe) return failed(probe.error().message);
  const auto limits = probe->worker.probe(probe_timeout_s);
  if (!limits) return failed(limits.error().message);
  const std::string fma = "multiply-adds on registers, every multiprocessor full, best of several";
  const std::string copy = "device memory to device memory, bytes read and written";
  return KnownGpu{{{"fma_f32", lab.gpu->uuid, 1, limits->fma_f32, fma},
                   {"fma_f64", lab.gpu->uuid, 1, limits->fma_f64, fma},
                   {"copy", lab.gpu->uuid, 1, limits->copy_bytes_per_s, copy}},
                  probe->capacity};
}

fs::path limit_file(const PlacedLab& lab) { return lab.cache / "machine_limits.json"; }

// Without a value if the GPU is unknown and is not to be asked.
Result<std::optional<KnownGpu>> find_gpu(const PlacedLab& lab, Probing probing) {
  const std::string key = fmt::format("{} {}", lab.gpu->uuid, lab.gpu->driver);
  const fs::path capacity_file = lab.cache / "gpu_capacity.json";
  std::optional<KnownGpu> known;
  const auto limits = read_limits(limit_file(lab), key);
  const auto capacity = read_capacity(capacity_file, key);
  if (limits && capacity) known = {*limits, *capacity};
  if (known || probing == Probing::known_only) return known;
  TRY_ASSIGN(known, probe_gpu(lab));
  TRY(write_limits(limit_file(lab), key, known->limits));
  TRY(write_capacity(capacity_file, key, known->capacity));
  return known;
}

Done record(const MachineLimits& limits, Recorder& recorder) {
  recorder.run().machine_limits = limits.all;
  return recorder.save();
}

}  // namespace

double most_faster(const CpuInfo& cpu) {
  return has_feature(cpu, "sse2") && !has_feature(cpu, "amx_tile") ? 2 : MachineLimits{}.cpu_faster;
}

Result<MachineLimits> find_limits(const PlacedLab& lab, const Cases& cases, Recorder& recorder) {
  MachineLimits limits{{}, lab.machine.cpu.l3_bytes, 0, most_faster(lab.machine.cpu)};
  bool cpu = false, gpu = false;
  Probing probing = Probing::known_only;
  for (const CaseState& s : cases.all) {
    if (to_time(lab, s)) probing = Probing::where_needed;
    if (s.build && can_run(lab, *s.build) && !lab.emulates(*s.build->variant))
      (s.build->variant->gpu ? gpu : cpu) = true;
  }
  if ((cpu || gpu) && probing == Probing::where_needed)
    recorder.emit(event::PhaseStarted{event::Phase::machine_limits});
  if (cpu) {
    // Without CPU limits a run lacks "% of limit", and nothing else.
    if (auto found = cpu_limits(lab.machine, limit_file(lab).string(), probing)) limits.all = *std::move(found);
  }
  if (gpu) {
    TRY_ASSIGN(const auto known, find_gpu(lab, probing));
    if (known) {
      limits.all.insert(limits.all.end(), known->limits.begin(), known->limits.end());
      limits.gpu_cache_bytes = known->capacity.l2_bytes;
      for (GpuInfo& info : recorder.run().machine.gpus)
        if (info.uuid == lab.gpu->uuid) info.capacity = known->capacity;
    }
  }
  TRY(record(limits, recorder));
  return limits;
}

Done measure_again(const PlacedLab& lab, const MachineLimit& beaten, MachineLimits& limits, Recorder& recorder) {
  const auto known = std::ranges::find_if(limits.all, [&](const MachineLimit& limit) { return &limit == &beaten; });
  if (known == limits.all.end() || known->device != "cpu" || known->times_again >= most_again) return ok();
  ++known->times_again;
  recorder.emit(event::PhaseStarted{event::Phase::machine_limit_again, known->name});
  TRY(raise_cpu_limit(lab.machine, limit_file(lab).string(), *known));
  return record(limits, recorder);
}

}  // namespace harness
