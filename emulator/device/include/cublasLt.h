#error "the emulated device has no cuBLASLt (cublasLt.h)"
