// The emulated device: CUDA's names for a host C++ compiler. A GPU variant is compiled with this header
// before its first line, and with its launches (`k<<<grid, block>>>(x)`) rewritten into calls of
// lab::emulated::launch.
//
// What is missing is missing on purpose: an unknown name is a compile error at the student's line
// (unsupported.h names the commonest), never a wrong answer.
#pragma once

#include "emulator/device/api.h"
#include "emulator/device/atomics.h"
#include "emulator/device/kernel.h"
#include "emulator/device/launch.h"
#include "emulator/device/math.h"
#include "emulator/device/types.h"
#include "emulator/device/unsupported.h"
#include "emulator/device/warp.h"
