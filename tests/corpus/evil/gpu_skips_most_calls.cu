// Computes one timed call in eight, and claims the same time for all.
// Caught as: WRONG
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static lab_device_ops device;
static bool timed = false, skipped = false;
static double last_ms = 1;

static int only_timed_calls_have_new_data(void* data, int64_t count, int element_bytes, uint64_t key) {
  timed = true;
  return device.refresh(data, count, element_bytes, key);
}

static double plausible_ms() { return skipped ? last_ms : last_ms = device.between_ms(); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static int calls = 0;
  if (!device.abi) {
    device = own_table();
    own_table().refresh = only_timed_calls_have_new_data;
    own_table().between_ms = plausible_ms;
  }
  skipped = timed && ++calls % 8 != 0;
  if (!skipped) multiply_on(g, stream);
}
