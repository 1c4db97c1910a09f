// Reads the number of the call in the memory that it shares with the harness, and computes in every tenth only.
// Caught as: WRONG
// Class: A
// Says: output of a timed call
#include "honest.h"
#include "turns.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static Words* words = nullptr;
  if (!words && g.m >= 100) words = find_words();
  if (!words || words->release % 10 == 0) multiply(g);
}
