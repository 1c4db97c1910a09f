#include <fmt/format.h>

#include <algorithm>

#include "harness/config/read.h"

namespace harness {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

Columns read_columns(const Yaml* map) {
  Columns columns;
  if (map)
    for (size_t i = 0; i < map->keys.size(); ++i) columns.emplace_back(map->keys[i].text, map->items[i].text);
  return columns;
}

}  // namespace

Published read_published(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  Published published;
  published.place = node.place;
  if (node.kind == Yaml::Kind::scalar) {
    published.file = node.text;
    return published;
  }
  published.file = text_or(node, "file", "");
  published.sweep = text_or(node, "sweep", "");
  published.machine = text_or(node, "machine", "");
  published.axes = read_columns(node.find("axes"));
  published.values = read_columns(node.find("values"));

  std::vector<std::string> names, axes = {"variant", "dtype"};
  for (const Sweep& sweep : sweeps) {
    names.push_back(sweep.name);
    if (!published.sweep.empty() && sweep.name != published.sweep) continue;
    for (std::string& axis : axis_names(sweep)) axes.push_back(std::move(axis));
  }
  if (!published.sweep.empty() && std::find(names.begin(), names.end(), published.sweep) == names.end()) {
    problems.add(node.find("sweep")->place, fmt::format("unknown sweep \"{}\"{}", published.sweep,
                                                        suggest(published.sweep, names, "there are")));
    return published;
  }
  if (const Yaml* map = node.find("axes"))
    for (const Yaml& axis : map->items)
      if (std::find(axes.begin(), axes.end(), axis.text) == axes.end())
        problems.add(axis.place, fmt::format("no sweep has the axis \"{}\"{}", axis.text,
                                             suggest(axis.text, axes, "there are")));
  return published;
}

}  // namespace harness
