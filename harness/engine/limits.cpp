#include <fmt/format.h>

#include <algorithm>

#include "harness/engine/gpu_probe.h"
#include "harness/engine/run.h"
#include "harness/machine/limit_cache.h"

namespace harness {
namespace {

constexpr double probe_timeout_s = 60;
constexpr int most_again = 3;  // for one limit in a run, so that a class of liars costs no more

Result<std::vector<MachineLimit>> probe_gpu(const Context& context) {
  const auto failed = [](const std::string& why) {
    return Error{fmt::format("the limits of the GPU cannot be measured: {}", why), ExitCode::machine};
  };
  auto worker = start_gpu_probe(context, Dtype::f32);
  if (!worker) return failed(worker.error().message);
  const auto limits = worker->probe(probe_timeout_s);
  if (!limits) return failed(limits.error().message);
  const std::string fma = "multiply-adds on registers, every multiprocessor full, best of several";
  return std::vector<MachineLimit>{{"fma_f32", context.gpu->uuid, 1, limits->fma_f32, fma},
                              {"fma_f64", context.gpu->uuid, 1, limits->fma_f64, fma},
                              {"copy", context.gpu->uuid, 1, limits->copy_bytes_per_s,
                               "device memory to device memory, bytes read and written"}};
}

fs::path limit_file(const Context& context) { return context.cache / "machine_limits.json"; }

Done record_limits(Context& context) {
  context.record.machine_limits = context.limits;
  return context.store->update_run(context.run_id, context.record);
}

}  // namespace

Done find_limits(Context& context, Probing probing) {
  bool cpu = false, gpu = false;
  for (const CaseState& s : context.cases)
    if (s.target && s.target->build.error.empty() && !context.only_builds(*s.target->variant) &&
        !context.emulates(*s.target->variant))
      (s.target->variant->gpu ? gpu : cpu) = true;
  const fs::path cache = limit_file(context);
  if ((cpu || gpu) && probing == Probing::where_needed)
    context.emit("phase", {{"what", "measuring the machine's limits"}});
  if (cpu) {
    // Without them there is no "% of limit", and everything else.
    if (auto limits = cpu_limits(context.machine, cache.string(), probing))
      context.limits = *std::move(limits);
  }
  if (gpu) {
    const std::string key = fmt::format("{} {}", context.gpu->uuid, context.gpu->driver);
    auto known = read_limits(cache, key);
    if (!known && probing == Probing::where_needed) {
      TRY_ASSIGN(known, probe_gpu(context));
      TRY(write_limits(cache, key, *known));
    }
    if (known) context.limits.insert(context.limits.end(), known->begin(), known->end());
  }
  return record_limits(context);
}

Done measure_again(Context& context, const MachineLimit& beaten) {
  const auto known = std::find_if(context.limits.begin(), context.limits.end(),
                                  [&](const MachineLimit& c) { return &c == &beaten; });
  if (known == context.limits.end() || known->device != "cpu" || known->times_again >= most_again) return ok();
  ++known->times_again;
  context.emit("phase", {{"what", fmt::format("a case beats {}: measuring that limit again", known->name)}});
  TRY(raise_cpu_limit(context.machine, limit_file(context).string(), *known));
  return record_limits(context);
}

}  // namespace harness
