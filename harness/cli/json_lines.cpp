#include "harness/cli/json_lines.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/console.h"
#include "harness/store/json_text.h"
#include "harness/store/records.h"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

class JsonLines final : public EventSink {
 public:
  void on(const Event& event) override { print_json_line(to_json(event)); }
};

Json json_of(const event::RunStarted& e) {
  return {{"event", "run"},   {"run", e.run},         {"lab", e.lab},       {"title", e.title},
          {"cases", e.cases}, {"skipped", e.skipped}, {"builds", e.builds}, {"folder", e.folder}};
}

Json json_of(const event::BuildEnded& e) {
  Json macros = Json::object();
  for (const auto& [name, value] : e.macros) macros[name] = to_string(value);
  return {{"event", "build"},
          {"variant", e.variant},
          {"macros", macros},
          {"state", to_string(e.state)},
          {"seconds", e.seconds},
          {"error", e.error},
          {"warnings", e.warnings},
          {"done", e.done},
          {"of", e.of}};
}

Json json_of(const event::PhaseStarted& e) { return {{"event", "phase"}, {"what", to_string(e)}}; }

Json json_of(const event::Warning& e) { return {{"event", "warning"}, {"text", e.text}}; }

Json json_of(const event::CheckStarted& e) {
  return {{"event", "check"}, {"id", e.id}, {"limit_s", e.limit_s}, {"done", e.done}, {"of", e.of}};
}

Json json_of(const event::TimingStarted& e) {
  return {{"event", "measure"}, {"ids", e.ids}, {"done", e.done}, {"of", e.of}, {"left_s", e.left_s}};
}

Json json_of(const event::CaseEnded& e) {
  Json line = {{"event", "case"}};
  line.update(to_json(e.record));
  for (const char* bulky : {"samples_ms", "rounds", "warmup_ms"}) line.erase(bulky);
  line["done"] = e.done;
  line["of"] = e.of;
  return line;
}

Json json_of(const event::ClaimsAnswered& e) {
  Json claims = Json::array();
  for (const ClaimRecord& claim : e.claims)
    claims.push_back({{"text", claim.text}, {"answer", to_string(claim.measured.answer)}, {"why", claim.measured.why}});
  return {{"event", "claims"}, {"claims", claims}};
}

Json json_of(const event::RunEnded& e) {
  return {{"event", "end"},
          {"run", e.run},
          {"state", e.counts.cancelled ? "interrupted" : "complete"},
          {"passed", e.counts.passed},
          {"unranked", e.counts.unranked},
          {"failed", e.counts.failed},
          {"skipped", e.counts.skipped},
          {"cancelled", e.counts.cancelled},
          {"nothing_ran", e.counts.nothing_ran},
          {"reused", e.counts.reused},
          {"seconds", e.seconds},
          {"budget_s", e.budget_s},
          {"least_s", e.least_s},
          {"folder", e.folder},
          {"rendered", e.rendered},
          {"report_error", e.report_error}};
}

}  // namespace

Json to_json(const Event& event) {
  return std::visit([](const auto& e) { return json_of(e); }, event);
}

void print_json_line(const Json& line) { print(to_text(line) + "\n"); }

std::string to_string(const event::PhaseStarted& e) {
  switch (e.phase) {
    case event::Phase::self_test:
      return "checking the check";
    case event::Phase::machine_limits:
      return "measuring the machine's limits";
    case event::Phase::machine_limit_again:
      return fmt::format("a case is faster than {} allows: measuring that limit again", e.limit);
    case event::Phase::report:
      return "rendering the report";
  }
  return "";
}

std::unique_ptr<EventSink> make_json_lines() { return std::make_unique<JsonLines>(); }

}  // namespace harness
