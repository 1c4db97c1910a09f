// What happens during a run. The command line shows events on a terminal, in a log, or as JSON lines.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "harness/store/run_record.h"

namespace harness {

/// How the cases of a run ended.
struct Counts {
  int passed = 0, failed = 0, skipped = 0, cancelled = 0;
  std::map<std::string, int> unranked;             // right, but not PASSED: by status
  int reused = 0;                                  // among the others
  std::map<std::string, std::string> nothing_ran;  // submitted variants whose cases were all skipped: the reasons
};

namespace event {

struct RunStarted {
  std::string run, lab, title, folder;
  size_t cases = 0, builds = 0;
  std::map<std::string, int> skipped;  // cases by reason
};
struct BuildEnded {
  std::string variant;
  Axes macros;
  BuildState state = BuildState::failed;
  double seconds = 0;
  std::string error;
  std::vector<std::string> warnings;  // of the compiler
  size_t done = 0, of = 0;
};
enum class Phase { self_test, machine_limits, machine_limit_again, report };
struct PhaseStarted {
  Phase phase;
  std::string limit = {};  // the one that is measured again
};
/// Something that the user should know at once.
struct Warning {
  std::string text;
  bool waits = false;  // the run goes on when another run has ended
};
/// The outputs of a case are being checked.
struct CheckStarted {
  std::string id;
  double limit_s = 0;  // of one call
  size_t done = 0, of = 0;
};
/// A group of cases is being timed.
struct TimingStarted {
  std::vector<std::string> ids;
  size_t done = 0, of = 0;
  double left_s = 0;  // estimated, until the end of the run
};
struct CaseEnded {
  const CaseRecord& record;
  size_t done = 0, of = 0;
};
struct ClaimsAnswered {
  const std::vector<ClaimRecord>& claims;
};
struct RunEnded {
  std::string run, folder;
  Counts counts;
  double seconds = 0;
  double budget_s = 0;  // 0: none
  double least_s = 0;   // one call of each timed case
  bool rendered = true;
  std::string report_error = {};
};

}  // namespace event

using Event =
    std::variant<event::RunStarted, event::BuildEnded, event::PhaseStarted, event::Warning, event::CheckStarted,
                 event::TimingStarted, event::CaseEnded, event::ClaimsAnswered, event::RunEnded>;

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on(const Event& event) = 0;
};

}  // namespace harness
