#include "harness/cli/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "harness/base/status.h"
#include "harness/base/text.h"
#include "harness/cli/console.h"
#include "harness/cli/emulated_lines.h"

namespace harness {
namespace {

using nlohmann::json;

class JsonLines final : public EventSink {
 public:
  void on(const std::string& name, const json& fields) override {
    json line = {{"event", name}};
    line.update(fields);
    // Student text may hold bytes that are no UTF-8.
    print(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  }
};

class Lines final : public EventSink {
 public:
  explicit Lines(Show show) : show_(show), live_(show == Show::everything && terminal_is_live()) {}
  ~Lines() override { clear(); }

  void on(const std::string& name, const json& f) override {
    if (name == "run") return begin(f);
    if (name == "build") return build(f);
    if (name == "phase") return now(f.value("what", ""));
    if (name == "check")
      return now(fmt::format("[{}/{}] proving {}", f.value("done", 0), f.value("of", 0), f.value("id", "")));
    if (name == "measure") return measure(f);
    if (name == "case") return ended(f);
    if (name == "end") return end(f);
  }

 private:
  void line(const std::string& text) {
    clear();
    print(text + "\n");
  }
  // The line that changes; a log does without.
  void now(std::string text) {
    if (!live_) return;
    const size_t width = static_cast<size_t>(terminal_columns()) - 1;
    if (text.size() > width) text.resize(width);
    print_error("\r\x1b[2K" + text);
    shown_ = true;
  }
  void clear() {
    if (shown_) print_error("\r\x1b[2K");
    shown_ = false;
  }

  void begin(const json& f) {
    if (show_ == Show::failures) return;
    line(fmt::format("{}: {}", f.value("lab", ""), f.value("title", "")));
    line(fmt::format("{}, {}", counted(f.value("cases", 0), "case"), counted(f.value("builds", 0), "build")));
    const json skipped = f.value("skipped", json::object());
    for (const auto& [reason, cases] : skipped.items())
      line(fmt::format("{:<14} {}: {}", to_string(Status::SKIPPED), counted(cases.get<int>(), "case"),
                       reason));
  }

  void build(const json& f) {
    std::string what = f.value("variant", "");
    const json macros = f.value("macros", json::object());
    for (const auto& [macro, value] : macros.items())
      what += fmt::format(" {}={}", macro, value.get<std::string>());
    if (f.value("state", "") == "failed")
      line(fmt::format("{:<14} {}: {}", to_string(Status::COMPILE_ERROR), what, f.value("error", "")));
    now(fmt::format("building {}/{} {}", f.value("done", 0), f.value("of", 0), what));
    ++builds_[f.value("state", "")];
    if (f.value("done", 0) == f.value("of", 0) && show_ == Show::everything)
      line(fmt::format("builds: {} compiled, {} already there, {} failed", builds_["built"],
                       builds_["cached"], builds_["failed"]));
  }

  void measure(const json& f) {
    const auto& ids = f.at("ids");
    now(fmt::format("[{}/{}] timing {}{}; about {} left", f.value("done", 0), f.value("of", 0),
                    ids.empty() ? "" : ids[0].get<std::string>(),
                    ids.size() > 1 ? fmt::format(" and {} more", ids.size() - 1) : "",
                    human_time(f.value("left_s", 0.0))));
  }

  void ended(const json& f) {
    if (f.value("device", "") == "emulated") return emulated_.ended(f, show_, [this](auto& t) { line(t); });
    const auto status = parse_status(f.value("status", ""));
    const bool fails = status && info(*status).fails;
    if (show_ == Show::failures && !fails) return;
    line(case_line(f));
  }

  void end(const json& f) {
    emulated_.diagnostics([this](auto& t) { line(t); });
    line(end_line(f));
    if (const std::string why = budget_line(f); !why.empty()) line(why);
    const std::string error = f.value("report_error", "");
    if (!error.empty())
      line(error);
    else if (f.value("state", "") == "complete")
      line("report: " + f.value("folder", "") +
           (f.value("rendered", true) ? "/report.{md,html,pdf}" : "/run.json"));
    else
      line("finished cases are kept; run the same command again to go on");
  }

  Show show_;
  bool live_, shown_ = false;
  std::map<std::string, int> builds_;
  EmulatedLines emulated_;
};

}  // namespace

std::string below(const std::string& text, const std::string& indent) {
  std::string all;
  for (std::string line : split(printable(text, 2000), '\n')) {
    for (size_t at; (at = line.find("##[")) != std::string::npos;) line.insert(at + 2, " ");
    all += (all.empty() ? "" : "\n") + indent + (starts_with(trim(line), "::") ? "| " : "") + line;
  }
  return all;
}

std::string case_line(const json& f) {
  std::string text = fmt::format("{:<14} {}", f.value("status", ""), f.value("id", ""));
  const json metrics = f.value("metrics", json::object());
  if (metrics.contains("kernel_ms")) {
    const json& t = metrics["kernel_ms"];
    text += "  " + human_time(t.value("median", 0.0) * 1e-3);
    if (t.contains("low")) {
      const double half = (t["high"].get<double>() - t["low"].get<double>()) / 2;
      const double percent = 100 * half / t["median"].get<double>();
      text += percent < 99.5 ? fmt::format(" ±{:.2g} %", percent) : fmt::format(" ±{:.0f} %", percent);
    } else {
      text += fmt::format(" ({})", counted(t.value("n", 0), "sample"));
    }
    text += fmt::format("  {:.4g} GFLOP/s", metrics["gflops"].value("median", 0.0));
    if (metrics.contains("speedup"))
      text += metrics["speedup"].value("equal", false)
                  ? fmt::format("  ~ {}", metrics["speedup"].value("over", ""))
                  : fmt::format("  {:.3g}x", metrics["speedup"].value("median", 0.0));
    if (metrics.contains("percent_of_limit"))
      text += fmt::format("  {:.3g} % of limit", metrics["percent_of_limit"].value("median", 0.0));
  }
  if (!f.value("reused_from", "").empty()) text += "  (known)";
  const std::string reason = f.value("reason", "");
  if (reason.empty()) return text;
  const std::string indent(15, ' ');
  text += "\n" + below(reason, indent);
  for (const json& note : f.value("notes", json::array()))
    text += "\n" + below(note.value("text", ""), indent);
  return text;
}

std::string end_line(const json& f) {
  std::string text = fmt::format("{} passed", f.value("passed", 0));
  const json unranked = f.value("unranked", json::object());
  for (const auto& [status, cases] : unranked.items())
    text += fmt::format(", {} {}", cases.get<int>(), status);
  text += fmt::format(", {} failed, {} skipped", f.value("failed", 0), f.value("skipped", 0));
  if (f.value("cancelled", 0) > 0) text += fmt::format(", {} not run: interrupted", f.value("cancelled", 0));
  if (f.value("reused", 0) > 0) text += fmt::format(" ({} known from earlier runs)", f.value("reused", 0));
  return fmt::format("{} in {}", text, human_time(f.value("seconds", 0.0)));
}

std::string budget_line(const json& f) {
  const double budget_s = f.value("budget_s", 0.0), least_s = f.value("least_s", 0.0);
  if (budget_s <= 0 || least_s <= 0.9 * budget_s) return "";
  return fmt::format("a budget of {} is too short here: one call of each case takes {}", human_time(budget_s),
                     human_time(least_s));
}

std::unique_ptr<EventSink> make_progress(Show show) {
  if (show == Show::json) return std::make_unique<JsonLines>();
  return std::make_unique<Lines>(show);
}

}  // namespace harness
