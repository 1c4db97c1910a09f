// cuBLAS: one call to NVIDIA's library. This is the vendor library of the GPU ladder.
//
// In f32 it multiplies and adds in f32. The library rounds inputs to TF32 only if a program asks for it;
// the math mode is set to make sure that it does not. In bf16 it multiplies on tensor cores and adds in f32. Where
// several blocks share a sum, cuBLAS adds their parts in the type of the result, unless a flag forbids it: without the
// flag, 5 x 3 x 1000 was wrong by 1.2 % on an H200.
//
// What limits it: the multiply-adds of the device. For small matrices there are too few tiles to use all
// of it.
#include "lab/cublas_gemm.h"

LAB_NEEDS(cublas);

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { lab::cublas_gemm(g, CUBLAS_DEFAULT_MATH, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) {
  lab::cublas_gemm(g, CUBLAS_DEFAULT_MATH, stream);
}

LAB_GEMM_GPU(bf16)(const lab::Gemm<bf16>& g, lab::Stream stream) {
  lab::cublas_gemm(g, cublasMath_t(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION), stream);
}

LAB_ABOUT() {
  static const std::string about = lab::cublas_about("TF32 off (CUBLAS_DEFAULT_MATH)");
  return about.c_str();
}
