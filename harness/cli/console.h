// The one place that prints.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace harness {

/// Titles, messages and outputs are written by others: their control characters must not reach a terminal, and GitHub Actions runs
/// commands that it finds in a log, "::" at the beginning of a line and "##[" anywhere. Changes all three.
std::string safe_to_print(std::string_view text);
// Both print safe text.
void print(std::string_view text);        // stdout
void print_error(std::string_view text);  // stderr
/// Keeps colours on a terminal, and takes them out elsewhere. The text is the harness's own.
void print_coloured(const std::string& text);
/// "standard output: No space left on device", if something could not be printed.
std::optional<std::string> print_failure();

/// A line on stderr that changes in place. If stderr is not a terminal, the text that is current every 10 seconds
/// ($HARNESS_PROGRESS_S, as in bin/lib/build.sh) becomes a line of its own.
class LiveLine {
 public:
  enum class On { everything, nothing };
  explicit LiveLine(On on);
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  void show(std::string text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool on_, terminal_, shown_ = false;
  std::chrono::duration<double> every_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace harness
