// Divides work among cores.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace harness {

/// Calls body(begin, end) on slices of [0, count); a slice has at least `grain` elements. Returns when all
/// are done.
void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body);

/// Cores this process may use: their numbers, and how many.
std::vector<int> usable_cpus();
int usable_cores();

/// Keeps the calling thread on these cores; empty: changes nothing. A thread that may not be moved stays where it is.
void stay_on(const std::vector<int>& cpus);

}  // namespace harness
