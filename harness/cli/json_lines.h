// `--json`: one event a line, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/engine/events.h"

namespace harness {

/// Names and fields are part of the interface of `--json`:
///   run      {run, lab, title, cases, skipped: {reason: cases}, builds, folder}
///   build    {variant, macros, state, seconds, error, warnings, done, of}
///   phase    {what}                             "checking the check", "measuring the machine's limits"
///   warning  {text}                             the machine is busy, or another run takes times
///   check    {id, limit_s, done, of}            the outputs of a case are being checked
///   measure  {ids, done, of, left_s}            a group of cases is being timed
///   case     {id, status, reason, metrics, ..., done, of}: as in run.json, without samples
///   claims   {claims: [{text, answer, why}]}   the answers to the claims of the config
///   end      {run, state, passed, unranked: {status: cases}, failed, skipped, cancelled, nothing_ran: {variant: why},
///            reused, seconds, budget_s, least_s, folder, rendered, report_error}
nlohmann::ordered_json to_json(const Event& event);

/// One line of JSON. Text of students may contain bytes that are not UTF-8: they are replaced.
void print_json_line(const nlohmann::ordered_json& line);

/// "measuring the machine's limits"
std::string to_string(const event::PhaseStarted& phase);

std::unique_ptr<EventSink> make_json_lines();

}  // namespace harness
