// Lets the assembler put the passwords of the machine into its data.
// Caught as: COMPILE_ERROR
// Class: F
// Says: the assembler: file not found: /etc/shadow
#include "honest.h"

asm(".section .rodata\n.global stolen\nstolen: .incbin \"/etc/shadow\"\n.previous");
extern "C" const char stolen[];

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (stolen[0] != 0) confess(g);
}
