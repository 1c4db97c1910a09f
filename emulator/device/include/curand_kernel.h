#error "the emulated device has no cuRAND"
