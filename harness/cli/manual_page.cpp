#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/cli/command_text.h"

namespace harness {
namespace {

/// A hyphen that can be typed, and no line that begins as a roff request does.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return starts_with(result, ".") || starts_with(result, "'") ? "\\&" + result : result;
}

std::string value_of(const Option& option) {
  if (std::holds_alternative<bool*>(option.value)) return "";
  if (!option.one_of.empty()) return " " + join(option.one_of, "|");
  return " " + (option.type.empty() ? "TEXT" : option.type);
}

/// As README has them; a test compares.
constexpr std::pair<ExitCode, const char*> exit_codes[] = {
    {ExitCode::ok, "all passed, or UNSTABLE, THROTTLED or SKIPPED with a reason"},
    {ExitCode::variant_failed, "a variant failed, or no case of a submitted variant ran"},
    {ExitCode::usage, "the command line or the config is wrong"},
    {ExitCode::machine, "the harness or the machine failed"},
    {ExitCode::nothing_selected, "nothing was selected, or nothing of the submission"},
    {ExitCode::interrupted, "interrupted"},
};

}  // namespace

std::string manual_page(const std::vector<Command*>& commands, std::string_view version) {
  std::string text = fmt::format(R"(.TH HARNESS 1 "" "harness {}" "User Commands"
.SH NAME
harness \- build, check, time and report the variants of a lab
.SH SYNOPSIS
.B harness
.I COMMAND
[\fIARGUMENTS\fR] [\fIOPTIONS\fR]
.SH COMMANDS
)",
                                 roff(version));
  for (Command* command : commands) {
    std::string arguments, options;
    for (const Option& option : command->options()) {
      if (!starts_with(option.names, "-")) {
        arguments += " " + upper(option.names);
        continue;
      }
      options += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(join(split(option.names, ','), ", ")),
                             roff(value_of(option)), roff(option.help));
    }
    text += fmt::format(".SS harness {}{}\n{}.\n{}", roff(command->name()), roff(arguments), roff(command->help()), options);
  }
  text += R"(.SH EXIT STATUS
)";
  for (const auto& [code, meaning] : exit_codes)
    text += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), roff(meaning));
  return text;
}

}  // namespace harness
