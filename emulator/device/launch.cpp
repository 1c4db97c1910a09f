// Checks a launch against the limits of a device and runs its blocks on all processors.
#include "emulator/device/launch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "emulator/device/diagnostics.h"
#include "emulator/device/faults.h"
#include "emulator/device/options.h"
#include "emulator/device/processor.h"
#include "emulator/device/stacks.h"
#include "emulator/device/streams.h"
#include "emulator/device/watch.h"

namespace lab::emulated {
namespace {

std::map<const void*, size_t>& shared_limits() {
  static std::map<const void*, size_t> limits;
  return limits;
}
size_t largest_limit = static_shared_bytes;

std::string times(dim3 d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

/// The reason why a device refuses this launch, or nothing.
std::string refusal(const Configuration& c) {
  const dim3 &b = c.block, &g = c.grid;
  const uint64_t threads = uint64_t{b.x} * b.y * b.z;
  if (threads == 0 || uint64_t{g.x} * g.y * g.z == 0)
    return "a grid of " + times(g) + " blocks of " + times(b) + " threads has nothing in it";
  if (threads > max_threads_per_block || b.x > max_block_x || b.y > max_block_y || b.z > max_block_z)
    return "a block of " + times(b) + " threads; a device takes " + std::to_string(max_threads_per_block) +
           " in all, and " + times({max_block_x, max_block_y, max_block_z}) + " at most";
  if (g.x > max_grid_x || g.y > max_grid_y || g.z > max_grid_z)
    return "a grid of " + times(g) + " blocks; a device takes " +
           times({max_grid_x, max_grid_y, max_grid_z}) + " at most";
  if (c.is_cooperative && threads * g.x * g.y * g.z > Stacks::most_threads)
    return "a cooperative launch of " + std::to_string(threads * g.x * g.y * g.z) +
           " threads; the emulated device runs " + std::to_string(Stacks::most_threads) + " at the same time";
  if (c.shared_bytes > largest_limit)
    return std::to_string(c.shared_bytes) + " bytes of dynamic shared memory; " +
           (c.shared_bytes > shared_bytes_opt_in
                ? "a device has " + std::to_string(shared_bytes_opt_in) + " bytes"
                : "a launch may ask for " + std::to_string(largest_limit) + " bytes; cudaFuncSetAttribute allows more");
  return {};
}

std::vector<std::unique_ptr<Processor>>& processors() {
  static std::vector<std::unique_ptr<Processor>> all;
  while (all.size() < static_cast<size_t>(options().processors)) all.push_back(std::make_unique<Processor>());
  return all;
}

/// Half of the launches of a variant run in order, as a mistake shows best then, and half do not, because some mistakes are seen
/// only there. Which ones is the same each time.
std::optional<uint64_t> seed_of(uint32_t launch) {
  const uint64_t drawn = std::mt19937_64(launch)();
  if (options().schedule == Schedule::random) return options().seed;
  if (options().schedule == Schedule::in_order || drawn % 2 == 0) return std::nullopt;
  return drawn >> 40;
}

uint64_t order_of(uint64_t i, const Launch& launch) {
  if (!launch.seed) return i;
  // A step with no common divisor visits each block once.
  const uint64_t blocks = launch.blocks(), step = (*launch.seed * 2 + 1) % blocks;
  return std::gcd(step, blocks) == 1 ? (i * step + *launch.seed) % blocks : blocks - 1 - i;
}

}  // namespace

void run_grid(Site site, const Configuration& configuration, void (*body)(void*), void* data) {
  static uint32_t launches = 0;
  if (context_error() != cudaSuccess) return;
  if (current) {
    set_error(cudaErrorNotSupported, std::string("kernel ") + site.kernel + ": launched by another kernel");
    return;
  }
  if (const std::string why = refusal(configuration); !why.empty()) {
    const std::string detail = std::string("kernel ") + site.kernel + ": " + why;
    // A program may ask in this way whether a cooperative launch fits.
    configuration.is_cooperative ? set_error(cudaErrorCooperativeLaunchTooLarge, detail)
                                 : refuse(cudaErrorInvalidValue, detail, site.return_address);
    return;
  }
  if (check_stream(configuration.stream, site.return_address) != cudaSuccess) return;
  enqueue(configuration.stream, site.kernel, site.return_address);
  Launch launch{++launches,
                site.kernel,
                body,
                data,
                configuration.grid,
                configuration.block,
                configuration.shared_bytes,
                configuration.is_cooperative,
                seed_of(launches),
                largest_limit > static_shared_bytes ? shared_bytes_opt_in : static_shared_bytes};
  if (processors()[0]->watch())
    Diagnostics::get().launched(site.kernel, static_cast<int64_t>(launch.blocks()), launch.threads(), options().lanes);
  std::atomic<uint64_t> next{0};
  const auto work = [&](Processor& p) {
    const FaultGuard guard(p);
    for (uint64_t i; (i = next++) < launch.blocks();)
      if (context_error() != cudaSuccess || !p.run_block(launch, order_of(i, launch))) break;
    if (p.watch()) p.watch()->end_launch();
  };
  auto& all = processors();
  if (launch.is_cooperative) {
    const FaultGuard guard(*all[0]);
    (void)all[0]->run_together(launch);
    if (all[0]->watch()) all[0]->watch()->end_launch();
    return;
  }
  const uint64_t wanted = std::min<uint64_t>(all.size(), launch.blocks());
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < wanted; ++i) threads.emplace_back([&, i] { work(*all[i]); });
  work(*all[0]);
  for (std::thread& t : threads) t.join();
}

extern "C" cudaError_t lab_set_shared_limit(const void* kernel, int bytes) {
  if (bytes < 0 || static_cast<size_t>(bytes) > shared_bytes_opt_in)
    return set_error(cudaErrorInvalidValue, std::to_string(bytes) + " bytes of dynamic shared memory; a device has " + std::to_string(shared_bytes_opt_in) + " bytes");
  shared_limits()[kernel] = static_cast<size_t>(bytes);
  largest_limit = static_shared_bytes;
  for (const auto& [k, limit] : shared_limits()) largest_limit = std::max(largest_limit, limit);
  return cudaSuccess;
}

}  // namespace lab::emulated
