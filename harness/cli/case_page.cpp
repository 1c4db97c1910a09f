#include "harness/cli/case_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/progress.h"
#include "harness/cli/sample_plot.h"

namespace harness {
namespace {

constexpr size_t most_named = 8;

std::string row(const std::string& name, const std::string& value) {
  return value.empty() ? "" : fmt::format("  {:<13}{}\n", told(name), value);
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string metric_row(MetricName name, const MetricInfo& info, const Metric& metric) {
  std::string text = number(metric.median) + (info.unit.empty() ? "" : " " + info.unit);
  if (metric.low && metric.high) text += " " + tr("({} to {})", number(*metric.low), number(*metric.high));
  if (metric.n > 1) text += ", " + tr_counted(metric.n, "sample");
  if (!metric.over.empty()) text += ", " + tr("relative to {}", metric.over);
  if (!metric.limit.empty()) text += ", " + tr("limit {}", metric.limit);
  return fmt::format("  {:<18} {}\n", to_string(name), text);
}

std::string check_lines(const CaseRecord& record) {
  const CheckRecord& check = record.check;
  std::string text;
  for (const CheckLine& line : check.lines) {
    text += fmt::format("  {:<5} {:<18} {}", line.right ? tr("right") : "WRONG", line.name, told(line.detail));
    if (line.worst_ratio > 0) text += "; " + tr("largest error {:.3g} of its tolerance", line.worst_ratio);
    text += "\n";
  }
  if (check.deterministic) text += row("same bits", *check.deterministic ? tr("in two calls") : tr("not in two calls"));
  // A check that ends with a failure has no line for it.
  const bool without_line = record.status == Status::WRONG ? std::ranges::all_of(check.lines, &CheckLine::right) : check.lines.empty();
  if (info(record.status).fails && record.status != Status::COMPILE_ERROR && without_line)
    return text + "  " + tr("failed: see the reason above") + "\n";
  return text.empty() ? "  " + tr("not checked") + "\n" : text;
}

// "clocks_sm_mhz 1980, gpus/0/pstate P0"
std::string facts(const SharedJson& facts, const char* when) {
  std::vector<std::string> parts;
  const nlohmann::json flat = facts && !facts->empty() ? facts->flatten() : nlohmann::json::object();
  for (const auto& [path, value] : flat.items())
    parts.push_back(path.substr(1) + " " + (value.is_string() ? value.get<std::string>() : value.dump()));
  return row(when, join(parts, ", "));
}

std::string machine(const RunRecord& run, const CaseRecord& record) {
  const Machine& m = run.machine;
  std::string text = row("processor", fmt::format("{}, {}", m.cpu.model, tr_counted(m.cpu.cores, "core")));
  text += row("governor", m.cpu.governor) + row("turbo", m.cpu.turbo);
  for (const GpuInfo& gpu : m.gpus)
    if (gpu.uuid == record.gpu)
      text += row("GPU", tr("{}, {}, driver {}", gpu.name, gpu.architecture, gpu.driver)) +
              facts(gpu.details, "GPU state");
  text += row("memory", human_bytes(static_cast<double>(m.memory_bytes)));
  text += row("system", fmt::format("{}, Linux {}{}", m.os, m.kernel, m.virtualization.empty() ? "" : ", " + m.virtualization));
  if (run.container) text += row("container", run.container->image + " " + run.container->digest);
  return text + facts(run.noise.before, "before") + facts(run.noise.after, "after");
}

std::string build(const BuildRecord& build) {
  std::string text = row("command", build.command) + row("compiler", build.compiler);
  for (const auto& [macro, value] : build.macros) text += row("macro", macro + "=" + value);
  text += row("source", build.source_hash.empty() ? "" : "sha256 " + build.source_hash);
  if (!trim(build.log).empty()) text += "  " + tr("it printed") + "\n" + below(std::string(trim(build.log)), "    ") + "\n";
  return text;
}

std::string numbered(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::string all;
  for (size_t i = 0; i < lines.size(); ++i) all += fmt::format("{:>5}  {}\n", i + 1, lines[i]);
  return all;
}

enum class Words { whole, parts };

// Whether each word is a part of the id: between slashes and spaces, or anywhere in it.
bool names_case(const std::string& words, const std::string& id, Words how) {
  std::string slashes = id;
  std::ranges::replace(slashes, ' ', '/');
  const std::vector<std::string> parts = split(slashes, '/');
  return std::ranges::all_of(split(words, ' '), [&](const std::string& word) {
    return how == Words::whole ? contains(parts, word) : id.find(word) != std::string::npos;
  });
}

std::string without_lab(const std::string& id) { return id.substr(id.find('/') + 1); }

}  // namespace

Result<const CaseRecord*> find_named_case(const RunRecord& run, const std::string& words) {
  std::vector<std::string> names;
  for (const CaseRecord& record : run.cases) {
    names.push_back(without_lab(record.id));
    if (record.id == words || names.back() == words) return &record;
  }
  std::vector<const CaseRecord*> fitting;
  for (const Words how : {Words::whole, Words::parts}) {
    if (!fitting.empty()) break;
    for (const CaseRecord& record : run.cases)
      if (names_case(words, record.id, how)) fitting.push_back(&record);
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) {
    const std::string meant = did_you_mean(words, names);
    return Error{fmt::format("no case \"{}\" in run {}{}", words, run.run.id,
                             meant.empty() ? "; run.json and the report name its cases" : meant)};
  }
  std::vector<std::string> shown;
  for (const CaseRecord* record : fitting)
    if (shown.size() < most_named) shown.push_back("\"" + without_lab(record->id) + "\"");
  return Error{fmt::format("\"{}\" fits {} cases: {}{}; give more of it", words, fitting.size(), join(shown, ", "),
                           fitting.size() > most_named ? fmt::format(" and {} more", fitting.size() - most_named) : "")};
}

std::string case_page(const RunRecord& run, const CaseRecord& record, const std::optional<std::string>& source) {
  std::string text = fmt::format("{}  {}{}\n", record.id, to_string(record.status), reason_below(record, "  "));
  text += row("problem", tr("{}, {}, {} on {}", record.label, to_string(record.dtype), tr_counted(record.threads, "thread"),
                            to_string(record.device)));
  text += row("run", tr("{} of {}, {}, harness {} {}{}", run.run.id, run.run.lab, run.run.started,
                                 run.run.harness.version, run.run.harness.commit.substr(0, 12),
                                 run.run.harness.dirty ? " " + tr("with uncommitted changes") : ""));
  text += row("measured by", record.reused_from.empty() ? tr("this run") : tr("run {}", record.reused_from));
  text += row("sandbox", run.run.sandbox);

  const Summary summary = record.summary();
  text += "\n" + tr("samples: {}", record.samples_ms.size());
  if (!record.samples_ms.empty())
    text += tr(", {} per sample, stopped by {}", tr_counted(record.calls_per_sample, "call"), to_string(record.stop_reason)) +
            "\n" + sample_plot(record.samples_ms, summary);
  else
    text += "\n";
  if (!record.metrics.empty()) text += "\n" + tr("numbers") + "\n";
  for (const auto& [name, metric] : record.metrics)
    for (const auto& [id, info] : run.metrics_info)
      if (id == name) text += metric_row(name, info, metric);
  if (!record.notes.empty()) text += "\n" + tr("notes") + "\n";
  for (const Note& note : record.notes) text += below(told(to_string(note)), "  ") + "\n";
  text += "\n" + tr("check") + "\n" + check_lines(record);
  text += "\n" + tr("machine") + "\n" + machine(run, record);
  for (const BuildRecord& one : run.builds)
    if (one.key == record.build_key && one.variant == record.variant) text += "\n" + tr("build") + "\n" + build(one);
  text += "\n" + tr("source text") + "\n";
  return text + (source ? numbered(*source) : "  " + tr("not kept: the run was made before the store kept sources, or elsewhere") + "\n");
}

}  // namespace harness
