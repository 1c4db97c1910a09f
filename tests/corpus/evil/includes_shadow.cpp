// Includes the passwords of the machine, for an error message to show them.
// Caught as: COMPILE_ERROR
// Class: F
// Says: includes_shadow.cpp:5:10: fatal error: /etc/shadow: No such file or directory
#include "/etc/shadow"

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
