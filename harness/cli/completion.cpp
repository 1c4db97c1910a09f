#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/cli/command_text.h"

namespace harness {
namespace {

/// "-o,--output": both names. Nothing for an argument.
std::vector<std::string> names_of(const Option& option) {
  return starts_with(option.names, "-") ? split(option.names, ',') : std::vector<std::string>();
}

bool is_flag(const Option& option) { return std::holds_alternative<bool*>(option.value); }

/// For single quotes of every shell here.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> all_names(Command& command) {
  std::vector<std::string> names = {"--help"};
  for (const Option& option : command.options())
    for (const std::string& name : names_of(option)) names.push_back(name);
  return names;
}

std::string bash(const std::vector<Command*>& commands) {
  std::vector<std::string> words;
  std::string cases, values;
  for (Command* command : commands) {
    words.push_back(command->name());
    cases += fmt::format("    {}) words={} ;;\n", command->name(), in_quotes(join(all_names(*command), " ")));
    for (const Option& option : command->options()) {
      if (option.one_of.empty()) continue;
      // An argument with fixed values is the command's only one, so it follows the command.
      auto names = names_of(option);
      if (names.empty()) names = {command->name()};
      for (const std::string& name : names)
        values += fmt::format("    {}:{}) words={} ;;\n", command->name(), name, in_quotes(join(option.one_of, " ")));
    }
  }
  return fmt::format(R"(# bash completion of harness
_harness() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W {} -- "$word")
    return
  fi
  case $command:$before in
{}    *) ;;
  esac
  if [[ -z $words && $word == -* ]]; then
    case $command in
{}    esac
  fi
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _harness harness
)",
                     in_quotes(join(words, " ") + " --help --version"), values, cases);
}

// [ ] and : have a meaning in the descriptions of _arguments.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
  return result;
}

std::string zsh(const std::vector<Command*>& commands) {
  std::string names, cases;
  for (Command* command : commands) {
    names += fmt::format("    {}\n", in_quotes(zsh_text(command->name()) + ":" + zsh_text(command->help())));
    cases += fmt::format("    {})\n      _arguments", command->name());
    for (const Option& option : command->options()) {
      const std::string value =
          is_flag(option) ? "" : ":value:" + (option.one_of.empty() ? "_files" : "(" + join(option.one_of, " ") + ")");
      for (const std::string& name : names_of(option))
        cases += " " + in_quotes(fmt::format("{}[{}]{}", name, zsh_text(option.help), value));
    }
    cases += " '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef harness
_harness() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_harness "$@"
)",
                     names, cases);
}

std::string fish(const std::vector<Command*>& commands) {
  std::string text = "# fish completion of harness\n";
  for (Command* command : commands) {
    text += fmt::format("complete -c harness -n __fish_use_subcommand -f -a {} -d {}\n", command->name(),
                        in_quotes(command->help()));
    for (const Option& option : command->options())
      for (const std::string& name : names_of(option)) {
        const bool is_long = starts_with(name, "--");
        text += fmt::format("complete -c harness -n '__fish_seen_subcommand_from {}' -{} {} -d {}", command->name(),
                            is_long ? "l" : "s", name.substr(is_long ? 2 : 1), in_quotes(option.help));
        if (!option.one_of.empty()) text += " -xa " + in_quotes(join(option.one_of, " "));
        else if (!is_flag(option)) text += " -r";
        text += "\n";
      }
  }
  return text;
}

}  // namespace

std::string completion(const std::vector<Command*>& commands, Shell shell) {
  if (shell == Shell::bash) return bash(commands);
  return shell == Shell::zsh ? zsh(commands) : fish(commands);
}

}  // namespace harness
