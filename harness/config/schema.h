// The allowed content of a YAML file as a tree of values. The same tree validates files and is printed as the JSON
// Schema for editors, so the two cannot differ.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/config/yaml.h"

namespace harness::schema {

struct Field;

struct Schema {
  enum class Type { scalar, list, map, either } type = Type::scalar;
  std::string expected;    // "a whole number of at least 1": part of the message `"x" must be ..., not "y"`
  std::vector<Schema> of;  // list: of its entries; map: of free keys and of their values; either: one per YAML kind
  // scalar
  std::function<bool(const Yaml&)> accepts;
  std::function<std::string(const Yaml&)> way_out;  // ends the message, unless empty
  std::function<std::string(const Yaml&)> message;  // replaces the message
  nlohmann::json json;                              // its JSON Schema
  // list
  size_t at_least = 0;
  bool unique = false;  // of scalars
  // map
  std::string noun;  // "sweep"
  std::vector<Field> fields;
};

enum class Need { required, optional };

struct Field {
  std::string name;
  std::string doc;
  Schema schema;
  Need need = Need::optional;
  nlohmann::json fallback;  // the default, as a person would write it; null: none
};

Field required(std::string name, std::string doc, Schema schema);
Field optional(std::string name, std::string doc, Schema schema, nlohmann::json fallback = nullptr);

/// Any text that YAML does not read as a number, of at most so many bytes.
Schema text(size_t longest = 1000);
/// Text that matches this extended regular expression of POSIX as a whole; `expected` describes it in words.
Schema text_like(std::string pattern, std::string expected);
Schema word(std::vector<std::string> allowed);
Schema truth();
Schema whole_number(int64_t least, int64_t most);
/// A number from `least` to `most`.
Schema number(double least, double most);
/// The same as the key of a map.
Schema number_key();
/// Between 0 and 1, both excluded: "0.5%" or 0.005.
Schema ratio();
/// Above 0 and at most 1: "75%" or 0.75.
Schema share();
/// "15s", "2m", "500ms", or a number of seconds; from 1 ms to a week.
Schema duration();
/// "4GiB"; at least one of `smallest`, which is spelled the same way.
Schema bytes(const std::string& smallest);
/// A number or a word: the value of an axis.
Schema axis_value();
/// The same, or a range: "128:2048:*2".
Schema axis_value_or_range();

Schema list(Schema entry, size_t at_least = 0);
Schema list_of_distinct(Schema entry, size_t at_least = 0);
/// Exactly these keys.
Schema map(std::string noun, std::vector<Field> fields);
/// These keys, and free ones.
Schema map_with(std::string noun, std::vector<Field> fields, Schema free_key, Schema free_value);
/// One of several alternatives, chosen by scalar, list or map.
Schema either(std::vector<Schema> alternatives);

/// Adds all errors of `node`. `name` is its name in messages: `"precision"`.
void validate(const Yaml& node, const Schema& schema, const std::string& name, Problems& problems);

/// JSON Schema, draft-07, of one value.
nlohmann::json to_json_schema(const Schema& schema);

}  // namespace harness::schema
