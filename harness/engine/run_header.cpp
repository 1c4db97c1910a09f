// The parts of run.json that say how a run was made.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/base/version.h"
#include "harness/config/metric_table.h"
#include "harness/engine/recorder.h"

namespace harness {
namespace {

int lanes(const PlacedLab& lab) {
  if (lab.config.device.lanes > 0) return lab.config.device.lanes;
  return lab.architecture.starts_with("gfx9") ? 64 : 32;
}

}  // namespace

RunRecord run_header(const PlacedLab& lab, const Cases& cases) {
  const Config& c = lab.config;
  RunRecord record;
  RunInfo& run = record.run;
  run.lab = c.lab;
  run.title = c.title;
  run.about = c.about;
  run.harness = {version().version, version().commit, version().dirty};
  run.command = lab.options.command;
  for (const auto& [axis, value] : lab.options.selection.set) run.settings.push_back(axis + "=" + value);
  run.budget_s = lab.options.budget_s;
  run.seed = "drawn anew from the system for every input";
  run.sandbox = lab.sandbox->name();
  run.config = {c.path, c.text};
  record.kernel = {lab.kernel->name(), lab.kernel->formula(), c.dtype};
  record.machine = lab.machine;
  record.noise.before = noise_snapshot(lab.machine);
  record.policy = c.measure;
  record.baseline = c.baseline;
  record.vendors = c.vendors;
  record.recorded_baseline = c.recorded;
  if (c.device.max_warps > 0) record.stated_device = c.device;
  record.metrics_info = metrics_info(lanes(lab), c.device.max_warps);
  for (const StatusInfo& s : statuses) record.statuses.push_back({s.status, s.fails, std::string(s.meaning)});
  record.excluded = lab.plan.excluded;
  record.report = c.report;
  record.published = lab.published;
  if (const Container* container = lab.sandbox->container())
    record.container = {*container, c.container.mounts, lab.gpu ? lab.gpu->driver : ""};
  const DeviceOptions& device = lab.options.device;
  if (std::ranges::any_of(cases.builds, [&](const auto& b) { return lab.emulates(*b->variant); }))
    record.emulated = {device.lanes, schedule_name(device), device.watch == Watch::diagnostics};
  return record;
}

std::vector<VariantRecord> variant_records(const PlacedLab& lab, const Cases& cases) {
  std::vector<VariantRecord> records;
  std::set<std::string> used;
  for (const CaseState& c : cases.all) used.insert(c.record.variant);
  for (const VariantInfo& v : lab.variants) {
    if (!used.count(v.name)) continue;
    std::string about;
    for (const auto& b : cases.builds)
      if (b->variant == &v && !b->opened.about.empty()) about = b->opened.about;
    std::vector<std::string> tuned;
    for (const TunedValues& row : v.tuned)
      if (row.device == lab.device_name(v)) tuned.push_back(fmt::format("{}: {}", to_string(row.dtype), to_string(row.values)));
    std::error_code error;
    const fs::path file = v.from_submission ? fs::path(v.file).filename() : fs::relative(v.file, lab.root, error);
    records.push_back(
        {v.name, file.string(), v.summary, v.gpu, v.needs, about, v.from_submission, v.precision, v.macros, v.drawing,
                       join(tuned, "; ")});
  }
  return records;
}

}  // namespace harness
