// The table of device operations (labs/lab/abi.h) is in the variant's process: a variant can make it writable.
#pragma once

#include <sys/mman.h>

#include "honest.h"

extern "C" const lab_device_ops lab_device;

static lab_device_ops& own_table() {
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(&lab_device) / 4096 * 4096);
  mprotect(page, 8192, PROT_READ | PROT_WRITE);
  return const_cast<lab_device_ops&>(lab_device);
}
