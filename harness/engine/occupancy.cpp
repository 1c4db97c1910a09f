#include "harness/engine/occupancy.h"

#include <algorithm>

namespace harness {
namespace {

// The metric keeps what it was computed from: for a reused case it is computed again with what is stated now.
std::optional<Metric> occupied(int64_t blocks, int64_t threads, int64_t device_warps, int64_t device_lanes,
                               const StatedDevice& stated) {
  const int64_t most = stated.max_warps > 0 ? stated.max_warps : device_warps;
  const int64_t lanes = stated.lanes > 0 ? stated.lanes : device_lanes;
  if (blocks < 1 || threads < 1 || most < 1 || lanes < 1) return std::nullopt;
  const int64_t warps = (threads - 1) / lanes + 1;
  Metric m;
  m.n = 1;
  m.median = static_cast<double>(blocks > most / warps ? most : blocks * warps);
  m.blocks = blocks;
  m.threads_per_block = threads;
  m.maximum = most;
  m.lanes = lanes;
  m.stated = stated.max_warps > 0;
  m.device_warps = device_warps;
  m.device_lanes = device_lanes;
  return m;
}

Note over_one(const Config& config, double efficiency, const Metric& warps) {
  return {NoteCode::efficiency_over_one,
          {{"efficiency", efficiency},
           {"lanes", warps.lanes},
           {"over", config.recorded ? "the recorded baseline" : config.baseline}}};
}

}  // namespace

std::optional<Metric> occupied_warps(const protocol::LaunchShape& launch, const lab_device_info& device,
                                     const StatedDevice& stated) {
  const int64_t warps = device.warp_size > 0 ? int64_t{device.multiprocessors} *
                                                   (device.max_threads_per_multiprocessor / device.warp_size)
                                             : 0;
  return occupied(launch.blocks, launch.threads, warps, device.warp_size, stated);
}

void derive_efficiency(const Config& config, CaseRecord& record) {
  for (auto& [name, metric] : record.metrics)
    if (name == MetricName::warps_occupied)
      if (const auto again = occupied(metric.blocks, metric.threads_per_block, metric.device_warps, metric.device_lanes,
                                      config.device))
        metric = *again;
  const Metric* warps = record.find(MetricName::warps_occupied);
  const MetricName of = config.recorded ? MetricName::speedup_recorded : MetricName::speedup_total;
  const Metric* speedup = record.find(of);
  if (!warps || !speedup) return;
  Metric m;
  m.n = speedup->n;
  m.median = speedup->median / warps->median;
  if (speedup->low) {
    m.low = *speedup->low / warps->median;
    m.high = *speedup->high / warps->median;
  }
  m.of = to_string(of);
  if (m.median > 1) record.notes.push_back(over_one(config, m.median, *warps));
  record.metrics.emplace_back(MetricName::efficiency, m);
}

}  // namespace harness
