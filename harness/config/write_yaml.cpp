#include "harness/config/write_yaml.h"

#include <nlohmann/json.hpp>

#include "harness/base/text.h"

namespace harness {
namespace {

constexpr size_t widest_line = 120;

/// Text that means the same without quotes, also inside [] and {}.
bool is_plain(const std::string& text) {
  constexpr const char* anywhere = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/%*:<>=- ";
  if (text.empty() || text.find_first_not_of(anywhere) != std::string::npos) return false;
  return text.find_first_of("%*:<>= ") != 0 && text.back() != ' ' && text.back() != ':' && !starts_with(text, "- ") &&
         text != "-" && text.find(": ") == std::string::npos;
}

std::string scalar(const Yaml& node) {
  if (node.kind == Yaml::Kind::null) return "null";
  if (!node.quoted && is_plain(node.text)) return node.text;
  return nlohmann::json(node.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string on_one_line(const Yaml& node) {
  if (node.kind == Yaml::Kind::scalar || node.kind == Yaml::Kind::null) return scalar(node);
  const bool map = node.kind == Yaml::Kind::map;
  std::string text = map ? "{" : "[";
  for (size_t i = 0; i < node.items.size(); ++i) {
    if (i) text += ", ";
    if (map) text += scalar(node.keys[i]) + ": ";
    text += on_one_line(node.items[i]);
  }
  return text + (map ? "}" : "]");
}

/// A list whose entries are maps or lists reads better with an entry per line.
bool has_nested(const Yaml& list) {
  return list.kind == Yaml::Kind::list && std::ranges::any_of(list.items, [](const Yaml& entry) {
           return entry.kind == Yaml::Kind::map || entry.kind == Yaml::Kind::list;
         });
}

void add_lines(const Yaml& node, size_t indent, std::string& text);

/// What follows "key:" or "-".
void add_value(const Yaml& node, size_t indent, size_t used, std::string& text) {
  const bool leaf = node.items.empty();
  const std::string line = on_one_line(node);
  if (leaf || (!has_nested(node) && indent + used + line.size() <= widest_line)) {
    text += " " + line + "\n";
  } else if (used == 1 && node.kind == Yaml::Kind::map) {  // the first key stands behind the dash
    std::string lines;
    add_lines(node, indent + 2, lines);
    text += lines.substr(indent + 1);
  } else {
    text += "\n";
    add_lines(node, indent + 2, text);
  }
}

void add_lines(const Yaml& node, size_t indent, std::string& text) {
  for (size_t i = 0; i < node.items.size(); ++i) {
    const std::string head = node.kind == Yaml::Kind::map ? scalar(node.keys[i]) + ":" : "-";
    text += std::string(indent, ' ') + head;
    add_value(node.items[i], indent, head.size(), text);
  }
}

}  // namespace

Yaml yaml_scalar(std::string text) {
  Yaml node;
  node.kind = Yaml::Kind::scalar;
  node.text = std::move(text);
  return node;
}

Yaml yaml_list(std::vector<Yaml> items) {
  Yaml node;
  node.kind = Yaml::Kind::list;
  node.items = std::move(items);
  return node;
}

Yaml yaml_map(std::vector<std::pair<std::string, Yaml>> entries) {
  Yaml node;
  node.kind = Yaml::Kind::map;
  for (auto& [key, value] : entries) {
    node.keys.push_back(yaml_scalar(key));
    node.items.push_back(std::move(value));
  }
  return node;
}

std::string write_yaml(const Yaml& node) {
  std::string text;
  add_lines(node, 0, text);
  return text;
}

}  // namespace harness
