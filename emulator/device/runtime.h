// The names of CUDA for a host C++ compiler (see emulator/README.md). A GPU variant is compiled with this
// header before its first line. A CUDA name that the device does not have is a compile error at the student's
// line, never a wrong answer; the rewriter has messages for the most common ones.
#pragma once

#include <string.h>
#include <time.h>

#include <cfloat>
#include <climits>

#include "emulator/device/api.h"
#include "emulator/device/atomics.h"
#include "emulator/device/kernel.h"
#include "emulator/device/launch.h"
#include "emulator/device/launches.h"
#include "emulator/device/math.h"
#include "emulator/device/types.h"
#include "emulator/device/warp.h"
