#include "harness/machine/cpu_probes.h"

#include <gtest/gtest.h>

#include <cstring>

namespace harness {
namespace {

TEST(CpuProbes, EveryFormOfTheLoopRuns) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const FmaProbe& probe : fma_probes(dtype)) {
      probe.run(1000);
      EXPECT_GT(probe.flops_per_step, 0) << probe.instructions;
    }
  // 12 chains of 4 lanes, two operations each
  EXPECT_EQ(fma_probes(Dtype::f32).back().flops_per_step, 96);
  EXPECT_EQ(fma_probes(Dtype::f64).back().flops_per_step, 48);
}

TEST(CpuProbes, TheWidestFormComesFirst) {
  const auto probes = fma_probes(Dtype::f32);
  for (size_t i = 1; i < probes.size(); ++i)
    EXPECT_GT(probes[i - 1].flops_per_step, probes[i].flops_per_step);
  EXPECT_EQ(widest_fma_probe(Dtype::f32).instructions, probes[0].instructions);
}

TEST(CpuProbes, TheCopiesCopy) {
  alignas(64) char from[256], to[256];
  for (int i = 0; i < 256; ++i) from[i] = static_cast<char>(i * 7);
  for (const CopyProbe& probe : copy_probes()) {
    std::memset(to, 0, sizeof to);
    probe.run(to, from, sizeof to);
    EXPECT_EQ(std::memcmp(to, from, sizeof to), 0) << probe.stores;
  }
}

}  // namespace
}  // namespace harness
