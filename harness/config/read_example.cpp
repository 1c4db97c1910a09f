// report.example: two small matrices whose cross-correlation the report shows.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/config/read.h"
#include "harness/config/scalars.h"

namespace harness {
namespace {

using nlohmann::json;

json read_matrix(const Yaml& rows, const char* key, Problems& problems) {
  json matrix = json::array();
  const size_t width = rows.items[0].items.size();
  for (const Yaml& row : rows.items) {
    json& numbers = matrix.emplace_back(json::array());
    for (const Yaml& number : row.items) numbers.push_back(*parse_integer(number.text));
    if (row.items.size() != width)
      problems.add(row.position,
                   fmt::format("this row of \"{}\" has {} numbers, the first has {}", key, row.items.size(), width));
  }
  return matrix;
}

}  // namespace

json read_example(const Yaml& node, Problems& problems) {
  const size_t channels = static_cast<size_t>(*parse_integer(text_or(node, "channels", "1")));
  json out = {{"input", read_matrix(*node.find("input"), "input", problems)},
              {"filter", read_matrix(*node.find("filter"), "filter", problems)},
              {"stride", 1},
              {"padding", *parse_integer(text_or(node, "padding", "0"))}};
  if (channels > 1) out["channels"] = channels;
  if (const Yaml* stride = node.find("stride"); stride && stride->kind == Yaml::Kind::list) {
    out["stride"] = json::array();
    for (const Yaml& one : stride->items) out["stride"].push_back(*parse_integer(one.text));
  } else if (stride) {
    out["stride"] = *parse_integer(stride->text);
  }
  for (const char* key : {"input", "filter"})
    if (out[key].size() % channels != 0)
      problems.add(node.find(key)->position, fmt::format("the {} rows of \"{}\" cannot be those of {} channels",
                                                         out[key].size(), key, channels));
  const auto larger = [&](size_t filter, size_t input) { return filter > input + 2 * out["padding"].get<size_t>(); };
  if (larger(out["filter"].size() / channels, out["input"].size() / channels) || larger(out["filter"][0].size(), out["input"][0].size()))
    problems.add(node.find("filter")->position, "the filter is larger than the input with its padding");
  return out;
}

}  // namespace harness
