// YAML text as a tree in which every key and value knows its position, duplicate keys included. Small enough to
// walk without fear: depth and node count are bounded, whatever the aliases in the text multiply to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/config/config.h"

namespace harness {

struct Yaml {
  enum class Kind { null, scalar, list, map } kind = Kind::null;
  std::string text;         // scalar: as it reads after YAML's own escapes
  bool quoted = false;      // scalar: "1" rather than 1
  std::vector<Yaml> keys;   // map: scalars, beside `items`
  std::vector<Yaml> items;  // list: the entries; map: the values
  Position position;

  /// The value of a key of this map, or null.
  const Yaml* find(std::string_view key) const;
};

/// `path` is used in messages. Errors: `a.yaml:3:5: not YAML: end of sequence not found`.
Result<Yaml> parse_yaml(const std::string& text, const std::string& path);

/// What is wrong with one file. People correct the first mistake first, and the later ones often follow from
/// it.
class Problems {
 public:
  void add(const Position& position, std::string text);
  bool empty() const { return found_.empty(); }
  /// The one that stands first in the file.
  Error first() const;

 private:
  std::vector<std::pair<Position, std::string>> found_;
};

}  // namespace harness
