#include "harness/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/console.h"
#include "harness/cli/emulated_lines.h"
#include "harness/cli/json_lines.h"

namespace harness {
namespace {

// A visitor made of lambdas.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// The record has more of what a variant printed.
std::string first_lines(const Note& printed) {
  constexpr size_t most = 5;
  std::string text = to_string(printed.arguments.front().second);
  const std::vector<std::string> lines = split(text, '\n');
  if (lines.size() <= most) return text;
  return tr("{}\n{} in run.json", join({lines.begin(), lines.begin() + most}, "\n"),
            tr_counted(static_cast<int64_t>(lines.size() - most), "more line"));
}

class Lines final : public EventSink {
 public:
  explicit Lines(Show show)
      : show_(show), live_(show == Show::everything ? LiveLine::On::everything : LiveLine::On::nothing) {}

  void on(const Event& event) override {
    std::visit(
        Overloaded{[&](const event::RunStarted& e) { begin(e); }, [&](const event::BuildEnded& e) { build(e); },
                   [&](const event::PhaseStarted& e) { live_.show(told(to_string(e))); },
                   [&](const event::Warning& e) {
                     if (show_ != Show::failures) line(tr("warning: {}", told(e.text)));
                   },
                   [&](const event::CheckStarted& e) {
                     live_.show(counted_line(e, tr("checking {}; a call may take {}", e.id, human_time(e.limit_s))));
                   },
                   [&](const event::TimingStarted& e) { timing(e); },
                   [&](const event::CaseEnded& e) { ended(e.record); },
                   [&](const event::ClaimsAnswered& e) { claims(e); }, [&](const event::RunEnded& e) { end(e); }},
        event);
  }

 private:
  void line(const std::string& text) {
    live_.clear();
    print(text + "\n");
  }

  static std::string counted_line(const auto& e, const std::string& text) {
    return fmt::format("[{}/{}] {}", e.done, e.of, text);
  }

  void begin(const event::RunStarted& e) {
    if (show_ == Show::failures) return;
    line(fmt::format("{}: {}", e.lab, e.title));
    line(fmt::format("{}, {}", tr_counted(static_cast<int64_t>(e.cases), "case"),
                     tr_counted(static_cast<int64_t>(e.builds), "build")));
    for (const auto& [reason, cases] : e.skipped)
      line(fmt::format("{:<14} {}: {}", to_string(Status::SKIPPED), tr_counted(cases, "case"), told(reason)));
  }

  void build(const event::BuildEnded& e) {
    std::string what = e.variant;
    for (const auto& [macro, value] : e.macros) what += fmt::format(" {}={}", macro, to_string(value));
    if (e.state == BuildState::failed)
      line(fmt::format("{:<14} {}", to_string(Status::COMPILE_ERROR),
                       below(fmt::format("{}: {}", what, told(e.error)), std::string(15, ' ')).substr(15)));
    if (show_ == Show::everything)
      for (const std::string& warning : e.warnings)
        if (warned_.insert(e.variant + warning).second) line(below(fmt::format("{}: {}", e.variant, warning), ""));
    live_.show(tr("building {}/{} {}", e.done, e.of, what));
    ++builds_[e.state];
    if (e.done == e.of && show_ == Show::everything)
      line(tr("builds: {} compiled, {} already there, {} failed", builds_[BuildState::built],
              builds_[BuildState::cached], builds_[BuildState::failed]));
  }

  void timing(const event::TimingStarted& e) {
    const std::string more = e.ids.size() > 1 ? tr(" and {} more", e.ids.size() - 1) : "";
    live_.show(counted_line(e, tr("timing {}{}; about {} left", e.ids.front(), more, human_time(e.left_s))));
  }

  void ended(const CaseRecord& record) {
    show(record);
    if (info(record.status).fails || show_ != Show::everything) return;
    for (const Note& note : record.notes) {
      if (note.code != NoteCode::shapes_left_out && note.code != NoteCode::printed) continue;
      if (!noted_.emplace(record.variant, note.code).second) continue;
      // A printed line must not look like one of the harness.
      line(note.code == NoteCode::printed ? tr("{} printed:\n{}", record.variant, below(first_lines(note), "  | "))
                                          : below(fmt::format("{}: {}", record.variant, told(to_string(note))), ""));
    }
  }

  void show(const CaseRecord& record) {
    if (record.device == Device::emulated) return emulated_.ended(record, show_, [this](auto& t) { line(t); });
    if (show_ == Show::everything || info(record.status).fails) line(case_line(record));
  }

  void claims(const event::ClaimsAnswered& e) {
    for (const ClaimRecord& claim : e.claims) {
      const bool selected = !claim.measured.points.empty();
      if (claim.measured.answer == ClaimAnswer::FAILS || (show_ == Show::everything && selected))
        line(claim_line(claim));
    }
    if (std::ranges::any_of(e.claims, [](auto& claim) { return !claim.measured.points.empty(); }))
      line(claims_line(e.claims));
  }

