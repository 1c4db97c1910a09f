// Nodes that are slower than the others: the times of their students are no peers of other students' times.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/machine/machine.h"

namespace harness {

/// A node, and the limits that one run measured there.
using NodeLimits = std::pair<std::string, std::vector<MachineLimit>>;

/// `node "n2": copy of the GPU is 12 % below the other nodes; look at its clocks`, for each limit that is more than 5 %
/// below the median of the other nodes.
std::vector<std::string> slow_nodes(const std::vector<NodeLimits>& runs);

}  // namespace harness
