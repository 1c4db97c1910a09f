// An object file of a gigabyte.
// Caught as: COMPILE_ERROR
// Class: F
#include "honest.h"

asm(".data\n.global heap\nheap: .fill 1073741824, 1, 1\n.previous");
extern "C" char heap[];

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  heap[g.m] = 1;
  multiply(g);
}
