#error "the emulated device has no cuFFT (cufft.h)"
