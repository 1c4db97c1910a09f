// The rewriter turns `kernel<<<grid, block, shared, stream>>>(arguments)` into a call of launch().
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/device/api.h"

namespace lab::emulated {

/// For messages: the kernel as the source names it, and where it is launched.
struct Site {
  const char* kernel;
  const void* return_address = nullptr;
};

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  bool is_cooperative = false;
  Configuration(dim3 grid, dim3 block = 1, size_t shared_bytes = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block), shared_bytes(shared_bytes), stream(stream) {}
};

/// The argument 0, which may be a number or a pointer.
struct Zero {
  operator int() const { return 0; }
  template <class T>
  operator T*() const {
    return nullptr;
  }
};
template <class T>
using Number = std::conditional_t<std::is_same_v<T, Zero>, int, T>;

/// The bytes that these parameters of a kernel take together, as a real device counts them.
template <class... Parameters>
constexpr size_t bytes_of_parameters() {
  size_t bytes = 0;
  ((bytes = (bytes + alignof(Parameters) - 1) / alignof(Parameters) * alignof(Parameters) + sizeof(Parameters)), ...);
  return bytes;
}

/// Calls body(data) once for each thread of the grid. A launch that the device refuses sets the last error.
void run_grid(Site site, const Configuration& configuration, void (*body)(void*), void* data);

/// As on a real device, the arguments are copied at the launch and then once for each thread. These copies
/// are not accesses of the kernel, so they are not watched.
template <class Body, class... Arguments>
__attribute__((no_sanitize("thread"), noinline)) void launch(Site site, const Configuration& configuration,
                                                   const Body& body, Arguments... arguments) {
  static_assert(bytes_of_parameters<Arguments...>() <= 32764,
                "the parameters of a kernel take more than 32,764 bytes: pass a pointer to device memory");
  // An object that is converted to a pointer is no parameter.
  static_assert(((!std::is_polymorphic_v<Arguments> || std::is_convertible_v<Arguments, const void*>) && ...),
                "a kernel cannot take objects with virtual functions");
  const auto call = [&]() __attribute__((no_sanitize("thread"))) {
    if constexpr ((std::is_same_v<Arguments, Zero> || ...) && std::is_invocable_v<const Body&, Number<Arguments>...>)
      body(static_cast<Number<Arguments>>(arguments)...);
    else
      body(arguments...);
  };
  using Call = decltype(call);
  site.return_address = __builtin_return_address(0);
  run_grid(
      site, configuration, [](void* p) __attribute__((no_sanitize("thread"))) { (*static_cast<Call*>(p))(); },
      const_cast<void*>(static_cast<const void*>(&call)));
}

}  // namespace lab::emulated
