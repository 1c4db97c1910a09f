#error "the emulated device has no legacy cuBLAS interface (cublas.h): use cublas_v2.h"
