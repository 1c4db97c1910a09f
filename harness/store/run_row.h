// One line about a run, for a list of runs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace harness {

struct RunRow {
  std::string id, lab, state, started;
  std::string machine;  // "Intel Xeon, 16 cores; NVIDIA H200"
  int64_t bytes = 0;    // of its records in the store
  std::vector<std::pair<std::string, int64_t>> verdicts;  // number of cases by status, most frequent first

  int64_t cases() const {
    int64_t all = 0;
    for (const auto& [status, count] : verdicts) all += count;
    return all;
  }
};

}  // namespace harness
