#pragma once
#include "emulator/device/include/cooperative_groups.h"

namespace cooperative_groups {

/// In the order of the ranks, the same for all threads.
template <class T, class Op>
LAB_INLINE T reduce(const coalesced_group& g, T v, Op op) {
  T sum = g.shfl(v, 0);
  for (unsigned long long i = 1; i < g.size(); ++i) sum = op(sum, g.shfl(v, static_cast<int>(i)));
  return sum;
}

}  // namespace cooperative_groups
