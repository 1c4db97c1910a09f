#error "the emulated device has no cooperative groups"
