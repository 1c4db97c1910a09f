#include "harness/client/steal.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {
namespace {

std::vector<double> now_ms() {
  const auto stat = read_file("/proc/stat");
  return stat ? stolen_ms_by_cpu(*stat, 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK))) : std::vector<double>{};
}

double at(const std::vector<double>& by_cpu, int cpu) {
  const auto i = static_cast<size_t>(cpu);
  return cpu >= 0 && i < by_cpu.size() ? by_cpu[i] : 0;
}

}  // namespace

std::vector<double> stolen_ms_by_cpu(const std::string& stat, double tick_ms) {
  constexpr unsigned most_cpus = 1 << 16;
  std::vector<double> by_cpu;
  for (const std::string& line : split(stat, '\n')) {
    unsigned cpu = 0;
    unsigned long long ticks = 0;
    if (line.starts_with("cpu ")) continue;  // the sum of all processors
    if (std::sscanf(line.c_str(), "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &ticks) != 2 || cpu >= most_cpus)
      continue;
    if (by_cpu.size() <= cpu) by_cpu.resize(cpu + 1);
    by_cpu[cpu] = static_cast<double>(ticks) * tick_ms;
  }
  return by_cpu;
}

StealWatch::StealWatch(std::vector<int> cpus) : cpus_(std::move(cpus)), before_(now_ms()) {
  if (!cpus_.empty()) cpus_.push_back(sched_getcpu());
}

bool StealWatch::ever() const {
  const std::vector<double> now = now_ms();
  return std::any_of(now.begin(), now.end(), [](double ms) { return ms > 0; });
}

double StealWatch::stolen_ms() const {
  const std::vector<double> now = now_ms();
  std::vector<int> cpus = cpus_;
  if (cpus.empty()) {
    cpus.resize(now.size());
    std::iota(cpus.begin(), cpus.end(), 0);
  } else {
    cpus.push_back(sched_getcpu());
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  }
  double stolen = 0;
  for (const int cpu : cpus) stolen += at(now, cpu) - at(before_, cpu);
  return std::max(0.0, stolen);
}

}  // namespace harness
