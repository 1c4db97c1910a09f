// What the tests of the emulated device share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "emulator/device/arena.h"
#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"
#include "emulator/device/runtime.h"

// What the compiler calls before an access in an instrumented variant (hooks.cpp).
extern "C" {
void __tsan_read2(void*);
void __tsan_read4(void*);
void __tsan_write2(void*);
void __tsan_write4(void*);
}

namespace lab::emulated {

inline const bool is_configured = [] {
  const char* given = std::getenv("LAB_EMULATED_OPTIONS");
  configure(given ? given : "");
  return true;
}();

/// An access that the device watches, as in an instrumented kernel. The tests themselves are not
/// instrumented.
template <class T>
T load(const T* p) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4);
  void* const at = const_cast<void*>(static_cast<const void*>(p));
  sizeof(T) == 2 ? __tsan_read2(at) : __tsan_read4(at);
  return *p;
}
template <class T>
void store(T* p, T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4);
  sizeof(T) == 2 ? __tsan_write2(p) : __tsan_write4(p);
  *p = value;
}

/// kernel<<<grid, block, shared_bytes>>>()
template <class Kernel>
cudaError_t run(dim3 grid, dim3 block, const Kernel& kernel, size_t shared_bytes = 0) {
  launch(Site{"kernel"}, Configuration(grid, block, shared_bytes), kernel);
  return cudaGetLastError();
}

/// Device memory with this content and exactly its size.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) { cudaMalloc(&p_, count * sizeof(T)); }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    cudaMemcpy(p_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(p_); }

  operator T*() const { return p_; }
  std::vector<T> values() const {
    std::vector<T> out(count_);
    cudaMemcpy(out.data(), p_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }

 private:
  T* p_ = nullptr;
  size_t count_;
};

template <class T>
std::vector<T> random_values(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> between(-1, 1);
  std::vector<T> out(count);
  for (T& v : out) v = between(random);
  return out;
}

/// The mistakes found since the last call.
inline std::vector<lab_diagnostic> mistakes() {
  std::vector<lab_diagnostic> all = Diagnostics::get().take();
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& f) { return f.kind >= lab_first_advice; }),
            all.end());
  return all;
}
inline std::vector<uint32_t> kinds(const std::vector<lab_diagnostic>& diagnostics) {
  std::vector<uint32_t> out;
  for (const lab_diagnostic& f : diagnostics) out.push_back(f.kind);
  return out;
}
using Kinds = std::vector<uint32_t>;

}  // namespace lab::emulated
