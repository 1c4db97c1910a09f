#include "harness/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace harness {

std::vector<int> usable_cpus() {
  cpu_set_t set;
  std::vector<int> all;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set)) all.push_back(i);
  return all;
}

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

void stay_on(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  const int64_t slices = std::clamp<int64_t>(count / std::max<int64_t>(grain, 1), 1, usable_cores());
  if (count <= 0) return;
  std::vector<std::thread> threads;
  for (int64_t s = 1; s < slices; ++s)
    threads.emplace_back([&body, count, slices, s] { body(count * s / slices, count * (s + 1) / slices); });
  body(0, count / slices);
  for (std::thread& t : threads) t.join();
}

}  // namespace harness
