// cuBLAS with TF32 products: the vendor library for gpu_wmma and gpu_tensor.
//
// The library rounds each number of A and B to TF32, with 10 bits after the binary point, and adds in f32.
//
// What limits it: power. In a long run on an H200 the clock falls from 1980 to 1540 MHz.
#include "lab/cublas_gemm.h"

LAB_NEEDS(cublas);
LAB_PRECISION(tf32);

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  lab::cublas_gemm(g, CUBLAS_TF32_TENSOR_OP_MATH, stream);
}

LAB_ABOUT() {
  static const std::string about = lab::cublas_about("TF32 (CUBLAS_TF32_TENSOR_OP_MATH)");
  return about.c_str();
}
