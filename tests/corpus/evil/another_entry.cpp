// Writes the entry point's symbol in assembler, over the one that the macro makes.
// Caught as: COMPILE_ERROR
// Class: F
#include "honest.h"

asm(".text\n.global lab_cpu_gemm_f32\nlab_cpu_gemm_f32:\nxor %eax, %eax\nret\n");

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
