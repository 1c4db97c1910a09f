// harness debug: one case under a debugger or a profiler, at this terminal.
#include <fmt/format.h>

#include <csignal>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/selection.h"
#include "harness/debugger/debug.h"

namespace harness {
namespace {

struct Tool {
  const char* name;
  const char* command;
};
constexpr Tool tools[] = {{"gdb", "gdb -q -ex run --args"},
                          {"valgrind", "valgrind -q"},
                          {"perf", "perf stat -d"},
                          {"compute-sanitizer", "compute-sanitizer"},
                          // Otherwise ncu sets the GPU's clocks: its figures would not be those of a run.
                          {"ncu", "ncu --clock-control none"},
                          {"none", ""}};

class Debug final : public Command {
 public:
  std::string name() const override { return "debug"; }
  std::string help() const override { return "run one case under gdb, valgrind, perf, compute-sanitizer or ncu"; }
  int order() const override { return 11; }

  std::vector<Option> options() override {
    std::vector<std::string> names;
    for (const Tool& tool : tools) names.emplace_back(tool.name);
    std::vector<Option> all = selection_.options();
    all.push_back({"--with", &with_, "the tool that starts the worker (default: gdb)", "TOOL", names});
    all.push_back({"--show-cells", &show_cells_, "show the wrong region of the output beside what was wanted"});
    return all;
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(RunOptions options, selection_.run_options());
    for (const Tool& tool : tools)
      if (with_ == tool.name)
        for (const std::string& word : split(tool.command, ' '))
          if (!word.empty()) options.wrap.push_back(word);
    if (!options.wrap.empty()) {
      options.wrap[0] = find_program(with_);
      if (options.wrap[0].empty())
        return Error{fmt::format("cannot find the program \"{}\"", with_), ExitCode::machine};
    }
    options.debugs = true;
    options.sandbox = "none";
    std::signal(SIGINT, [](int) {});  // Ctrl-C is the debugger's
    TRY_ASSIGN(const Debugged debugged, debug_case(options, show_cells_ ? ShowCells::yes : ShowCells::no));
    print_coloured(debugged.text);
    return debugged.output == Debugged::Output::right ? ExitCode::ok : ExitCode::variant_failed;
  }

 private:
  SelectionOptions selection_;
  std::string with_ = "gdb";
  bool show_cells_ = false;
};

Debug debug_command;
const Register<Command> register_debug(&debug_command);

}  // namespace
}  // namespace harness
