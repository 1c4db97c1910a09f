// Ends the process with success as soon as it is loaded.
// Caught as: CRASHED
// Class: B
// Says: the process ended by itself with exit status 0 while it was loaded
#include <unistd.h>

#include "honest.h"

struct Early {
  Early() { _exit(0); }
};
static Early early;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
