#include "harness/config/scalars.h"

#include <gtest/gtest.h>

#include "harness/config/config.h"

namespace harness {
namespace {

std::vector<int64_t> range(std::string_view text) {
  const auto expanded = expand_range(text);
  const auto* values = std::get_if<std::vector<int64_t>>(&expanded);
  return values ? *values : std::vector<int64_t>{-1};
}

std::string range_error(std::string_view text) {
  const auto expanded = expand_range(text);
  const auto* error = std::get_if<std::string>(&expanded);
  return error ? *error : "no error";
}

TEST(Scalars, NumbersAreWholeTexts) {
  EXPECT_EQ(parse_integer("-12"), -12);
  for (const char* text : {"", "12x", " 12", "1.0", "99999999999999999999"})
    EXPECT_FALSE(parse_integer(text)) << text;
  EXPECT_EQ(parse_real("1e-3"), 1e-3);
  for (const char* text : {"", "nan", "inf", "1e999", "0x10", "1,5"}) EXPECT_FALSE(parse_real(text)) << text;
}

TEST(Scalars, RatiosAndSizes) {
  EXPECT_DOUBLE_EQ(parse_ratio("0.5%").value(), 0.005);
  EXPECT_DOUBLE_EQ(parse_ratio("0.005").value(), 0.005);
  EXPECT_FALSE(parse_ratio("%"));
  EXPECT_FALSE(parse_ratio("fast"));
  EXPECT_EQ(parse_bytes("64KiB"), 65536);
  EXPECT_EQ(parse_bytes("4 GiB"), int64_t{4} << 30);
  for (const char* text : {"4GB", "GiB", "-1GiB", "4", "9000000000000TiB"})
    EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Scalars, ValuesKeepTheirType) {
  EXPECT_EQ(parse_value("16"), Value(int64_t{16}));
  EXPECT_EQ(parse_value("0.5"), Value(0.5));
  EXPECT_EQ(parse_value("row"), Value("row"));
  EXPECT_EQ(parse_value("99999999999999999999"), Value(1e20));
}

TEST(Scalars, RangesIncludeBothEnds) {
  EXPECT_EQ(range("128:2048:*2"), (std::vector<int64_t>{128, 256, 512, 1024, 2048}));
  EXPECT_EQ(range("8:64:+24"), (std::vector<int64_t>{8, 32, 56}));
  EXPECT_EQ(range("-2:2:+2"), (std::vector<int64_t>{-2, 0, 2}));
  EXPECT_EQ(range("7:7:*2"), (std::vector<int64_t>{7}));
  EXPECT_EQ(range("9223372036854775806:9223372036854775807:+1").size(), 2u) << "stops before it overflows";
}

TEST(Scalars, RangesThatAreNone) {
  const std::string shape = " is not start:stop:step; write \"128:2048:*2\" or \"8:64:+8\"";
  for (const char* text : {"128:2048*2", "128:2048", "1:2:3", "1:2:*", "a:2:*2", "1:2:*2:3", "1::+1", ":"})
    EXPECT_EQ(range_error(text), "range \"" + std::string(text) + "\"" + shape);
  EXPECT_EQ(range_error("2048:128:*2"), "range \"2048:128:*2\" runs backwards; put the smaller end first");
  for (const char* text : {"8:64:*1", "0:64:*2", "8:64:+0", "8:64:+-8"})
    EXPECT_EQ(range_error(text), "range \"" + std::string(text) + "\" never reaches its end");
  EXPECT_EQ(range_error("1:1000000:+1"), "range \"1:1000000:+1\" has more than 10000 values");
}

TEST(Scalars, TimesHaveAZone) {
  const auto noon = parse_time("2026-11-20T12:00Z");
  ASSERT_TRUE(noon);
  EXPECT_EQ(*noon, 1'795'176'000);
  EXPECT_EQ(parse_time("2026-11-20 12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2026-11-20T13:30+01:30"), noon);
  EXPECT_EQ(parse_time("2026-11-20 07:00:00 -05:00"), noon);
  EXPECT_EQ(parse_time("2026-11-20T12:00:07Z"), *noon + 7);
  for (const char* text : {"", "2026-11-20", "2026-11-20T12:00", "2026-11-31T12:00Z", "2026-11-20T24:00Z",
                           "2026-11-20T12:60Z", "2026-11-20T12:00:60Z", "2026-11-20T12:00Zulu", "2026-11-20T12:00+1",
                           "2026-11-20T12:00++1:00", "2026-11-20T12:00+15:00", "2026-11-20T12:00+01:60",
                           "2026-11-20T12:00+-1:00", "2026-11-20T12:00+01:-9", "2026-11-20T12:00+01:00x"})
    EXPECT_FALSE(parse_time(text)) << text;
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(glob_match("cpu_*", "cpu_avx"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*_avx*", "cpu_avx_blocked"));
  EXPECT_TRUE(glob_match("c?u", "cpu"));
  EXPECT_TRUE(glob_match("a*b*c", "aXbXbXc"));
  EXPECT_TRUE(glob_match("*size=16*", "lab5/cpu_sizes/cpu_avx size=1024 beta=0.5 .x size=16"));
  EXPECT_TRUE(glob_match("cpu_[ab]*", "cpu_avx"));
  EXPECT_FALSE(glob_match("cpu_[!ab]*", "cpu_avx"));
  EXPECT_TRUE(glob_match("a\\b", "a\\b")) << "a backslash is an ordinary character";
  EXPECT_FALSE(glob_match("cpu_*", "gpu_naive"));
  EXPECT_FALSE(glob_match("cpu", "cpu_avx"));
  EXPECT_FALSE(glob_match("c?u", "cu"));
  EXPECT_FALSE(glob_match("", "x"));
}

TEST(Glob, ManyStarsTakeNoTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_match(pattern, std::string(5000, 'a') + "b"));
}

}  // namespace
}  // namespace harness
