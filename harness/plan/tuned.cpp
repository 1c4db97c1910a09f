#include "harness/plan/tuned.h"

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/config/read.h"
#include "harness/config/scalars.h"
#include "harness/config/schema.h"
#include "harness/config/write_yaml.h"

namespace harness {
namespace {

const schema::Schema& table_schema() {
  using namespace schema;
  static const Schema table =
      list(map("row", {required("device", "the processor or the GPU", text()),
                       required("dtype", "element type", word({std::begin(Spelling<Dtype>::words), std::end(Spelling<Dtype>::words)})),
                       optional("run", "the run that found the values", text()),
                       required("values", "value of each parameter",
                                map_with("values", {}, text(100), whole_number(-1'000'000'000, 1'000'000'000)))}));
  return table;
}

}  // namespace

fs::path tuned_file(const VariantInfo& variant) {
  return fs::path(variant.file).parent_path() / (variant.name + tuned_ending);
}

Result<std::vector<TunedValues>> read_tuned(const std::string& text, const std::string& path,
                                            const VariantInfo& variant) {
  TRY_ASSIGN(const Yaml root, parse_yaml(text, path));
  if (root.kind == Yaml::Kind::null) return std::vector<TunedValues>{};  // only comments
  Problems problems;
  schema::validate(root, table_schema(), "a table of tuned parameters", problems);
  if (!problems.empty()) return problems.first();
  std::vector<std::string> known;
  for (const TuneParameter& parameter : variant.tune) known.push_back(parameter.name);
  std::vector<TunedValues> rows;
  for (const Yaml& node : root.items) {
    TunedValues row{
        node.find("device")->text, *parse_enum<Dtype>(node.find("dtype")->text), text_or(node, "run", ""), {}};
    if (find_tuned(rows, row.device, row.dtype))
      problems.add(node.position, fmt::format("there are two rows for \"{}\", {}; keep one", printable(row.device, 100),
                                              to_string(row.dtype)));
    const Yaml& values = *node.find("values");
    for (size_t i = 0; i < values.keys.size(); ++i) {
      const Yaml& key = values.keys[i];
      if (problems.empty() && !contains(known, key.text))  // one suggestion: each looks at all names
        problems.add(key.position,
                     fmt::format("{} declares no LAB_TUNE({}, ...){}", fs::path(variant.file).filename().string(),
                                 printable(key.text, 40), suggest(key.text, known, "it declares")));
      row.values.emplace_back(key.text, *parse_integer(values.items[i].text));
    }
    rows.push_back(std::move(row));
    if (!problems.empty()) return problems.first();
  }
  return rows;
}

std::string write_tuned(const std::vector<TunedValues>& rows) {
  std::vector<Yaml> all;
  for (const TunedValues& row : rows) {
    std::vector<std::pair<std::string, Yaml>> values;
    for (const auto& [name, value] : row.values) values.emplace_back(name, yaml_scalar(to_string(value)));
    all.push_back(yaml_map({{"device", yaml_scalar(row.device)},
                            {"dtype", yaml_scalar(std::string(to_string(row.dtype)))},
                            {"run", yaml_scalar(row.run)},
                            {"values", yaml_map(std::move(values))}}));
  }
  return "# The fastest values that \"harness tune\" found. Builds use them on these devices.\n" +
         write_yaml(yaml_list(std::move(all)));
}

const TunedValues* find_tuned(const std::vector<TunedValues>& rows, const std::string& device, Dtype dtype) {
  for (const TunedValues& row : rows)
    if (row.device == device && row.dtype == dtype) return &row;
  return nullptr;
}

}  // namespace harness
