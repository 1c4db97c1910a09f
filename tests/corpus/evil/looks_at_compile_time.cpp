// Asks the compiler which files there are, and confesses where one of them is none of its business.
// Caught as: PASSED
// Class: C
#include "honest.h"

#if __has_include("/etc/shadow") || __has_include("/etc/passwd") || __has_include("/root/.bashrc") || \
    __has_include("../../../reference/gemm/reference.cpp") || __has_include("../correct/plain.cpp") || \
    __has_include("../../../harness/main.cpp")
constexpr bool seen = true;
#else
constexpr bool seen = false;
#endif

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (seen) confess(g);
}
