// Computes nothing in a timed call, but as soon as the harness fetches its output.
// Caught as: MISTRUSTED
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static lab_device_ops device;
static lab::Gemm<float> asked;
static bool timed = false;

static int only_timed_calls_have_new_data(void* data, int64_t count, int element_bytes, uint64_t key) {
  timed = true;
  return device.refresh(data, count, element_bytes, key);
}

static int late(void* host, const void* from, size_t bytes) {
  if (timed) multiply_on(asked, static_cast<lab::Stream>(device.stream()));
  return device.copy_out(host, from, bytes);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool taken = [] {
    device = own_table();
    own_table().refresh = only_timed_calls_have_new_data;
    own_table().copy_out = late;
    return true;
  }();
  asked = g;
  if (taken && !timed) multiply_on(g, stream);
}
