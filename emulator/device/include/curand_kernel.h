#error "the emulated device has no cuRAND (curand_kernel.h)"
