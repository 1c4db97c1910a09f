// The emulated device: CUDA's names for a host C++ compiler. A GPU variant is compiled with this header
// before its first line, and with its launches (`k<<<grid, block>>>(x)`) rewritten into calls of
// lab::emulated::launch.
//
// What is missing is missing on purpose: an unknown name is a compile error at the student's line
// (unsupported.h names the commonest), never a wrong answer.
#pragma once

#include "lab/emulated/api.h"
#include "lab/emulated/atomics.h"
#include "lab/emulated/kernel.h"
#include "lab/emulated/launch.h"
#include "lab/emulated/math.h"
#include "lab/emulated/types.h"
#include "lab/emulated/unsupported.h"
#include "lab/emulated/warp.h"
