#include "harness/config/schema.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace harness::schema {
namespace {

/// The first error of `text` as the value of a key "x".
std::string error_of(const Schema& schema, const std::string& text) {
  const auto tree = parse_yaml("x: " + text + "\n", "a.yaml");
  if (!tree) return tree.error().message;
  Problems problems;
  validate(*tree, map("thing", {optional("x", "", schema)}), "a thing", problems);
  return problems.empty() ? "" : problems.first().message;
}

TEST(Schema, ScalarsSayWhatTheyTake) {
  EXPECT_EQ(error_of(ratio(), "0.5%"), "");
  EXPECT_EQ(error_of(ratio(), "fast"),
            "a.yaml:1:4: \"x\" must be a percentage or a number such as 0.5% or 0.005, not \"fast\"");
  EXPECT_EQ(error_of(ratio(), "120%"),
            "a.yaml:1:4: \"x\" must be a percentage or a number such as 0.5% or 0.005, not \"120%\"");
  EXPECT_EQ(error_of(duration(), "1h30m"), "");
  EXPECT_EQ(error_of(duration(), "-1s"),
            "a.yaml:1:4: \"x\" must be a time such as 15s, 2m or 500ms, from 1ms to 168h, not \"-1s\"");
  EXPECT_EQ(error_of(whole_number(1, 100), "100"), "");
  EXPECT_EQ(error_of(whole_number(1, 100), "0"), "a.yaml:1:4: \"x\" must be a whole number from 1 to 100, not \"0\"");
  EXPECT_EQ(error_of(whole_number(1, 100), "\"5\""),
            "a.yaml:1:4: \"x\" must be a whole number from 1 to 100, not \"5\"; take off the quotes");
  EXPECT_EQ(error_of(bytes("1MiB"), "4GiB"), "");
  EXPECT_EQ(error_of(bytes("1MiB"), "1KiB"),
            "a.yaml:1:4: \"x\" must be a size such as 64KiB, 512MiB or 4GiB, at least 1MiB, not \"1KiB\"");
  EXPECT_EQ(error_of(truth(), "yes"), "a.yaml:1:4: \"x\" must be true or false, not \"yes\"");
  EXPECT_EQ(error_of(text(), "5"), "a.yaml:1:4: \"x\" must be text, not \"5\"; put it in quotes");
  EXPECT_EQ(error_of(text(), "\"5\""), "");
  EXPECT_EQ(error_of(text(), "\"\""), "a.yaml:1:4: \"x\" must be text, not \"\"");
  EXPECT_EQ(error_of(text(), "[a]"), "a.yaml:1:4: \"x\" must be text, not a list");
  EXPECT_EQ(error_of(text(), ""), "a.yaml:1:1: \"x\" has no value");
  EXPECT_EQ(error_of(axis_value(), "1:2:*2"), "a.yaml:1:4: \"x\" must be a number or a word, not \"1:2:*2\"");
}

TEST(Schema, WordsAreListedAndSuggested) {
  const Schema kind = word({"lines", "bars"});
  EXPECT_EQ(error_of(kind, "lines"), "");
  EXPECT_EQ(error_of(kind, "line"),
            "a.yaml:1:4: \"x\" must be one of lines, bars, not \"line\" (did you mean \"lines\"?)");
  EXPECT_EQ(error_of(kind, "pie"), "a.yaml:1:4: \"x\" must be one of lines, bars, not \"pie\"");
}

TEST(Schema, ListsAndAlternatives) {
  const Schema names = list_of_distinct(text(), 1);
  EXPECT_EQ(error_of(names, "[a, b]"), "");
  EXPECT_EQ(error_of(names, "[]"), "a.yaml:1:4: \"x\" must not be empty");
  EXPECT_EQ(error_of(names, "[a, b, a]"), "a.yaml:1:11: \"x\" lists \"a\" twice");
  EXPECT_EQ(error_of(names, "[a, {b: 1}]"), "a.yaml:1:8: an entry of \"x\" must be text, not a map");
  EXPECT_EQ(error_of(names, "[a, ~]"), "a.yaml:1:8: an entry of \"x\" must be text, not nothing");
  EXPECT_EQ(error_of(either({text(), names}), "{}"), "a.yaml:1:4: \"x\" must be text or a list, not a map");
}

TEST(Schema, MapsKnowTheirKeys) {
  const Schema point = map("point", {required("row", "", text()), optional("column", "", text())});
  EXPECT_EQ(error_of(point, "{row: a}"), "");
  EXPECT_EQ(error_of(point, "{row: a, colum: b}"), "a.yaml:1:13: unknown key \"colum\" (did you mean \"column\"?)");
  EXPECT_EQ(error_of(point, "{row: a, z: b}"), "a.yaml:1:13: unknown key \"z\"; known here: row, column");
  EXPECT_EQ(error_of(point, "{column: b}"), "a.yaml:1:4: this point needs a key \"row\"");
  EXPECT_EQ(error_of(point, "{row: a, row: b}"), "a.yaml:1:13: duplicate key \"row\"");
  const Schema free = map_with("axes", {}, text_like("[a-z]+", "small letters"), text());
  EXPECT_EQ(error_of(free, "{ab: x}"), "");
  EXPECT_EQ(error_of(free, "{A: x}"), "a.yaml:1:5: a key of \"x\" must be small letters, not \"A\"");
  EXPECT_EQ(error_of(free, "{" + std::string(201, 'a') + ": x}"), "a.yaml:1:5: this text of 201 bytes is too long; the limit is 200");
  EXPECT_EQ(error_of(free, "{ab: x, ab: y}"), "a.yaml:1:12: duplicate key \"ab\"");
}

TEST(Schema, BecomesJsonSchema) {
  const Schema point = map("point", {required("row", "where", list_of_distinct(text(), 1)),
                                     optional("n", "how many", whole_number(1, 9), 3)});
  EXPECT_EQ(to_json_schema(point), nlohmann::json::parse(R"({
    "type": "object", "additionalProperties": false, "required": ["row"],
    "properties": {
      "row": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 1000}, "minItems": 1, "uniqueItems": true,
              "description": "where"},
      "n": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how many", "default": 3}}})"));
  EXPECT_EQ(to_json_schema(either({truth(), list(truth())})), nlohmann::json::parse(R"({
    "anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "boolean"}}]})"));
  EXPECT_EQ(to_json_schema(map_with("axes", {}, text_like("[a-z]+", ""), truth())), nlohmann::json::parse(R"({
    "type": "object", "additionalProperties": {"type": "boolean"},
    "propertyNames": {"type": "string", "pattern": "^([a-z]+)$"}})"));
}

}  // namespace
}  // namespace harness::schema
