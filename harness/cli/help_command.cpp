// harness help: the pages of docs/, at the terminal. main.cpp prints the help of the program or of a command before.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/files.h"
#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"

namespace harness {
namespace {

// "# Grading a class" -> "Grading a class"
std::string title(const std::string& page) {
  const std::string first = page.substr(0, page.find('\n'));
  return first.substr(std::min(first.size(), first.find_first_not_of("# ")));
}

class Help final : public Command {
 public:
  std::string name() const override { return "help"; }
  std::string help() const override { return "print a page of the documentation or the help of a command, or list all"; }
  int order() const override { return 89; }
  std::vector<Option> options() override {
    return {{"topic", &topic_, "the name of a page or a command, or none for the list"}};
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    std::vector<std::string> topics;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / "docs", error))
      if (entry.path().extension() == ".md") topics.push_back(entry.path().stem().string());
    std::ranges::sort(topics);
    if (!topic_) {
      print(tr("Pages") + ":\n");
      for (const std::string& topic : topics) {
        TRY_ASSIGN(const std::string page, read_file(root / "docs" / (topic + ".md")));
        print(fmt::format("  {:<14} {}\n", topic, title(page)));
      }
      print(tr("harness help TOPIC prints a page, or the options of a command") + "\n");
      return ExitCode::ok;
    }
    if (!contains(topics, *topic_)) {
      for (const Command* command : commands())
        if (command->name() == *topic_) return ExitCode::ok;
      return Error{fmt::format("no topic \"{}\"{}; harness help lists them", *topic_, did_you_mean(*topic_, topics))};
    }
    TRY_ASSIGN(const std::string page, read_file(root / "docs" / (*topic_ + ".md")));
    print(page);
    return ExitCode::ok;
  }

 private:
  std::optional<std::string> topic_;
};

Help help_command;
const Register<Command> register_help(&help_command);

}  // namespace
}  // namespace harness
