#include "harness/grade/slow_nodes.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

NodeLimits run_on(const std::string& node, double fma, double copy) {
  return {node, {{"fma_f32", "cpu", 2, fma, ""}, {"copy", "GPU-" + node, 1, copy, ""}}};
}

TEST(SlowNodes, OneOfFourIsNamed) {
  EXPECT_EQ(
      slow_nodes({run_on("n1", 100, 50), run_on("n2", 101, 44), run_on("n3", 99, 51), run_on("n4", 80, 49)}),
      (std::vector<std::string>{"node \"n2\": copy of the GPU is 12 % below the other nodes; look at its clocks",
                                "node \"n4\": fma_f32 of 2 CPU threads is 20 % below the other nodes; look at its "
                                "clocks"}));
}

TEST(SlowNodes, OfTwoTheFasterOneIsFine) {
  EXPECT_EQ(slow_nodes({run_on("n1", 100, 50), run_on("n2", 100, 46)}).size(), 1u);
}

TEST(SlowNodes, ANodeCountsWithItsBestRun) {
  EXPECT_TRUE(slow_nodes({run_on("n1", 100, 50), run_on("n2", 60, 30), run_on("n2", 97, 49)}).empty());
}

TEST(SlowNodes, OneNodeHasNoPeers) { EXPECT_TRUE(slow_nodes({run_on("n1", 1, 1), run_on("n1", 2, 2)}).empty()); }

}  // namespace
}  // namespace harness
