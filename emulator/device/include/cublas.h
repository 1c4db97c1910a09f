#error "the emulated device has no legacy cuBLAS interface: use cublas_v2.h (cublas.h)"
