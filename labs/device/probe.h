// What a probe of the device's limits returns. It is built like a variant, and the worker runs it once per
// device. Variants do not use this file.
//
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
