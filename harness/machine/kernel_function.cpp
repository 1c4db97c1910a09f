#include "harness/machine/kernel_function.h"

#include <algorithm>
#include <utility>

namespace harness {
namespace {

// CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability"; the units of allocation and the
// shared memory that the driver reserves are those of NVIDIA's occupancy calculator (cuda_occupancy.h).
struct Multiprocessor {
  const char* architecture;
  int warps, blocks;
  int64_t shared_bytes;
};
constexpr Multiprocessor multiprocessors[] = {
    {"sm_75", 32, 16, 64 << 10},   {"sm_80", 64, 32, 164 << 10},  {"sm_86", 48, 16, 100 << 10},
    {"sm_87", 48, 16, 164 << 10},  {"sm_89", 48, 24, 100 << 10},  {"sm_90", 64, 32, 228 << 10},
    {"sm_100", 64, 32, 228 << 10}, {"sm_103", 64, 32, 228 << 10}, {"sm_110", 48, 24, 228 << 10},
    {"sm_120", 48, 24, 100 << 10}, {"sm_121", 48, 24, 100 << 10}};
constexpr int lanes = 32, registers = 64 << 10, parts = 4, register_unit = 256;

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void compute_occupancy(KernelFunction& f) {
  // sm_90a has the limits of sm_90.
  const std::string base = f.architecture.substr(0, f.architecture.find_last_of("0123456789") + 1);
  const auto* m = std::ranges::find_if(multiprocessors, [&](const auto& one) { return one.architecture == base; });
  if (m == std::end(multiprocessors) || f.threads_per_block < 1 || f.registers < 0) return;
  const bool turing = base == "sm_75";
  const int64_t warps = round_up(f.threads_per_block, lanes) / lanes;
  const int64_t shared = round_up(f.shared_bytes + (turing ? 0 : 1024), turing ? 256 : 128);
  std::pair<int64_t, const char*> limits[] = {{m->warps / warps, "threads"}, {m->blocks, "blocks"}};
  auto limit = *std::ranges::min_element(limits);
  const auto also = [&](int64_t blocks, const char* by) {
    if (blocks < limit.first) limit = {blocks, by};
  };
  // Each quarter of a multiprocessor has a quarter of the registers.
  if (f.registers > 0)
    also(registers / parts / round_up(int64_t{f.registers} * lanes, register_unit) * parts / warps, "registers");
  if (f.shared_bytes > 0) also(m->shared_bytes / shared, "shared memory");
  f.blocks = static_cast<int>(limit.first);
  f.warps = static_cast<int>(limit.first * warps);
  f.max_warps = m->warps;
  f.occupancy = static_cast<double>(f.warps) / f.max_warps;
  f.limited_by = f.warps == f.max_warps ? "threads" : limit.second;
}

}  // namespace harness
