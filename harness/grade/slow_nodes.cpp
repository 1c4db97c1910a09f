#include "harness/grade/slow_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace harness {
namespace {

constexpr double most_below = 0.05;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

}  // namespace

std::vector<std::string> slow_nodes(const std::vector<NodeLimits>& runs) {
  // The best of a node, because other work can only lower a measurement.
  std::map<std::string, std::map<std::string, double>> best;  // limit -> node -> value
  for (const auto& [node, limits] : runs)
    for (const MachineLimit& limit : limits) {
      const std::string name = limit.device == "cpu" ? fmt::format("{} of {} CPU threads", limit.name, limit.threads)
                                                     : limit.name + " of the GPU";
      double& value = best[name][node];
      value = std::max(value, limit.value);
    }
  std::vector<std::string> remarks;
  for (const auto& [name, nodes] : best)
    for (const auto& [node, value] : nodes) {
      std::vector<double> others;
      for (const auto& [other, its_value] : nodes)
        if (other != node) others.push_back(its_value);
      if (others.empty()) continue;
      const double below = 1 - value / median(others);
      if (below > most_below)
        remarks.push_back(fmt::format("node \"{}\": {} is {:.0f} % below the other nodes; look at its clocks", node,
                                      name, below * 100));
    }
  return remarks;
}

}  // namespace harness
