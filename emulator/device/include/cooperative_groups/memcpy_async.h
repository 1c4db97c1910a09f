#pragma once
#include "emulator/device/async_copy.h"
#include "emulator/device/include/cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T, class Bytes>
LAB_INLINE void memcpy_async(const Group& g, T* to, const T* from, Bytes bytes) {
  lab::emulated::copy_part(to, from, bytes, g.thread_rank(), g.size());
  lab_pipeline_commit();
}
template <class Group, class T, class U>
LAB_INLINE void memcpy_async(const Group& g, T* to, size_t to_count, const U* from, size_t from_count) {
  memcpy_async(g, to, reinterpret_cast<const T*>(from), (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group>
LAB_INLINE void wait(const Group& g, int line = __builtin_LINE()) {
  lab_pipeline_wait(0);
  sync(g, line);
}
template <unsigned stages, class Group>
LAB_INLINE void wait_prior(const Group& g, int line = __builtin_LINE()) {
  lab_pipeline_wait(stages);
  sync(g, line);
}

}  // namespace cooperative_groups
