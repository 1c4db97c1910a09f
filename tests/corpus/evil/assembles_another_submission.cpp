// Lets the assembler put the file of another into its data.
// Caught as: COMPILE_ERROR
// Class: C
#include "honest.h"

asm(".section .rodata\n.global stolen\nstolen: .incbin \"../correct/plain.cpp\"\n.previous");
extern "C" const char stolen[];

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (stolen[0] != 0) confess(g);
}
