// The rewriter turns `kernel<<<grid, block, shared, stream>>>(arguments)` into a call of what prepare() returns.
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

/// The argument 0, which may be a number or a pointer, or an object that is made from a number.
struct Zero {
  operator int() const { return 0; }
  template <class T>
  operator T*() const {
    return nullptr;
  }
  template <class T>
    requires(std::is_class_v<T> && std::is_convertible_v<int, T>)
  operator T() const {
    return 0;
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
  if (!site.return_address) site.return_address = __builtin_return_address(0);
  run_grid(
      site, configuration, [](void* p) __attribute__((no_sanitize("thread"))) { (*static_cast<Call*>(p))(); },
      const_cast<void*>(static_cast<const void*>(&call)));
}

template <class... P>
struct Parameters {};
/// The parameters of a kernel, if its name alone tells them: it is not overloaded, and no template argument is deduced.
struct Name {
  template <class... P>
  static Parameters<P...> parameters_of(void (*)(P...));
};

template <class Body, class Known>
struct Prepared;
/// Takes the arguments of a launch as the kernel does: the host converts each once to the type of its parameter. Another
/// number of arguments is taken as it is: the kernel may have defaults, or its name does not tell its parameters (no P).
/// So are arguments that do not fit: the kernel's call in the student's line is then the error.
template <class Body, class... P>
struct Prepared<Body, Parameters<P...>> {
  Site site;
  const Configuration& configuration;
  const Body& body;

  __attribute__((no_sanitize("thread"), noinline)) void operator()(P... p) {
    site.return_address = __builtin_return_address(0);
    launch(site, configuration, body, std::forward<P>(p)...);
  }
  template <class... A>
  static constexpr bool fit() {
    if constexpr (sizeof...(A) == sizeof...(P))
      return (std::is_convertible_v<A, P> && ...);
    else
      return false;
  }
  template <class... A>
    requires(!fit<A...>())
  __attribute__((no_sanitize("thread"), noinline)) void operator()(A... a) {
    site.return_address = __builtin_return_address(0);
    launch(site, configuration, body, std::move(a)...);
  }
};

/// `of(Name())` has the type of the kernel's parameters, or no meaning. Use the result at once: it holds references.
template <class Of, class Body>
auto prepare(Site site, const Configuration& configuration, const Of&, const Body& body) {
  using Known = typename std::conditional_t<std::is_invocable_v<const Of&, Name>, std::invoke_result<const Of&, Name>,
                                            std::type_identity<Parameters<>>>::type;
  return Prepared<Body, Known>{site, configuration, body};
}

}  // namespace lab::emulated
