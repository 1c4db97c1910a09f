// The options of the device: LAB_EMULATED_OPTIONS="schedule=random:7,lanes=64,diagnostics=off,...".
#pragma once

#include <cstdint>

namespace lab::emulated {

enum class Schedule { mixed, in_order, random };  // mixed: half of the launches in random order

struct Options {
  Schedule schedule = Schedule::in_order;
  uint64_t seed = 0;
  int lanes = 32;                // per warp; AMD devices have 64
  bool diagnostics = true;       // watch memory accesses
  double kernel_time_s = 10;     // time limit of one launch
  int processors = 0;  // 0: one with diagnostics, so that they are the same each time; else one per core
};

const Options& options();
/// The worker reads the text before it loads a variant, so that no code of the variant can change it.
void configure(const char* text);

}  // namespace lab::emulated
