#pragma once
#include "emulator/device/include/cuda_pipeline_primitives.h"
