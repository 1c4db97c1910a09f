#pragma once
#include "emulator/device/runtime.h"
#define CUDART_INF_F (__int_as_float(0x7f800000))
#define CUDART_NAN_F (__int_as_float(0x7fffffff))
#define CUDART_PI_F 3.141592654f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_L2E_F 1.442695041f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_INF (__longlong_as_double(0x7ff0000000000000ll))
#define CUDART_NAN (__longlong_as_double(0x7fffffffffffffffll))
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_TWO 1.4142135623730951e+0
