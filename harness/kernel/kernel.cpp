#include "harness/kernel/kernel.h"

#include <algorithm>

namespace harness {

int64_t Problem::buffer_bytes() const {
  int64_t bytes = 0;
  for (const BufferSpec& spec : buffers()) bytes += spec.bytes(dtype());
  return bytes;
}

double Problem::normwise_scale(const ConstHostBuffers&, std::span<const double> scales) const {
  return *std::ranges::max_element(scales);
}

const Kernel* find_kernel(const std::string& name) {
  for (const Kernel* kernel : registry<Kernel>())
    if (kernel->name() == name) return kernel;
  return nullptr;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Kernel* kernel : registry<Kernel>()) names.push_back(kernel->name());
  std::ranges::sort(names);
  return names;
}

}  // namespace harness
