// The parts of run.json that say how a run was made.
#include <algorithm>
#include <set>

#include "harness/base/version.h"
#include "harness/config/metric_table.h"
#include "harness/engine/recorder.h"

namespace harness {
namespace {

using nlohmann::json;

int lanes(const PlacedLab& lab) {
  if (lab.config.device.lanes > 0) return lab.config.device.lanes;
  return lab.architecture.starts_with("gfx9") ? 64 : 32;
}

json run_part(const PlacedLab& lab) {
  const Config& c = lab.config;
  json run = {{"lab", c.lab},
              {"title", c.title},
              {"about", c.about},
              {"harness", {{"version", version().version}, {"commit", version().commit}, {"dirty", version().dirty}}},
              {"command", lab.options.command},
              {"seed", "drawn anew from the system for every input"},
              {"sandbox", lab.sandbox->name()},
              {"config", {{"path", c.path}, {"text", c.text}}}};
  if (lab.options.budget_s) run["budget_s"] = *lab.options.budget_s;
  return run;
}

json policy_part(const MeasurePolicy& p) {
  return {{"precision", p.precision},       {"max_time_s", p.max_time_s},
          {"min_batch_ms", p.min_batch_ms}, {"min_samples", p.min_samples},
          {"max_samples", p.max_samples},   {"gpu_cache", p.gpu_cache == MeasurePolicy::Cache::cold ? "cold" : "hot"}};
}

json container_part(const PlacedLab& lab, const Container& container) {
  json part = {{"program", container.program}, {"version", container.version},         {"runtime", container.runtime},
               {"image", container.image},     {"digest", container.digest},           {"id", container.id},
               {"limits", container.limits},   {"mounts", lab.config.container.mounts}};
  if (lab.gpu) part["driver"] = lab.gpu->driver;
  return part;
}

json status_rows() {
  json rows = json::array();
  for (const StatusInfo& s : statuses) rows.push_back({{"name", s.name}, {"fails", s.fails}, {"meaning", s.meaning}});
  return rows;
}

}  // namespace

json run_header(const PlacedLab& lab, const Cases& cases) {
  const Config& c = lab.config;
  json header = {
      {"schema", "harness/run/2"},
      {"run", run_part(lab)},
      {"kernel", {{"name", lab.kernel->name()}, {"formula", lab.kernel->formula()}, {"dtype", to_string(c.dtype)}}},
      {"machine", to_json(lab.machine)},
      {"noise", {{"before", noise_snapshot(lab.machine)}}},
      {"policy", policy_part(c.measure)},
      {"baseline", c.baseline},
      {"statuses", status_rows()},
      {"metrics_info", metrics_to_json(lanes(lab), c.device.max_warps)},
      {"excluded", excluded_json(lab.plan)},
      {"report", c.report},
      {"published", lab.published}};
  if (!c.vendors.empty()) header["vendors"] = c.vendors;
  if (c.recorded) header["recorded_baseline"] = {{"file", c.recorded->file}, {"source", c.recorded->source}};
  if (c.device.max_warps > 0) header["stated_device"] = {{"max_warps", c.device.max_warps}, {"lanes", c.device.lanes}};
  if (const Container* container = lab.sandbox->container()) header["container"] = container_part(lab, *container);
  const DeviceOptions& device = lab.options.device;
  if (std::any_of(cases.builds.begin(), cases.builds.end(), [&](const auto& b) { return lab.emulates(*b->variant); }))
    header["emulated"] = {{"lanes", device.lanes},
                          {"schedule", schedule_name(device)},
                          {"diagnostics", device.watch == Watch::diagnostics}};
  return header;
}

json variant_rows(const PlacedLab& lab, const Cases& cases) {
  json rows = json::array();
  std::set<std::string> used;
  for (const CaseState& c : cases.all) used.insert(c.record.variant);
  for (const VariantInfo& v : lab.variants) {
    if (!used.count(v.name)) continue;
    std::string about;
    for (const auto& b : cases.builds)
      if (b->variant == &v && !b->opened.about.empty()) about = b->opened.about;
    std::error_code error;
    rows.push_back({{"name", v.name},
                    {"file", v.from_submission ? fs::path(v.file).filename().string()
                                               : fs::relative(v.file, lab.root, error).string()},
                    {"summary", v.summary},
                    {"gpu", v.gpu},
                    {"needs", v.needs},
                    {"about", about},
                    {"from_submission", v.from_submission},
                    {"precision", v.precision}});
  }
  return rows;
}

json excluded_json(const Plan& plan) {
  json all = json::array();
  for (const Excluded& e : plan.excluded)
    all.push_back({{"sweep", e.sweep}, {"variant", e.variant}, {"axes", axes_json(e.axes)}, {"reason", e.reason}});
  return all;
}

}  // namespace harness
