// How the device was asked to work: LAB_EMULATED_OPTIONS="schedule=random:7,lanes=64,diagnostics=off,...".
#pragma once

#include <cstdint>

namespace lab::emulated {

enum class Schedule { in_order, random };

struct Options {
  Schedule schedule = Schedule::in_order;
  uint64_t seed = 0;
  int lanes = 32;             // of a warp; 64 on AMD's devices
  bool diagnostics = true;       // watch memory accesses
  double kernel_time_s = 10;  // what one launch may take
  int processors = 0;  // 0: one with diagnostics, so that they come out the same each time; else one a core
};

const Options& options();

}  // namespace lab::emulated
