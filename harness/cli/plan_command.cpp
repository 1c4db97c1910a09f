// harness plan: what a run would do, case by case, without doing it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/points_lines.h"
#include "harness/cli/selection.h"
#include "harness/engine/recorder.h"
#include "harness/grade/grades.h"

namespace harness {
namespace {

class PlanCommand final : public Command {
 public:
  std::string name() const override { return "plan"; }
  std::string help() const override { return "show every case, every skip with its reason, and a time estimate"; }
  int order() const override { return 2; }

  std::vector<Option> options() override {
    std::vector<Option> all = selection_.options();
    all.push_back({"--json", &json_, "the cases as JSON"});
    all.push_back({"--rules", &rules_, "a YAML file with rules that replace the key grade of the config", "FILE"});
    all.push_back({"--points", &points_, "what can be earned, and with which cases"});
    return all;
  }

  Result<ExitCode> run() override {
    if (points_ && json_) return Error{"--points prints a table for people; leave out --json"};
    TRY_ASSIGN(RunOptions options, selection_.run_options());
    options.rules = rules_;
    TRY_ASSIGN(Lab loaded, load_lab(options));
    TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(loaded), Purpose::plan));
    TRY_ASSIGN(const Cases cases, select_cases(lab));
    if (points_) TRY(check_graded(lab.config));
    json_ ? as_json(lab, cases) : as_text(lab, cases);
    if (points_) {
      std::vector<CaseRecord> records;
      for (const CaseState& s : cases.all) records.push_back(s.record);
      print(rules_lines(*lab.config.grade, records));
    }
    return ExitCode::ok;
  }

 private:
  static std::optional<std::string> only_builds(const PlacedLab& lab, const CaseState& s) {
    return s.build ? lab.only_builds(*s.build->variant) : std::nullopt;
  }

  static void as_json(const PlacedLab& lab, const Cases& cases) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const CaseState& s : cases.all) {
      const CaseRecord& r = s.record;
      rows.push_back({{"id", r.id},
                      {"sweep", r.sweep},
                      {"variant", r.variant},
                      {"axes", to_json(r.axes)},
                      {"label", r.label},
                      {"device", to_string(r.device)},
                      {"runs", s.build && !only_builds(lab, s)},
                      {"reason", only_builds(lab, s).value_or(r.reason)}});
    }
    print(
        nlohmann::ordered_json{{"lab", lab.config.lab}, {"cases", rows}, {"excluded", to_json(lab.plan.excluded)}}.dump(
            2) +
        "\n");
  }

  static void as_text(const PlacedLab& lab, const Cases& cases) {
    std::string sweep, text;
    size_t runnable = 0, timed = 0;
    for (const CaseState& s : cases.all) {
      if (s.record.sweep != sweep) text += fmt::format("{}{}\n", sweep.empty() ? "" : "\n", s.record.sweep);
      sweep = s.record.sweep;
      const auto built = only_builds(lab, s);
      const bool runs = s.build && !built;
      runnable += runs;
      timed += runs && s.record.device != Device::emulated;
      text += fmt::format("  {:<4}  {:<22} {}{}\n", runs ? tr("run") : tr("skip"), s.record.variant,
                          to_string(s.record.axes), runs ? "" : "  (" + told(built.value_or(s.record.reason)) + ")");
    }
    for (const Excluded& e : lab.plan.excluded)
      text += fmt::format("  {:<4}  {:<22} {}  ({})\n", tr("out"), e.variant, to_string(e.axes), e.reason);
    text += "\n" + tr("{}: {} to run, {} skipped, {} excluded by the config; {}",
                      tr_counted(std::ssize(cases.all), "case"), runnable, cases.all.size() - runnable,
                      lab.plan.excluded.size(), tr_counted(std::ssize(cases.builds), "build")) + "\n";
    const double cap = lab.config.measure.max_time_s;
    // Most cases reach their precision early; the cap bounds the rest.
    text += tr("time: typically {}, at most {} of sampling; --budget bounds it",
               human_time(static_cast<double>(timed) * std::min(cap, 1.5)),
               human_time(static_cast<double>(timed) * cap)) + "\n";
    print(text);
  }

  SelectionOptions selection_;
  bool json_ = false, points_ = false;
  std::string rules_;
};

PlanCommand plan_command;
const Register<Command> register_plan(&plan_command);

}  // namespace
}  // namespace harness
