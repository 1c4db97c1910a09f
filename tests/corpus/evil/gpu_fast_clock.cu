// Its clock runs 30 % fast.
// Caught as: SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include <sys/mman.h>

#include "honest.h"

extern "C" const lab_device_ops lab_device;

static double (*measured_ms)(int, int);

static double fast(int from, int to) { return measured_ms(from, to) / 1.3; }

static bool patched() {
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(&lab_device) / 4096 * 4096);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE) != 0) return false;
  measured_ms = lab_device.between_ms;
  const_cast<lab_device_ops&>(lab_device).between_ms = fast;
  return true;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool done = patched();
  (void)done;
  multiply_on(g, stream);
}
