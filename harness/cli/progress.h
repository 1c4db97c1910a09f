// Shows the events of a run: live on a terminal, as plain lines in a log, or as JSON for programs.
#pragma once

#include <memory>

#include "harness/engine/events.h"

namespace harness {

enum class Show { everything, failures, json };
std::unique_ptr<EventSink> make_progress(Show show);

/// The lines of a text, indented, so that no line of a text that a student wrote looks like one of the harness.
std::string below(const std::string& text, const std::string& indent);
/// " (submission)" or " (lab)", if the run has a submission.
std::string whose(const CaseRecord& record);
/// Line break, reason and notes of a case that did not pass. Empty without a reason.
std::string reason_below(const CaseRecord& record, const std::string& indent);

/// The line of a finished case: status, id, time, rate, speedup, or the reason.
std::string case_line(const CaseRecord& record);
/// The lines of a claim: its answer and why, and what the published figures say.
std::string claim_line(const ClaimRecord& claim);
/// "claims: 8 hold, 2 fail, 1 undecided"
std::string claims_line(const std::vector<ClaimRecord>& claims);
/// The last line: how the cases ended, and in what time.
std::string end_line(const Counts& counts, double seconds);
/// Says so if one call of each case took longer than the budget. Otherwise empty.
std::string budget_line(double budget_s, double least_s);

}  // namespace harness
