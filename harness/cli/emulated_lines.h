// Cases that ran on the emulated device: a line a build, and what was seen, each thing once.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace harness {

enum class Show;

class EmulatedLines {
 public:
  using Print = std::function<void(const std::string&)>;

  /// The line of its build, with its first case: all sizes share one verdict.
  void ended(const nlohmann::json& fields, Show show, const Print& print);
  /// What was seen in all of them, and in which builds.
  void diagnostics(const Print& print) const;

 private:
  struct Seen {
    std::string key, text;
    std::vector<std::string> builds;  // "BLOCK=16"
  };
  std::set<std::string> shown_;
  std::vector<Seen> seen_;
};

}  // namespace harness
