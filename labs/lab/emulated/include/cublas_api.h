#pragma once
#include "lab/emulated/include/cublas_v2.h"
