// Allocates and touches memory for ever. A bound ends it where no sandbox does.
// Caught as: OUT_OF_MEMORY
// Says: on m=1 n=1 k=1: the variant ran out of memory (bad_alloc)
#include <cstring>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  constexpr size_t piece = 8 << 20;
  for (size_t got = 0; got < (size_t{2} << 30); got += piece) std::memset(new char[piece], 1, piece);
}
