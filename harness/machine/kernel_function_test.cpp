#include "harness/machine/kernel_function.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

// The numbers of blocks are those of NVIDIA's cuda_occupancy.h (CUDA 13.0).
TEST(Occupancy, IsThatOfTheCalculator) {
  const struct {
    const char* architecture;
    int registers;
    int64_t shared;
    int threads, blocks;
    const char* limited_by;
  } rows[] = {{"sm_90", 128, 16640, 256, 2, "registers"},   {"sm_90", 32, 16384, 1024, 2, "threads"},
              {"sm_90", 32, 8192, 64, 25, "shared memory"}, {"sm_90", 16, 0, 32, 32, "blocks"},
              {"sm_90a", 168, 0, 384, 1, "registers"},      {"sm_75", 40, 8192, 256, 4, "threads"},
              {"sm_86", 40, 8192, 256, 6, "threads"},       {"sm_120", 64, 49152, 256, 2, "shared memory"},
              {"sm_80", 255, 0, 256, 1, "registers"},       {"sm_89", 33, 0, 96, 16, "threads"}};
  for (const auto& row : rows) {
    KernelFunction f{.architecture = row.architecture, .registers = row.registers, .shared_bytes = row.shared};
    f.threads_per_block = row.threads;
    compute_occupancy(f);
    EXPECT_EQ(f.blocks, row.blocks) << row.architecture << " " << row.registers;
    EXPECT_EQ(f.limited_by, row.limited_by) << row.architecture << " " << row.registers;
    EXPECT_EQ(f.warps, row.blocks * ((row.threads + 31) / 32));
    EXPECT_DOUBLE_EQ(f.occupancy, double(f.warps) / f.max_warps);
  }
}

TEST(Occupancy, NothingOfAnUnknownArchitectureOrBlock) {
  KernelFunction unknown{.architecture = "sm_42", .registers = 32};
  unknown.threads_per_block = 256;
  compute_occupancy(unknown);
  EXPECT_EQ(unknown.max_warps, 0);
  KernelFunction unbounded{.architecture = "sm_90", .registers = 32};
  compute_occupancy(unbounded);
  EXPECT_EQ(unbounded.max_warps, 0);
  KernelFunction too_many{.architecture = "sm_90", .registers = 255};
  too_many.threads_per_block = 1024;
  compute_occupancy(too_many);
  EXPECT_EQ(too_many.blocks, 0);
  EXPECT_EQ(too_many.limited_by, "registers");
}

}  // namespace
}  // namespace harness
