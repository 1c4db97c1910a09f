#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "harness/base/interrupt.h"
#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"

using namespace harness;

namespace {

// What the process returns. A result that could not be printed is none.
int finish(ExitCode exit) {
  if (const auto failure = print_failure()) {
    print_error(fmt::format("harness: {}\n", *failure));
    if (exit == ExitCode::ok) exit = ExitCode::machine;
  }
  return static_cast<int>(exit);
}

std::string version_line() {
  return fmt::format("harness {} ({}{})", version().version, std::string(version().commit).substr(0, 12),
                     version().dirty ? ", with uncommitted changes" : "");
}

// CLI11 knows that a word is unknown, not which one was meant.
std::string suggestion(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> known;
  std::map<std::string, const CLI::App*> subs;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    known.push_back(sub->get_name());
    subs[sub->get_name()] = sub;
  }
  const CLI::App* active = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (active == &app && !starts_with(word, "-")) {
      if (const auto found = subs.find(word); found != subs.end()) {
        active = found->second;
        continue;
      }
      return fmt::format("unknown command \"{}\"{}", word, did_you_mean(word, known));
    }
    if (!starts_with(word, "-")) continue;
    const std::string name = word.substr(0, word.find('='));
    if (active->get_option_no_throw(name) || app.get_option_no_throw(name)) continue;
    std::vector<std::string> options;
    for (const CLI::Option* o : active->get_options())
      for (const std::string& l : o->get_lnames()) options.push_back("--" + l);
    return fmt::format("unknown option \"{}\"{}", name, did_you_mean(name, options));
  }
  return "";
}

// The library's other sentences begin with a capital letter and do not quote.
std::string in_our_words(const CLI::ParseError& e) {
  std::string text = e.what();
  const std::string extra = "The following argument was not expected: ",
                    extras = "The following arguments were not expected: ";
  for (const std::string& prefix : {extra, extras})
    if (starts_with(text, prefix)) return fmt::format("unexpected argument \"{}\"", text.substr(prefix.size()));
  if (dynamic_cast<const CLI::RequiredError*>(&e))
    return text == "A subcommand is required" ? "a command is missing" : text;
  if (dynamic_cast<const CLI::ValidationError*>(&e))  // "--gpu: " and our own message, which names the option
    return text.substr(text.find(": ") + 2);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

// What is wrong with the value of an option, or empty.
std::string mistake_of(const Option& option, const std::string& text) {
  const std::string name = option.names.substr(option.names.find(',') + 1);
  if (text.empty()) return name + " \"\": give it a value";
  if (option.one_of.empty() || contains(option.one_of, text)) return "";
  return fmt::format("{} \"{}\" is unknown{}; there are {}", name, text, did_you_mean(text, option.one_of),
                     join(option.one_of, ", "));
}

void add_option(CLI::App& app, const Option& option) {
  const std::string& help = option.help;
  CLI::Option* added = nullptr;
  if (const auto flag = std::get_if<bool*>(&option.value)) added = app.add_flag(option.names, **flag, help);
  if (const auto text = std::get_if<std::string*>(&option.value)) added = app.add_option(option.names, **text, help);
  if (const auto texts = std::get_if<std::vector<std::string>*>(&option.value))
    added = app.add_option(option.names, **texts, help);
  const bool argument = !starts_with(option.names, "-");
  if (const auto maybe = std::get_if<std::optional<std::string>*>(&option.value)) {
    added = app.add_option_function<std::string>(
        option.names, [value = *maybe](const std::string& text) { *value = text; }, help);
    if (!argument) added->expected(0, 1);
  }
  if (!std::holds_alternative<bool*>(option.value))
    added->check([option](const std::string& text) { return mistake_of(option, text); });
  if (!option.type.empty()) added->type_name(option.type);
  if (!option.one_of.empty()) added->type_name(join(option.one_of, "|"));
  if (argument && !std::holds_alternative<std::optional<std::string>*>(option.value)) added->required();
}

// The help in the language; the library keeps the texts that it was given.
void translate_help(CLI::App& app) {
  app.description(told(app.get_description()));
  app.get_formatter()->label("Usage", tr("Usage"));
  app.get_formatter()->label("Positionals", tr("Positionals"));
  for (CLI::Option* option : app.get_options()) {
    option->description(told(option->get_description()));
    if (!option->get_positional()) option->group(tr("Options"));
  }
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    command->group(tr("Subcommands"));
    translate_help(*command);
  }
}

// "harness help", "harness help run": the help of the program or of a command, which only the library can print.
void print_help_about(CLI::App& app, const std::vector<std::string>& command) {
  const CLI::App* about = command.empty() ? &app : nullptr;
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!about && sub->get_name() == command[0]) about = sub;
  if (!about) return;
  translate_help(app);
  const std::string name = command.empty() ? "harness" : "harness " + command[0];
  print(app.get_formatter()->make_help(about, name, CLI::AppFormatMode::Normal));
}

/// As gettext chooses it. A locale without a catalogue is no error.
Result<Catalogue> of_environment() {
  std::vector<std::string> wanted;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value && *value && wanted.empty()) wanted = {value};
  const char* list = std::getenv("LANGUAGE");
  if (list && !wanted.empty() && wanted[0] != "C") wanted = split(list, ':');
  for (const std::string& name : wanted)
    if (auto catalogue = load_catalogue(name)) return catalogue;
  return Catalogue{};
}

}  // namespace

int main(int argc, char** argv) {
  catch_interrupts();
  remember_command_line(argc, argv);

  CLI::App app{"Builds, checks, times and reports the variants of a lab.", "harness"};
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", version_line(), "print the version");
  std::string language;
  app.add_option("--language", language,
                 "language of messages, such as zh_CN (default: $LANGUAGE, $LC_ALL, $LC_MESSAGES, $LANG)")
      ->type_name("NAME");
  std::map<const CLI::App*, Command*> by_app;
  for (Command* command : commands()) {
    CLI::App* sub = app.add_subcommand(command->name(), command->help());
    sub->fallthrough();  // --language may stand behind the command
    for (const Option& option : command->options()) add_option(*sub, option);
    by_app[sub] = command;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    const auto catalogue = language.empty() ? of_environment() : load_catalogue(language);
    const Speaking speaking(catalogue ? *catalogue : Catalogue{});
    translate_help(app);
    std::ostringstream text;
    app.exit(e, text, text);
    print(text.str());
    return finish(ExitCode::ok);
  } catch (const CLI::ParseError& e) {
    if (argc == 1) {
      print(app.help());
      return finish(ExitCode::usage);
    }
    std::string message = suggestion(app, argc, argv);
    if (message.empty()) message = in_our_words(e);
    print_error(fmt::format("harness: {}; see harness --help\n", message));
    return finish(ExitCode::usage);
  }

  auto catalogue = language.empty() ? of_environment() : load_catalogue(language);
  if (!catalogue) {
    print_error(fmt::format("harness: --language: {}\n", catalogue.error().message));
    return finish(ExitCode::usage);
  }
  const Speaking speaking(*std::move(catalogue));
  const CLI::App* chosen = app.get_subcommands().front();
  if (chosen->get_name() == "help") print_help_about(app, chosen->get_option("topic")->results());
  const auto result = by_app.at(chosen)->run();
  if (result) return finish(*result);
  print_error(fmt::format("harness: {}\n", told(result.error().message)));
  return finish(interrupted() ? ExitCode::interrupted : result.error().exit);
}
