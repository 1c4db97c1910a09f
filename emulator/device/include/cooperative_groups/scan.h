#pragma once
#include "emulator/device/include/cooperative_groups.h"

namespace cooperative_groups {

template <class T, class Op = plus<T>>
LAB_INLINE T inclusive_scan(const coalesced_group& g, T v, Op op = {}) {
  T sum = g.shfl(v, 0);
  for (unsigned long long i = 1; i < g.size(); ++i) {
    const T next = g.shfl(v, static_cast<int>(i));
    if (i <= g.thread_rank()) sum = op(sum, next);
  }
  return sum;
}
template <class T, class Op = plus<T>>
LAB_INLINE T exclusive_scan(const coalesced_group& g, T v, Op op = {}) {
  const T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T{} : before;
}

}  // namespace cooperative_groups
