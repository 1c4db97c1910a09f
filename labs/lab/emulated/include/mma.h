#error "the emulated device has no tensor cores (mma.h)"
