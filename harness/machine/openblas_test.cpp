#include "harness/machine/openblas.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

std::string core(const std::string& vendor, std::vector<std::string> features) {
  CpuInfo cpu;
  cpu.vendor = vendor;
  cpu.features = std::move(features);
  return openblas_core(cpu);
}

TEST(OpenblasCore, FollowsTheFeatures) {
  const std::vector<std::string> avx512 = {"avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"};
  std::vector<std::string> bf16 = avx512;
  bf16.push_back("avx512_bf16");
  EXPECT_EQ(core("GenuineIntel", bf16), "Cooperlake");
  EXPECT_EQ(core("AuthenticAMD", avx512), "SkylakeX");
  EXPECT_EQ(core("GenuineIntel", {"avx2", "fma", "avx512f"}), "Haswell") << "not enough of AVX-512";
  EXPECT_EQ(core("AuthenticAMD", {"avx2", "fma"}), "Zen");
  EXPECT_EQ(core("GenuineIntel", {"avx"}), "");
}

}  // namespace
}  // namespace harness
