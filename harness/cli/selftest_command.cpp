// harness selftest: the check checks itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/base/random.h"
#include "harness/check/check.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"

namespace harness {
namespace {

class SelfTestCommand final : public Command {
 public:
  std::string name() const override { return "selftest"; }
  std::string help() const override {
    return "show that the check rejects wrong kernels and accepts right ones";
  }
  int order() const override { return 8; }
  void options(CLI::App&) override {}

  Result<ExitCode> run() override {
    bool fine = true;
    for (const std::string& name : kind_names())
      for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
        const SelfTest test = self_test(*find_kind(name), dtype, secret_bits());
        print(fmt::format("{} {}: accepts the reference: {}; rejects {} of {}\n", name, to_string(dtype),
                          test.accepts_reference ? "yes" : "NO", test.rejected(), test.rows.size()));
        for (const auto& row : test.rows)
          print(fmt::format("  {:<9} {:<24} {}{}\n", row.rejected ? "rejected" : "ACCEPTED", row.name,
                            row.mistake, row.rejected ? " (by " + row.by + ")" : ""));
        fine = fine && test.accepts_reference && test.rejected() == static_cast<int>(test.rows.size());
      }
    return fine ? ExitCode::ok : ExitCode::machine;
  }
};

SelfTestCommand command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
