// Answers timed calls before the device has computed them, with a fingerprint of nothing.
// Caught as: MISTRUSTED, SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static lab_device_ops device;

static int of_nothing(const void*, int64_t, int, uint64_t* result) {
  *result = 0;
  return 0;
}
static int does_not_wait() { return 0; }
static double a_little() { return 0.05; }

static int only_timed_calls_have_new_data(void* data, int64_t count, int element_bytes, uint64_t key) {
  own_table().fingerprint = of_nothing;
  own_table().sync = does_not_wait;
  own_table().between_ms = a_little;
  return device.refresh(data, count, element_bytes, key);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  if (!device.abi) {
    device = own_table();
    own_table().refresh = only_timed_calls_have_new_data;
  }
  multiply_on(g, stream);
}
