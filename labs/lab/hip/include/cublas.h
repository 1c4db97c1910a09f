#error "the HIP target has no cuBLAS (cublas.h): its counterpart is hipBLAS"
