// Typed remarks of a case. A note becomes a sentence where run.json or a line of progress is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel/value.h"

namespace harness {

enum class NoteCode {
  printed,
  checked_by_timed_output,
  shapes_left_out,
  choice,
  declined,
  few_samples,
  no_warm_up,
  overhead_unknown,
  machine_busy,
  short_call,
  libraries_not_observed,
  emulated,
  sanitized,
  no_recorded_time,
  efficiency_over_one,
};

std::string_view to_string(NoteCode code);
std::optional<NoteCode> parse_note_code(std::string_view name);

struct Note {
  NoteCode code = NoteCode::printed;
  Axes arguments = {};  // names and values, as in the sentence of the code

  bool operator==(const Note&) const = default;
};

/// The sentence of the note. Throws fmt::format_error if an argument is missing or has the wrong type: only notes that
/// were read from a file can be like that.
std::string to_string(const Note& note);

/// True for the notes which say that the worker's times could not be compared with an independent clock.
bool is_unverified_time(const Note& note);

}  // namespace harness
