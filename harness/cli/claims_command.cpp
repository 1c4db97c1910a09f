// harness claims: answers the claims of a config from a finished run. A changed claim needs no new run.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/claims/answer.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/cli/progress.h"
#include "harness/store/read_run.h"

namespace harness {
namespace {

class Claims final : public Command {
 public:
  std::string name() const override { return "claims"; }
  std::string help() const override { return "answer the claims of a config from a finished run"; }
  int order() const override { return 7; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words},
            {"--config", &config_, "a config with other claims (default: that of the run)", "FILE"},
            {"--json", &json_, "as JSON, with all points"},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    TRY_ASSIGN(const RunRecord record, read_run(folder));
    TRY_ASSIGN(const Config config,
               config_.empty() ? parse_config(record.run.config.text, record.run.config.path) : load_config(config_));
    std::vector<const CaseRecord*> cases;
    for (const CaseRecord& one : record.cases) cases.push_back(&one);
    const auto claims = answer_claims(config, cases, record.published);
    if (claims.empty()) return Error{fmt::format("{}: it has no claims", config.path)};
    if (json_) {
      print(to_json(claims).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
      return ExitCode::ok;
    }
    for (const ClaimRecord& claim : claims) print(claim_line(claim) + "\n");
    print(claims_line(claims) + "\n");
    return ExitCode::ok;
  }

 private:
  std::string run_, config_, results_;
  bool json_ = false;
};

Claims claims_command;
const Register<Command> register_claims(&claims_command);

}  // namespace
}  // namespace harness
