#include "harness/build/kernel_functions.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

constexpr const char* printed =
    "gpu_x.cu(3): warning #177-D: variable \"n\" was declared but never referenced\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z4gemmIfEvN3lab4GemmIT_EE' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z4gemmIfEvN3lab4GemmIT_EE\n"
    "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
    "ptxas info    : Used 128 registers, used 1 barriers, 16640 bytes smem, 400 bytes cmem[0]\n"
    "ptxas info    : Compile time = 235.533 ms\n"
    "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
    "ptxas info    : Compiling entry function '_Z4copyPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z4copyPf\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 10 registers, used 0 barriers\n";

constexpr const char* ptx =
    ".visible .entry _Z4gemmIfEvN3lab4GemmIT_EE(\n"
    "\t.param .align 8 .b8 gemm_param_0[80]\n)\n.maxntid 16, 16, 1\n.minnctapersm 2\n{\n}\n"
    ".visible .entry _Z4copyPf(\n)\n{\n}\n";

TEST(KernelFunctions, AreReadFromWhatTheCompilerPrints) {
  std::string log = printed + read_ptx(ptx);
  const auto found = take_kernel_functions(log);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "gemm<float>");
  EXPECT_EQ(found[0].architecture, "sm_90");
  EXPECT_EQ(found[0].registers, 128);
  EXPECT_EQ(found[0].shared_bytes, 16640);
  EXPECT_EQ(found[0].stack_bytes, 16);
  EXPECT_EQ(found[0].spill_store_bytes, 8);
  EXPECT_EQ(found[0].spill_load_bytes, 12);
  EXPECT_EQ(found[0].threads_per_block, 256);
  EXPECT_EQ(found[0].blocks, 2);
  EXPECT_EQ(found[1].name, "copy");
  EXPECT_EQ(found[1].registers, 10);
  EXPECT_EQ(found[1].threads_per_block, 0);
  EXPECT_EQ(found[1].max_warps, 0);
  // What else the compiler says stays in the log.
  EXPECT_EQ(log,
            "gpu_x.cu(3): warning #177-D: variable \"n\" was declared but never referenced\n"
            "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n");
}

TEST(KernelFunctions, SharedMemoryThatTheLaunchSizes) {
  std::string log = printed + read_ptx(std::string(".extern .shared .align 16 .b8 shared[];\n") + ptx);
  EXPECT_TRUE(take_kernel_functions(log)[0].dynamic_shared);
  log = printed + read_ptx(ptx);
  EXPECT_FALSE(take_kernel_functions(log)[0].dynamic_shared);
}

// A source can print such lines itself.
TEST(KernelFunctions, LinesThatMakeNoSense) {
  std::string log =
      "ptx entry 'x' 5 threads\n    3 bytes stack frame, \nptxas info    : Used 5 registers\n"
      "ptxas info    : Compiling entry function 'gemm\n"
      "ptxas info    : Compiling entry function '' for '\n"
      "ptxas info    : Used 99999999999999999999 registers\n";
  for (const KernelFunction& one : take_kernel_functions(log)) EXPECT_LE(one.registers, 255);
  log = "no end";
  EXPECT_TRUE(take_kernel_functions(log).empty());
  EXPECT_EQ(log, "no end");
}

}  // namespace
}  // namespace harness
