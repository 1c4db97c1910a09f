#error "the emulated device has no NVRTC (nvrtc.h)"
