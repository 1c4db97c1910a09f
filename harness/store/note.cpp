#include "harness/store/note.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include "harness/base/text.h"

namespace harness {
namespace {

struct Row {
  NoteCode code;
  std::string_view name;
  const char* sentence;  // an argument whose name ends in _ms is shown as a time with its unit
};

// In the order of the enumerators.
constexpr Row rows[] = {
    {NoteCode::printed, "printed", "it printed: {output}"},
    {NoteCode::checked_by_timed_output, "checked_by_timed_output",
     "at this size only outputs of timed calls are checked, because a separate check would take too long"},
    {NoteCode::shapes_left_out, "shapes_left_out", "it supports only {shapes} of the {all} shapes of the check"},
    {NoteCode::choice, "choice", "its library chose {choice}"},
    {NoteCode::declined, "declined", "the variant does not compute this case; another one could do so on this machine"},
    {NoteCode::few_samples, "few_samples", "few samples: {samples}"},
    {NoteCode::no_warm_up, "no_warm_up", "no separate warm-up, because one call takes {call_ms}"},
    {NoteCode::overhead_unknown, "overhead_unknown",
     "this time could not be verified independently: the overhead of a call could not be measured"},
    {NoteCode::machine_busy, "machine_busy",
     "this time could not be verified independently: the machine was too busy (overhead {now_ms}, usually {usual_ms})"},
    {NoteCode::short_call, "short_call",
     "this time is only approximate: a call is short compared with the {overhead_ms} that were subtracted for starting "
     "it"},
    {NoteCode::libraries_not_observed, "libraries_not_observed",
     "the harness could not see which libraries it loads: reading another process is not permitted here; in a "
     "container add the capability SYS_PTRACE"},
    {NoteCode::emulated, "emulated",
     "this case ran on the emulated device: its results are checked on small shapes, its speed is not measured"},
    {NoteCode::sanitized, "sanitized", "this case was checked with the sanitizer \"{sanitizer}\"; no time was taken"},
    {NoteCode::no_recorded_time, "no_recorded_time",
     "the recorded baseline {file} has no row for {points}: there is no speedup over it, because nothing is "
     "interpolated"},
    {NoteCode::efficiency_over_one, "efficiency_over_one",
     "efficiency {efficiency:.3g} is over 1: it is a speedup over {over} divided by a number of warps of {lanes} lanes "
     "each, and {over} did not run in such warps"},
};

}  // namespace

std::string_view to_string(NoteCode code) { return rows[static_cast<int>(code)].name; }

std::optional<NoteCode> parse_note_code(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.code;
  return std::nullopt;
}

std::string to_string(const Note& note) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const auto& [key, value] : note.arguments) {
    const std::string& name = key;  // clang 14 does not capture structured bindings
    const auto* ms = std::get_if<double>(&value);
    if (ms && name.ends_with("_ms"))
      values.push_back(fmt::arg(name.c_str(), human_time(*ms * 1e-3)));
    else
      std::visit([&](const auto& v) { values.push_back(fmt::arg(name.c_str(), v)); }, value);
  }
  return fmt::vformat(rows[static_cast<int>(note.code)].sentence, values);
}

bool is_unverified_time(const Note& note) {
  return note.code == NoteCode::overhead_unknown || note.code == NoteCode::machine_busy;
}

}  // namespace harness
