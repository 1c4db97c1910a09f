#pragma once
#include "lab/emulated/runtime.h"

#include "lab/cuda_names.h"
