// Shows a run's events: live on a terminal, as plain lines in a log, or as JSON for programs.
#pragma once

#include <memory>

#include "harness/engine/events.h"

namespace harness {

enum class Show { everything, failures, json };
std::unique_ptr<EventSink> make_progress(Show show);

/// Text that a variant may have had a hand in, its lines indented. GitHub Actions reads a log as commands:
/// lines that begin with "::", and "##[" anywhere. No line of this is one.
std::string below(const std::string& text, const std::string& indent);

/// The line of a finished case: status, id, time, rate, speedup, or the reason.
std::string case_line(const nlohmann::json& fields);
/// The last line: how many ended how, in what time.
std::string end_line(const nlohmann::json& fields);
/// Why a run took longer than its budget, if one call of each case did alone; empty otherwise.
std::string budget_line(const nlohmann::json& fields);

}  // namespace harness
