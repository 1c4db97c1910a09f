#include "harness/engine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "harness/base/draft.h"
#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/version.h"
#include "harness/check/check.h"
#include "harness/config/metric_table.h"

namespace harness {
namespace {

std::vector<VariantRecord> variant_records(const Context& context) {
  std::vector<VariantRecord> records;
  std::set<std::string> names;
  for (const CaseState& c : context.cases) names.insert(c.record.variant);
  for (const VariantInfo& v : context.variants) {
    if (!names.count(v.name)) continue;
    std::string about;
    for (const auto& t : context.targets)
      if (t->variant == &v && !t->opened.about.empty()) about = t->opened.about;
    std::error_code error;
    const fs::path file =
        v.from_submission ? fs::path(v.file).filename() : fs::relative(v.file, context.root, error);
    records.push_back({v.name, file.string(), v.summary, v.gpu, v.needs, about, v.from_submission, v.precision});
  }
  return records;
}

int lanes(const Context& context) {
  if (context.config.device.lanes > 0) return context.config.device.lanes;
  return context.architecture.rfind("gfx9", 0) == 0 ? 64 : 32;
}

// What is known before the first case.
void start_record(Context& context) {
  const Config& c = context.config;
  RunRecord& record = context.record;
  RunInfo& run = record.run;
  run.lab = c.lab;
  run.title = c.title;
  run.about = c.about;
  run.harness = {version().version, version().commit, version().dirty};
  run.command = context.options->command;
  run.budget_s = context.options->budget_s;
  run.seed = "drawn anew from the system for every input";
  run.sandbox = context.sandbox->name();
  run.config = {c.path, c.text};
  record.kernel = {context.kernel->name(), context.kernel->formula(), c.dtype};
  record.machine = context.machine;
  record.noise.before = noise_snapshot(context.machine);
  record.policy = c.measure;
  record.baseline = c.baseline;
  record.vendors = c.vendors;
  record.recorded_baseline = c.recorded;
  if (c.device.max_warps > 0) record.stated_device = c.device;
  record.metrics_info = metrics_info(lanes(context), c.device.max_warps);
  for (const StatusInfo& s : statuses) record.statuses.push_back({s.status, s.fails, std::string(s.meaning)});
  record.excluded = context.plan.excluded;
  record.report = c.report;
  if (const Container* container = context.sandbox->container())
    record.container = {*container, c.container.mounts, context.gpu ? context.gpu->driver : ""};
  const DeviceOptions& device = context.options->device;
  if (std::any_of(context.targets.begin(), context.targets.end(),
                  [&](const auto& t) { return context.emulates(*t->variant); }))
    record.emulated = {device.lanes, schedule_name(device), device.watch == Watch::diagnostics};
}

Done record(Context& context, CaseState& state) {
  TRY(context.store->record_case(context.run_id, state.record));
  state.finished = true;
  return ok();
}

Done record_skipped(Context& context) {
  for (CaseState& s : context.cases)
    if (s.record.status == Status::SKIPPED) TRY(record(context, s));
  return ok();
}

// What an interrupted run did not come to: some of it is known from earlier ones.
Done record_rest(Context& context) {
  for (CaseState& s : context.cases) {
    if (s.finished) continue;
    if (s.record.reused_from.empty()) s.conclude();
    TRY(record(context, s));
  }
  return ok();
}

void count(const Context& context, RunSummary& summary) {
  for (const CaseState& s : context.cases) {
    const Status status = s.record.status;
    if (status == Status::SKIPPED)
      ++summary.skipped;
    else if (status == Status::CANCELLED)
      ++summary.cancelled;
    else if (info(status).fails)
      ++summary.failed;
    else if (status == Status::PASSED)
      ++summary.passed;
    else
      ++summary.unranked[to_string(status)];
    summary.reused += !s.record.reused_from.empty();
  }
  summary.exit = summary.cancelled       ? ExitCode::interrupted
                 : summary.failed        ? ExitCode::variant_failed
                 : context.cases.empty() ? ExitCode::nothing_selected
                                         : ExitCode::ok;
}

Done measure(Context& context) {
  context.emit("phase", {{"what", "checking the check"}});
  const SelfTest test = self_test(*context.kernel, context.config.dtype, secret_bits());
  context.record.selftest = test;
  TRY(context.store->update_run(context.run_id, context.record));
  if (!test.accepts_reference || test.rejected() != static_cast<int>(test.rows.size()))
    return Error{
        fmt::format("the check rejects only {} of {} wrong kernels: nothing it says can be trusted; please "
                    "report this",
                    test.rejected(), test.rows.size()),
        ExitCode::machine};
  TRY(build_targets(context));
  if (interrupted()) return ok();
  return run_groups(context);
}

// One call of each case that was timed: no budget can make a run shorter.
double least_s(const Context& context) {
  double sum_s = 0;
  for (const CaseState& s : context.cases)
    if (s.record.reused_from.empty() && !s.record.samples_ms.empty())
      sum_s += *std::min_element(s.record.samples_ms.begin(), s.record.samples_ms.end()) * 1e-3;
  return sum_s;
}

}  // namespace

Result<RunSummary> run_lab(const RunOptions& options, EventSink& events) {
  Context context;
  context.options = &options;
  context.events = &events;
  TRY(set_up(context));
  TRY(choose_sandbox(context));
  TRY(select_cases(context));
  TRY(make_folders(context.results / context.config.lab));
  TRY_ASSIGN(const RunLock lock, RunLock::take(context.results, context.config.lab));
  // What killed runs left.
  remove_abandoned_drafts(context.results / context.config.lab, Depth::below);
  remove_abandoned_drafts(context.cache, Depth::this_folder);
  TRY_ASSIGN(Store store, Store::open(context.results));
  context.store = &store;
  TRY(store.close_torn_runs(context.config.lab));
  start_record(context);
  TRY_ASSIGN(context.run_id, store.begin_run(context.record));
  RunSummary summary;
  summary.run_id = context.run_id;
  summary.folder = context.results / context.config.lab / context.run_id;
  TRY(record_skipped(context));
  nlohmann::json reasons = nlohmann::json::object();
  for (const CaseState& s : context.cases)
    if (s.record.status == Status::SKIPPED) reasons[s.record.reason] = reasons.value(s.record.reason, 0) + 1;
  context.emit("run", {{"run", context.run_id},
                       {"lab", context.config.lab},
                       {"title", context.config.title},
                       {"cases", context.cases.size()},
                       {"skipped", reasons},
                       {"builds", context.targets.size()},
                       {"folder", summary.folder.string()}});
  const auto start = std::chrono::steady_clock::now();
  const Done measured = measure(context);
  TRY(record_rest(context));
  count(context, summary);
  context.record.variants = variant_records(context);
  context.record.noise.after = noise_snapshot(context.machine);
  TRY(store.update_run(context.run_id, context.record));
  TRY(store.end_run(context.run_id, summary.cancelled || !measured ? "interrupted" : "complete"));
  TRY(store.write_run_folder(context.results, context.run_id));
  TRY(measured);
  std::string report_error;
  if (options.render && !interrupted()) {
    context.emit("phase", {{"what", "rendering the report"}});
    if (const Done rendered = render_report(context.root, summary.folder); !rendered)
      report_error = rendered.error().message;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.emit("end", {{"run", context.run_id},
                       {"state", summary.cancelled ? "interrupted" : "complete"},
                       {"passed", summary.passed},
                       {"unranked", summary.unranked},
                       {"failed", summary.failed},
                       {"skipped", summary.skipped},
                       {"cancelled", summary.cancelled},
                       {"reused", summary.reused},
                       {"seconds", seconds},
                       {"budget_s", options.budget_s.value_or(0)},
                       {"least_s", least_s(context)},
                       {"folder", summary.folder.string()},
                       {"rendered", options.render},
                       {"report_error", report_error}});
  if (!report_error.empty() && summary.exit == ExitCode::ok) summary.exit = ExitCode::machine;
  return summary;
}

}  // namespace harness
