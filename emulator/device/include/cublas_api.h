#pragma once
#include "emulator/device/include/cublas_v2.h"
