// What the jobs of an executor ask for: the key `executor` of a config, or the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace harness {

struct ExecutorSettings {
  std::string partition, gres, account, constraint;
  std::string partition_from;       // where the partition was named: "a.yaml:9:14" or "--partition"
  std::optional<double> time_s;     // longest time of one job
  std::optional<int> per_job;       // submissions of one job
  std::vector<std::string> sbatch;  // further options, passed on as they are

  /// Replaces what `newer` has.
  void take(const ExecutorSettings& newer);
};

}  // namespace harness
