// The shadow of the __device__ and __constant__ variables, which lie in the shared object.
#pragma once

#include "emulator/device/cell.h"

namespace lab::emulated {

/// p is in the module, and in no variable that the rewriter found in code of the host.
bool is_device_variable(const void* p);

/// p is in the module.
GlobalCell& variable_cell(const void* p);

}  // namespace lab::emulated
