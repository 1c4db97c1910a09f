#include "harness/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/text.h"

namespace harness::schema {
namespace {

using nlohmann::json;
using Type = Schema::Type;

std::string describe(const Yaml& node) {
  switch (node.kind) {
    case Yaml::Kind::null:
      return "nothing";
    case Yaml::Kind::list:
      return "a list";
    case Yaml::Kind::map:
      return "a map";
    case Yaml::Kind::scalar:
      break;
  }
  return fmt::format("\"{}\"", printable(node.text, 80));
}

/// `sweep "cpu_sizes"`, or `this sweep` if it has no valid name.
std::string title_of(const Yaml& map, const std::string& noun) {
  for (const char* key : {"name", "title"})
    if (const Yaml* name = map.find(key); name && name->kind == Yaml::Kind::scalar)
      return fmt::format("{} \"{}\"", noun, name->text);
  return "this " + noun;
}

const Field* find_field(const Schema& schema, const std::string& name) {
  for (const Field& field : schema.fields)
    if (field.name == name) return &field;
  return nullptr;
}

std::string unknown_key(const Schema& schema, const std::string& key) {
  std::vector<std::string> known;
  for (const Field& field : schema.fields) known.push_back(field.name);
  const std::string suggestion = did_you_mean(key, known);
  return fmt::format("unknown key \"{}\"{}", key,
                     suggestion.empty() ? "; known here: " + join(known, ", ") : suggestion);
}

Yaml::Kind kind_of(const Schema& schema) {
  if (schema.type == Type::list) return Yaml::Kind::list;
  return schema.type == Type::map ? Yaml::Kind::map : Yaml::Kind::scalar;
}

void refuse(const Yaml& node, const Schema& schema, const std::string& name, Problems& problems) {
  std::string message = schema.message && node.kind == Yaml::Kind::scalar ? schema.message(node) : "";
  if (message.empty()) {
    message = fmt::format("{} must be {}, not {}", name, schema.expected, describe(node));
    if (schema.way_out && node.kind == Yaml::Kind::scalar) message += schema.way_out(node);
  }
  problems.add(node.position, std::move(message));
}

void validate_list(const Yaml& node, const Schema& schema, const std::string& name, Problems& problems) {
  if (node.items.size() < schema.at_least) problems.add(node.position, fmt::format("{} must not be empty", name));
  std::set<std::string> seen;
  for (const Yaml& entry : node.items) {
    validate(entry, schema.of[0], "an entry of " + name, problems);
    if (schema.unique && entry.kind == Yaml::Kind::scalar && !seen.insert(entry.text).second)
      problems.add(entry.position, fmt::format("{} lists \"{}\" twice", name, entry.text));
  }
}

void validate_map(const Yaml& node, const Schema& schema, const std::string& name, Problems& problems) {
  std::set<std::string> seen;
  bool unknown = false;  // perhaps a misspelt one that is required
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const Yaml& key = node.keys[i];
    const std::string key_name = fmt::format("\"{}\"", key.text);
    const Field* field = find_field(schema, key.text);
    if (!seen.insert(key.text).second) {
      problems.add(key.position, "duplicate key " + key_name);
    } else if (!field && schema.of.empty()) {
      problems.add(key.position, unknown_key(schema, key.text));
      unknown = true;
    } else if (node.items[i].kind == Yaml::Kind::null) {
      problems.add(key.position, key_name + " has no value");  // a missing value has no position of its own
    } else {
      if (!field) validate(key, schema.of[0], "a key of " + name, problems);
      validate(node.items[i], field ? field->schema : schema.of[1], key_name, problems);
    }
  }
  for (const Field& field : schema.fields)
    if (field.need == Need::required && !unknown && !seen.count(field.name))
      problems.add(node.position, fmt::format("{} needs a key \"{}\"", title_of(node, schema.noun), field.name));
}

json map_to_json(const Schema& schema) {
  json out = {{"type", "object"}, {"additionalProperties", false}};
  json required = json::array();
  for (const Field& field : schema.fields) {
    json& property = out["properties"][field.name] = to_json_schema(field.schema);
    property["description"] = field.doc;
    if (!field.fallback.is_null()) property["default"] = field.fallback;
    if (field.need == Need::required) required.push_back(field.name);
  }
  if (!required.empty()) out["required"] = required;
  if (!schema.of.empty()) {
    // propertyNames applies to all keys, so it is used only without fixed keys.
    if (schema.fields.empty()) out["propertyNames"] = to_json_schema(schema.of[0]);
    out["additionalProperties"] = to_json_schema(schema.of[1]);
  }
  return out;
}

}  // namespace

Field required(std::string name, std::string doc, Schema schema) {
  return {std::move(name), std::move(doc), std::move(schema), Need::required, nullptr};
}

Field optional(std::string name, std::string doc, Schema schema, json fallback) {
  return {std::move(name), std::move(doc), std::move(schema), Need::optional, std::move(fallback)};
}

Schema list(Schema entry, size_t at_least) {
  Schema schema;
  schema.type = Type::list;
  schema.expected = "a list";
  schema.of = {std::move(entry)};
  schema.at_least = at_least;
  return schema;
}

Schema list_of_distinct(Schema entry, size_t at_least) {
  Schema schema = list(std::move(entry), at_least);
  schema.unique = true;
  return schema;
}

Schema map(std::string noun, std::vector<Field> fields) {
  Schema schema;
  schema.type = Type::map;
  schema.expected = "a map";
  schema.noun = std::move(noun);
  schema.fields = std::move(fields);
  return schema;
}

Schema map_with(std::string noun, std::vector<Field> fields, Schema free_key, Schema free_value) {
  Schema schema = map(std::move(noun), std::move(fields));
  schema.of = {std::move(free_key), std::move(free_value)};
  return schema;
}

Schema either(std::vector<Schema> alternatives) {
  Schema schema;
  schema.type = Type::either;
  std::vector<std::string> expected;
  for (const Schema& alternative : alternatives) expected.push_back(alternative.expected);
  schema.expected = join(expected, " or ");
  schema.of = std::move(alternatives);
  return schema;
}

void validate(const Yaml& node, const Schema& schema, const std::string& name, Problems& problems) {
  if (schema.type == Type::either) {
    for (const Schema& alternative : schema.of)
      if (kind_of(alternative) == node.kind) return validate(node, alternative, name, problems);
    return refuse(node, schema, name, problems);
  }
  if (kind_of(schema) != node.kind) return refuse(node, schema, name, problems);
  switch (schema.type) {
    case Type::list:
      return validate_list(node, schema, name, problems);
    case Type::map:
      return validate_map(node, schema, name, problems);
    case Type::scalar:
      if (!schema.accepts(node)) refuse(node, schema, name, problems);
      return;
    case Type::either:
      return;
  }
}

json to_json_schema(const Schema& schema) {
  switch (schema.type) {
    case Type::scalar:
      return schema.json;
    case Type::map:
      return map_to_json(schema);
    case Type::list: {
      json out = {{"type", "array"}, {"items", to_json_schema(schema.of[0])}};
      if (schema.at_least > 0) out["minItems"] = schema.at_least;
      if (schema.unique) out["uniqueItems"] = true;
      return out;
    }
    case Type::either: {
      json out;
      for (const Schema& alternative : schema.of) out["anyOf"].push_back(to_json_schema(alternative));
      return out;
    }
  }
  return {};
}

}  // namespace harness::schema
