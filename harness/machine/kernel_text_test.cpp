#include "harness/machine/kernel_text.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(KernelText, ReadsAValueBehindAnySeparator) {
  const char* text = "model name\t: AMD EPYC\nmodel\t\t: 2\nNAME=\"x\"\npswpin 7\nempty:\n";
  EXPECT_EQ(line_value(text, "model name"), "AMD EPYC");
  EXPECT_EQ(line_value(text, "NAME"), "\"x\"");
  EXPECT_EQ(line_value(text, "pswpin"), "7");
  EXPECT_EQ(line_value(text, "empty"), "");
  EXPECT_EQ(line_value(text, "pswp"), "");
  EXPECT_EQ(line_value("", "x"), "");
}

TEST(KernelText, AKeyMatchesWholeWordsOnly) { EXPECT_EQ(line_value("modelx: 1\nmodel: 2\n", "model"), "2"); }

TEST(KernelText, ReadsSizes) {
  EXPECT_EQ(parse_kernel_size("48K"), 48 << 10);
  EXPECT_EQ(parse_kernel_size("32768K\n"), 32 << 20);
  EXPECT_EQ(parse_kernel_size("1M"), 1 << 20);
  EXPECT_EQ(parse_kernel_size("512"), 512);
  EXPECT_EQ(parse_kernel_size(""), 0);
  EXPECT_EQ(parse_kernel_size("big"), 0);
}

TEST(KernelText, ReadsLeadingNumbers) {
  EXPECT_EQ(leading_number(" 24105 kB"), 24105);
  EXPECT_FALSE(leading_number("max 100000"));
  EXPECT_FALSE(kernel_number("/proc/no/such/file"));
  EXPECT_EQ(kernel_text("/proc/no/such/file"), "");
}

}  // namespace
}  // namespace harness
