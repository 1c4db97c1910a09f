// The rewriter turns `kernel<<<grid, block, shared, stream>>>(arguments)` into a call of launch().
#pragma once

#include <utility>

#include "emulator/device/api.h"

namespace lab::emulated {

/// The kernel as the source names it, for messages.
struct Site {
  const char* kernel;
};

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  bool is_cooperative = false;
  Configuration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block), shared_bytes(shared_bytes), stream(stream) {}
};

/// Calls body(data) once for each thread of the grid. A launch that the device refuses sets the last error.
void run_grid(Site site, const Configuration& configuration, void (*body)(void*), void* data);

/// As on a real device, the arguments are copied at the launch and then once for each thread. These copies
/// are not accesses of the kernel, so they are not watched.
template <class Body, class... Arguments>
__attribute__((no_sanitize("thread"))) void launch(Site site, const Configuration& configuration,
                                                   const Body& body, Arguments... arguments) {
  const auto call = [&]() __attribute__((no_sanitize("thread"))) { body(arguments...); };
  using Call = decltype(call);
  run_grid(
      site, configuration, [](void* p) __attribute__((no_sanitize("thread"))) { (*static_cast<Call*>(p))(); },
      const_cast<void*>(static_cast<const void*>(&call)));
}

}  // namespace lab::emulated
