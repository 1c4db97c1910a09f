#pragma once
#include "emulator/device/runtime.h"

#include "lab/cuda_names.h"
