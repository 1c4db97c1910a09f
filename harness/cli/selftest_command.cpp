// harness selftest: the check checks itself, and with --corpus the whole harness does.
#include <fmt/format.h>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/check/check.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/corpus_lines.h"

namespace harness {
namespace {

/// Shows one changing line on a terminal, and nothing in a log.
class OneLine final : public EventSink {
 public:
  void on(const Event& event) override {
    if (const auto* build = std::get_if<event::BuildEnded>(&event))
      line_.show(fmt::format("building {}/{} {}", build->done, build->of, build->variant));
    if (const auto* check = std::get_if<event::CheckStarted>(&event)) line_.show("checking " + check->id);
    if (const auto* timing = std::get_if<event::TimingStarted>(&event))
      line_.show(fmt::format("timing {}/{}", timing->done, timing->of));
  }

 private:
  LiveLine line_{LiveLine::On::everything};
};

class SelfTestCommand final : public Command {
 public:
  std::string name() const override { return "selftest"; }
  std::string help() const override { return "show that the check rejects wrong kernels and accepts right ones"; }
  int order() const override { return 9; }

  std::vector<Option> options() override {
    return {{"--corpus", &corpus_, "run the whole harness on correct, wrong and evil variants (default: tests/corpus)",
             "DIR"},
            {"--gpu", &gpu_, "with --corpus: what GPU variants run on: auto, cuda, hip, emulated", "DEVICE"},
            {"--sandbox", &sandbox_, "with --corpus: where untrusted code runs; see harness list", "NAME"},
            {"--json", &json_, "with --corpus: the verdicts as JSON, one per line"}};
  }

  Result<ExitCode> run() override {
    if (corpus_) return run_on_corpus();
    for (const auto& [given, name] :
         {std::pair{!gpu_.empty(), "--gpu"}, {!sandbox_.empty(), "--sandbox"}, {json_, "--json"}})
      if (given) return Error{fmt::format("{} is for the corpus: add --corpus", name)};
    bool fine = true;
    for (const std::string& name : kernel_names())
      for (const Dtype dtype : all_dtypes) {
        const SelfTest test = self_test(*find_kernel(name), dtype, secret_bits());
        print(fmt::format("{} {}: accepts the reference: {}; rejects {} of {}\n", name, to_string(dtype),
                          test.accepts_reference ? "yes" : "NO", test.rejected(), test.rows.size()));
        for (const auto& row : test.rows)
          print(fmt::format("  {:<9} {:<26} {}{}\n", row.rejected ? "rejected" : "ACCEPTED", row.name, row.mistake,
                            row.rejected ? " (by " + row.by + ")" : ""));
        fine = fine && test.accepts_reference && test.rejected() == static_cast<int>(test.rows.size());
      }
    return fine ? ExitCode::ok : ExitCode::machine;
  }

 private:
  Result<ExitCode> run_on_corpus() {
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const Corpus corpus, read_corpus(corpus_->empty() ? root / "tests/corpus" : fs::path(*corpus_)));
    RunOptions options;
    options.sandbox = sandbox_;
    options.command = command_line();
    TRY_ASSIGN(options.device, parse_device_options(gpu_, "", "", ""));
    Result<CorpusRun> run = [&] {
      OneLine progress;
      return run_corpus(corpus, options, progress);
    }();
    TRY(run);
    json_ ? print_corpus_json(*run) : print_corpus(*run);
    return as_expected(*run) ? ExitCode::ok : ExitCode::variant_failed;
  }

  std::optional<std::string> corpus_;  // empty: the project's own
  std::string gpu_, sandbox_;
  bool json_ = false;
};

SelfTestCommand selftest_command;
const Register<Command> register_selftest(&selftest_command);

}  // namespace
}  // namespace harness
