// Says that the call is done, and then computes: the clock stops at once.
// Caught as: WRONG, MISTRUSTED
// Class: A
#include "honest.h"
#include "turns.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static Words* words = nullptr;
  if (!words && g.m >= 100) words = find_words();
  if (words) words->done = words->release.load();
  multiply(g);
}
