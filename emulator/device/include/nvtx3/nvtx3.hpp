#pragma once
#include "emulator/device/include/nvToolsExt.h"

namespace nvtx3 {
struct scoped_range {
  explicit scoped_range(const char*) {}
};
}  // namespace nvtx3
#define NVTX3_FUNC_RANGE() static_cast<void>(0)
