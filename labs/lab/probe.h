// What a probe of the device's limits gives back. Built like a variant's shared object, loaded by the worker
// once a device; variants have nothing to do with it.
//   lab_probe   lab_probe_entry
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lab_probe_result {
  double fma_f32, fma_f64;  // multiply-adds on registers, two operations each, a second
  double copy_bytes_per_s;  // device to device, read and written
  char error[256];          // why it failed; empty if it did not
} lab_probe_result;

/// On the current device. 0 for success.
typedef int (*lab_probe_entry)(lab_probe_result* result);

#ifdef __cplusplus
}
#endif
