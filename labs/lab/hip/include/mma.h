#error "the HIP target has no tensor cores (mma.h)"
