#pragma once
#include "lab/emulated/include/cuda_pipeline_primitives.h"
