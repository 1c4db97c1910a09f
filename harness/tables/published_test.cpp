#include "harness/tables/published.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using Values = std::vector<std::pair<std::string, double>>;

std::vector<PublishedRow> rows_of(const std::string& text, const Published& spec) {
  const auto table = parse_published(text, spec);
  EXPECT_TRUE(table) << table.error().message;
  return table ? table->rows : std::vector<PublishedRow>();
}
std::string error_of(const std::string& text, const Published& spec) {
  const auto table = parse_published(text, spec);
  return table ? "no error" : table.error().message;
}

const Published plain{.file = "a.csv", .axes = {{"n", "size"}}, .values = {{"ms", "kernel_ms"}}};

TEST(PublishedFigures, RowsAndErrors) {
  const auto rows = rows_of("variant,dtype,n,ms\ncpu,f32,128,4.5\ncpu,f32,256,\n", plain);
  EXPECT_EQ(rows[0].variant, "cpu");
  EXPECT_EQ(rows[0].dtype, "f32");
  EXPECT_EQ(to_string(rows[0].axes), "size=128");
  EXPECT_EQ(rows[0].values, (Values{{"kernel_ms", 4.5}}));
  EXPECT_TRUE(rows[1].values.empty());
  EXPECT_EQ(error_of("variant,nn,ms\nv,1,2\n", plain), "a.csv:1: no column \"n\" (did you mean \"nn\"?)");
  EXPECT_EQ(error_of("variant,n,ms\nv,1,fast\n", plain), "a.csv:2: \"fast\" in column \"ms\" is not a number");
  EXPECT_EQ(error_of("variant,n,ms\nv,1\n", plain), "a.csv:2: 2 fields where the first line has 3");
}

TEST(PublishedFigures, AnEmptyAxisIsNone) {
  EXPECT_EQ(rows_of("variant,n,ms\nv,,2\n", plain)[0].axes, Axes());
}

TEST(PublishedFigures, AnAxisMayBeAnyNumber) {
  Published spec;
  spec.file = "a.csv";
  spec.axes = {{"size", "size"}};
  spec.values = {{"ms", "kernel_ms"}};
  const auto table = parse_published("variant,size,ms\na,1e300,1\na,-7,1\na,0.5,1\na,9007199254740992,1\n", spec);
  ASSERT_TRUE(table);
  std::string sizes;
  for (const auto& row : table->rows) sizes += to_json(row.axes)["size"].dump() + " ";
  EXPECT_EQ(sizes, "1e+300 -7 0.5 9007199254740992 ");
}

TEST(PublishedFigures, WhereTakesRows) {
  Published spec = plain;
  spec.where = {{"platform", {"laptop"}}};
  const std::string text = "variant,platform,n,ms\nv,laptop,1,2\nv,cluster,1,3\n";
  ASSERT_EQ(rows_of(text, spec).size(), 1u);
  EXPECT_EQ(rows_of(text, spec)[0].values, (Values{{"kernel_ms", 2}}));
  spec.where = {{"platform", {"labtop"}}};
  EXPECT_EQ(error_of(text, spec), "a.csv: no row with platform=labtop (did you mean \"laptop\"?)");
  spec.where = {{"platform", {"phone"}}};
  EXPECT_EQ(error_of(text, spec), "a.csv: no row with platform=phone; there is laptop, cluster");
  spec.where = {{"machine", {"laptop"}}};
  EXPECT_EQ(error_of(text, spec), "a.csv:1: no column \"machine\"");
}

TEST(PublishedFigures, OtherUnitsAndOtherNames) {
  Published spec{.file = "a.csv", .values = {{"s", "total_ms"}}, .factors = {{"s", 1000.0}}};
  spec.variants = {{"printed", "ours"}};
  spec.note = "contains set-up";
  const auto table = parse_published("variant,s\nprinted,0.5\nother,2\n", spec);
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->rows[0].values, (Values{{"total_ms", 500}}));
  EXPECT_EQ(table->rows[0].variant, "ours");
  EXPECT_EQ(table->rows[1].variant, "other");
  EXPECT_EQ(table->note, "contains set-up");
  spec.variants = {{"printet", "ours"}};
  EXPECT_EQ(error_of("variant,s\nprinted,0.5\n", spec),
            "a.csv: no row of variant \"printet\" (did you mean \"printed\"?)");
}

TEST(PublishedFigures, ColumnsAreFoundByName) {
  const Published spec{.file = "a.csv", .axes_by_name = {"size", "BLOCK"}};
  const auto table = parse_published("variant,size,kernel_ms,weather\nv,64,2,fine\n", spec);
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(to_string(table->rows[0].axes), "size=64");
  EXPECT_EQ(table->rows[0].values, (Values{{"kernel_ms", 2}}));
  EXPECT_EQ(table->note, "columns taken by their names: size, kernel_ms");
  EXPECT_EQ(error_of("variant,size,ms\nv,64,2\n", spec),
            "a.csv:1: no column is named like a metric; say what they hold under \"values\"");
}

}  // namespace
}  // namespace harness
