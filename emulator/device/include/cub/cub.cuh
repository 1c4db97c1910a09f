#error "the emulated device has no CUB"
