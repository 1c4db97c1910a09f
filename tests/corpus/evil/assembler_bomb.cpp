// A macro of the assembler that expands to itself.
// Caught as: COMPILE_ERROR
// Class: F
// Says: macros nested too deeply
#include "honest.h"

asm(".macro bomb\nbomb\nbomb\n.endm\nbomb\n");

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
