// harness plan: what a run would do, case by case, without doing it.
#include <fmt/format.h>

#include <optional>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/selection.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

class Silent final : public EventSink {
  void on(const std::string&, const nlohmann::json&) override {}
};

class PlanCommand final : public Command {
 public:
  std::string name() const override { return "plan"; }
  std::string help() const override {
    return "show every case, every skip with its reason, and a time estimate";
  }
  int order() const override { return 2; }

  std::vector<Option> options() override {
    std::vector<Option> all = selection_.options();
    all.push_back({"--json", &json_, "the cases as JSON"});
    return all;
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const RunOptions options, selection_.run_options());
    Context context;
    Silent silent;
    context.options = &options;
    context.events = &silent;
    TRY(set_up(context));
    TRY(select_cases(context));
    json_ ? as_json(context) : as_text(context);
    return ExitCode::ok;
  }

 private:
  static std::optional<std::string> only_builds(const Context& context, const CaseState& s) {
    return s.target ? context.only_builds(*s.target->variant) : std::nullopt;
  }

  static void as_json(const Context& context) {
    nlohmann::ordered_json cases = nlohmann::json::array();
    for (const CaseState& s : context.cases) {
      const CaseRecord& r = s.record;
      cases.push_back({{"id", r.id},
                       {"sweep", r.sweep},
                       {"variant", r.variant},
                       {"axes", to_json(r.axes)},
                       {"label", r.label},
                       {"device", to_string(r.device)},
                       {"runs", s.target && !only_builds(context, s)},
                       {"reason", only_builds(context, s).value_or(r.reason)}});
    }
    print(nlohmann::ordered_json{
              {"lab", context.config.lab}, {"cases", cases}, {"excluded", to_json(context.plan.excluded)}}
              .dump(2) +
          "\n");
  }

  static void as_text(const Context& context) {
    std::string sweep, text;
    size_t runnable = 0, timed = 0;
    for (const CaseState& s : context.cases) {
      if (s.record.sweep != sweep) text += fmt::format("{}{}\n", sweep.empty() ? "" : "\n", s.record.sweep);
      sweep = s.record.sweep;
      const auto built = only_builds(context, s);
      const bool runs = s.target && !built;
      runnable += runs;
      timed += runs && s.record.device != Device::emulated;
      text +=
          fmt::format("  {}  {:<22} {}{}\n", runs ? "run " : "skip", s.record.variant,
                      to_string(s.record.axes), runs ? "" : "  (" + built.value_or(s.record.reason) + ")");
    }
    for (const Excluded& e : context.plan.excluded)
      text += fmt::format("  out   {:<22} {}  ({})\n", e.variant, to_string(e.axes), e.reason);
    text += fmt::format("\n{}: {} to run, {} skipped, {} excluded by the config; {}\n",
                        counted(static_cast<int64_t>(context.cases.size()), "case"), runnable,
                        context.cases.size() - runnable, context.plan.excluded.size(),
                        counted(static_cast<int64_t>(context.targets.size()), "build"));
    const double cap = context.config.measure.max_time_s;
    // Most cases reach their precision early; the cap bounds the rest.
    text += fmt::format("time: typically {}, at most {} of sampling; --budget bounds it\n",
                        human_time(static_cast<double>(timed) * std::min(cap, 1.5)),
                        human_time(static_cast<double>(timed) * cap));
    print(text);
  }

  SelectionOptions selection_;
  bool json_ = false;
};

PlanCommand command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
