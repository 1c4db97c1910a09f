#error "the HIP target has no cuBLAS (cublas_v2.h): its counterpart is hipBLAS"
