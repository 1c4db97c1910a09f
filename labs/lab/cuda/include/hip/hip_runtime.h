#pragma once
#include <cuda_runtime.h>

#include "lab/cuda_names.h"
