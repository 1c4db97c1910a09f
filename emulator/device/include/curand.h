#error "the emulated device has no cuRAND (curand.h)"
