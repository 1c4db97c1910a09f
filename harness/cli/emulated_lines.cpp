#include "harness/cli/emulated_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/status.h"
#include "harness/base/text.h"
#include "harness/cli/progress.h"
#include "harness/kernel/value.h"

namespace harness {
namespace {

using nlohmann::json;

std::string macros_of(const json& fields) {
  std::string text;
  const json axes = fields.value("axes", json::object());
  for (const auto& [name, value] : axes.items())
    if (is_macro(name))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                          value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string counts(const json& diagnostics) {
  int64_t mistakes = 0, hints = 0;
  for (const json& f : diagnostics) ++(f.value("severity", "") == "mistake" ? mistakes : hints);
  std::string text;
  if (mistakes > 0) text += ", " + counted(mistakes, "mistake");
  if (hints > 0) text += ", " + counted(hints, "hint");
  return text;
}

std::string position(const json& f) {
  const std::string file = f.value("file", "");
  return file.empty() ? f.value("kernel", "") : fmt::format("{}:{}", file, f.value("line", 0));
}

}  // namespace

void EmulatedLines::ended(const json& f, Show show, const Print& print) {
  const std::string variant = f.value("variant", ""), macros = macros_of(f);
  const std::string build = macros.empty() ? variant : variant + " " + macros;
  const auto status = parse_status(f.value("status", ""));
  const bool fails = status && info(*status).fails;
  if (!shown_.insert(fmt::format("{} {} {}", build, f.value("dtype", ""), f.value("status", ""))).second)
    return;
  if (show == Show::failures && !fails) return;
  const json diagnostics = f.value("diagnostics", json::array());
  const bool passed = status == Status::PASSED;
  std::string line =
      fmt::format("{}: {} (emulated){}", build, passed ? "passed" : f.value("status", ""), counts(diagnostics));
  if (!f.value("reused_from", "").empty()) line += "  (known)";
  // A mistake that was seen is shown with the others.
  const bool shown_below = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const json& diagnostic) {
    return diagnostic.value("what", "") == f.value("reason", "");
  });
  if (!passed && !shown_below) {
    line += "\n" + below(f.value("reason", ""), "  ");
    const json notes = f.value("notes", json::array());
    for (const json& note : notes) line += "\n" + below(note.value("text", ""), "  ");
  }
  print(line);
  for (const json& diagnostic : diagnostics) {
    const std::string key = fmt::format("{} {} {}", variant, position(diagnostic), diagnostic.value("kind", ""));
    auto seen = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& s) { return s.key == key; });
    if (seen == seen_.end()) {
      seen_.push_back({key,
                       fmt::format("{}: {}\n  usually: {}", position(diagnostic),
                                   printable(diagnostic.value("what", ""), 1000), diagnostic.value("fix", "")),
                       {}});
      seen = std::prev(seen_.end());
    }
    if (!macros.empty() && std::find(seen->builds.begin(), seen->builds.end(), macros) == seen->builds.end())
      seen->builds.push_back(macros);
  }
}

void EmulatedLines::diagnostics(const Print& print) const {
  for (const Seen& seen : seen_)
    print(seen.text + (seen.builds.size() > 1 ? "\n  seen with " + join(seen.builds, ", ") : ""));
}

}  // namespace harness
