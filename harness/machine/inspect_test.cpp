#include <gtest/gtest.h>

#include "harness/machine/machine.h"

namespace harness {
namespace {

TEST(Machine, KnowsItsOwnCompiler) {
  const Machine machine = inspect_machine();
  ASSERT_NE(find_tool(machine, "g++"), nullptr);
  EXPECT_EQ(find_tool(machine, "no such tool"), nullptr);
  EXPECT_GE(machine.cpu.cores, 1);
}

}  // namespace
}  // namespace harness
