#include <fmt/format.h>

#include "harness/engine/gpu_probe.h"
#include "harness/engine/run.h"
#include "harness/machine/ceiling_cache.h"

namespace harness {
namespace {

constexpr double probe_timeout_s = 60;

Result<std::vector<Ceiling>> probe_gpu(const Context& context) {
  const auto failed = [](const std::string& why) {
    return Error{fmt::format("the limits of the GPU cannot be measured: {}", why), ExitCode::machine};
  };
  auto worker = start_gpu_probe(context, Dtype::f32);
  if (!worker) return failed(worker.error().message);
  const auto limits = worker->probe(probe_timeout_s);
  if (!limits) return failed(limits.error().message);
  const std::string fma = "multiply-adds on registers, every multiprocessor full, best of several";
  return std::vector<Ceiling>{{"fma_f32", context.gpu->uuid, 1, limits->fma_f32, fma},
                              {"fma_f64", context.gpu->uuid, 1, limits->fma_f64, fma},
                              {"copy", context.gpu->uuid, 1, limits->copy_bytes_per_s,
                               "device memory to device memory, bytes read and written"}};
}

nlohmann::json ceilings_json(const std::vector<Ceiling>& ceilings) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Ceiling& c : ceilings)
    rows.push_back({{"name", c.name},
                    {"device", c.device},
                    {"threads", c.threads},
                    {"value", c.value},
                    {"method", c.method}});
  return rows;
}

}  // namespace

Done find_ceilings(Context& context, Probing probing) {
  bool cpu = false, gpu = false;
  for (const CaseState& s : context.cases)
    if (s.target && !s.target->failed && !context.emulates(*s.target->variant))
      (s.target->variant->gpu ? gpu : cpu) = true;
  const fs::path cache = context.cache / "ceilings.json";
  if ((cpu || gpu) && probing == Probing::where_needed)
    context.emit("phase", {{"what", "measuring the machine's limits"}});
  if (cpu) {
    // Without them there is no "% of limit", and everything else.
    if (auto limits = cpu_ceilings(context.machine, cache.string(), probing))
      context.ceilings = *std::move(limits);
  }
  if (gpu) {
    const std::string key = fmt::format("{} {}", context.gpu->uuid, context.gpu->driver);
    auto known = read_ceilings(cache, key);
    if (!known && probing == Probing::where_needed) {
      TRY_ASSIGN(known, probe_gpu(context));
      TRY(write_ceilings(cache, key, *known));
    }
    if (known) context.ceilings.insert(context.ceilings.end(), known->begin(), known->end());
  }
  return context.store->update_run(context.run_id, {{"ceilings", ceilings_json(context.ceilings)}});
}

}  // namespace harness