  void end(const event::RunEnded& e) {
    emulated_.end([this](auto& t) { line(t); });
    for (const auto& [variant, reasons] : e.counts.nothing_ran)
      line(tr("{}: a failure, because no case of this submitted variant ran: {}", variant,
              told(printable(reasons, 500))));
    line(end_line(e.counts, e.seconds));
    if (const std::string why = budget_line(e.budget_s, e.least_s); !why.empty()) line(why);
    if (!e.report_error.empty())
      line(e.report_error);
    else if (e.counts.cancelled == 0)
      line(tr("report: {}", e.folder + (e.rendered ? "/report.{md,html,pdf}" : "/run.json")));
    else
      line(tr("finished cases are kept; run the same command again to go on"));
  }

  Show show_;
  LiveLine live_;
  std::map<BuildState, int> builds_;
  std::set<std::string> warned_;
  std::set<std::pair<std::string, NoteCode>> noted_;  // what was said of each variant that passed
  EmulatedLines emulated_;
};

// "  1.2 ms ±3 %  4.5 GFLOP/s  2.1x  60 % of limit"
std::string figures(const CaseRecord& record) {
  const Metric* time = record.find(MetricName::kernel_ms);
  if (!time) return "";
  std::string text = "  " + human_time(time->median * 1e-3);
  if (time->low && time->high) {
    const double percent = 100 * (*time->high - *time->low) / 2 / time->median;
    text += percent < 99.5 ? fmt::format(" ±{:.2g} %", percent)
                           : " " + tr("({} to {})", human_time(*time->low * 1e-3), human_time(*time->high * 1e-3));
  } else {
    text += fmt::format(" ({})", tr_counted(time->n, "sample"));
  }
  if (const Metric* rate = record.find(MetricName::gflops)) text += fmt::format("  {:.4g} GFLOP/s", rate->median);
  if (const Metric* speedup = record.find(MetricName::speedup))
    text += speedup->equal.value_or(false) ? fmt::format("  ~ {}", speedup->over)
                                           : fmt::format("  {:.3g}x", speedup->median);
  if (const Metric* share = record.find(MetricName::percent_of_limit)) text += tr("  {:.3g} % of limit", share->median);
  return text;
}

}  // namespace

std::string below(const std::string& text, const std::string& indent) {
  std::string all;
  for (const std::string& line : split(printable(text, 2000), '\n'))
    all += (all.empty() ? "" : "\n") + indent + line;
  return all;
}

std::string whose(const CaseRecord& record) { return record.owner.empty() ? "" : " (" + record.owner + ")"; }

std::string reason_below(const CaseRecord& record, const std::string& indent) {
  if (record.reason.empty()) return "";
  std::string text = "\n" + below(told(record.reason), indent);
  if (record.device == Device::gpu)
    for (const Diagnostic& d : record.diagnostics)
      text += "\n" +
              below(tr("on the emulated device: {}:{}: {}\n  usually: {}", d.file, d.line, told(d.what), told(d.fix)),
                    indent);
  for (const Note& note : record.notes) text += "\n" + below(told(to_string(note)), indent);
  return text;
}

std::string case_line(const CaseRecord& record) {
  return fmt::format("{:<14} {}{}{}{}{}", to_string(record.status), record.id, whose(record), figures(record),
                     record.reused_from.empty() ? "" : tr("  (known)"), reason_below(record, std::string(15, ' ')));
}

std::string claim_line(const ClaimRecord& claim) {
  std::string text = told(claim.measured.why);
  for (const AnsweredClaim& published : claim.published)
    text += tr("\npublished{}: {}", published.machine.empty() ? "" : " (" + published.machine + ")",
               to_string(published.answer));
  return fmt::format("{:<14} {}\n{}", to_string(claim.measured.answer), claim.text, below(text, std::string(15, ' ')));
}

std::string claims_line(const std::vector<ClaimRecord>& claims) {
  std::map<ClaimAnswer, int> count;
  for (const ClaimRecord& claim : claims) ++count[claim.measured.answer];
  return tr("claims: {} hold, {} fail, {} undecided", count[ClaimAnswer::HOLDS], count[ClaimAnswer::FAILS],
            count[ClaimAnswer::UNDECIDED]);
}

std::string end_line(const Counts& counts, double seconds) {
  std::string text = tr("{} passed", counts.passed);
  for (const auto& [status, cases] : counts.unranked) text += fmt::format(", {} {}", cases, status);
  text += tr(", {} failed, {} skipped", counts.failed, counts.skipped);
  if (counts.cancelled > 0) text += tr(", {} not run: interrupted", counts.cancelled);
  if (counts.reused > 0) text += tr(" ({} known from earlier runs)", counts.reused);
  return tr("{} in {}", text, human_time(seconds));
}

std::string budget_line(double budget_s, double least_s) {
  if (budget_s <= 0 || least_s <= 0.9 * budget_s) return "";
  return tr("a budget of {} is too short here: one call of each case takes {}", human_time(budget_s),
            human_time(least_s));
}

std::unique_ptr<EventSink> make_progress(Show show) {
  if (show == Show::json) return make_json_lines();
  return std::make_unique<Lines>(show);
}

}  // namespace harness
