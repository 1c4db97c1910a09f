#error "the emulated device has no 8-bit floats (cuda_fp8.h)"
