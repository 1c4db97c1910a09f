// What happens during a run, for whoever shows it: a terminal, a log, a program that reads JSON lines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace harness {

/// Names and fields are part of the interface of `--json`:
///   run      {run, lab, title, cases, skipped: {reason: cases}, builds, folder}
///   build    {variant, macros, state, seconds, error, done, of}
///   phase    {what}                             "checking the check", "measuring the machine's limits"
///   check    {id, done, of}                     a case's results are being proved
///   measure  {ids, done, of, left_s}            a group of cases is being timed
///   case     {id, status, reason, metrics, ...} a case has ended: as in run.json, without samples
///   end      {run, state, passed, unranked: {status: cases}, failed, skipped, cancelled, reused, seconds, budget_s,
///            least_s, folder, rendered, report_error}
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on(const std::string& name, const nlohmann::json& fields) = 0;
};

}  // namespace harness
