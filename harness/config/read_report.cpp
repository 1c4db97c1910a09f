#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/read.h"

namespace harness {
namespace {

using nlohmann::json;

bool is_plain(const std::string& name) { return name.find_first_of("*?") == std::string::npos; }

template <class Body>
void for_each_word(const Yaml& node, const Body& body) {
  if (node.kind == Yaml::Kind::scalar) return body(node);
  for (const Yaml& entry : node.items) body(entry);
}

/// Reads one table or plot and checks it against its sweep.
class Reader {
 public:
  Reader(const Yaml& node, const std::string& noun, Problems& problems)
      : node_(node), noun_(noun), problems_(problems) {
    for (const char* key : {"title", "kind", "caption"})
      if (const Yaml* text = node.find(key)) out_[key] = text->text;
  }

  bool find_sweep(const std::vector<Sweep>& sweeps) {
    sweep_ = harness::find_sweep(*node_.find("sweep"), sweeps, problems_);
    if (!sweep_) return false;
    out_["sweep"] = sweep_->name;
    axes_ = axis_names(*sweep_);
    return true;
  }

  /// A key that names one or several axes of the sweep.
  std::vector<std::string> dimensions(const std::string& key) {
    const Yaml* node = node_.find(key);
    if (!node) return {};
    for_each_word(*node, [&](const Yaml& name) {
      auto known = axes_;
      known.insert(known.end(), {"variant", "metric", "threads"});
      if (!contains(known, name.text)) no_such_axis(name, known);
    });
    out_[key] = words(node);
    return words(node);
  }

  void where() {
    const Yaml* node = node_.find("where");
    if (!node) return;
    for (size_t i = 0; i < node->keys.size(); ++i) {
      const Yaml& key = node->keys[i];
      if (key.text == "variant")
        where_variants(node->items[i]);
      else if (!contains(axes_, key.text))
        no_such_axis(key, axes_);
      else
        where_values(key.text, node->items[i]);
    }
  }

  /// With several metrics, "metric" must be one of the table's or plot's dimensions.
  void metrics(const std::string& key, const std::vector<std::string>& values,
               const std::vector<std::string>& dimensions, const std::string& where_to) {
    out_[key] = values;
    if (values.size() > 1 && !contains(dimensions, "metric"))
      problems_.add(node_.find(key)->position, fmt::format("several metrics need \"metric\" in {}", where_to));
  }

  void needs(const std::string& key) {
    if (!node_.find(key)) refuse(fmt::format("needs a key \"{}\"", key));
  }
  void refuse(const std::string& why) {
    problems_.add(node_.position, fmt::format("{} \"{}\" {}", noun_, node_.find("title")->text, why));
  }

  json& out() { return out_; }

 private:
  void no_such_axis(const Yaml& name, const std::vector<std::string>& known) {
    problems_.add(name.position, fmt::format("sweep \"{}\" has no axis \"{}\"{}", sweep_->name, name.text,
                                             suggest(name.text, known, "it has")));
  }

  void where_variants(const Yaml& node) {
    for_each_word(node, [&](const Yaml& wanted) {
      if (std::string why = no_such_variant(*sweep_, wanted.text); !why.empty())
        problems_.add(wanted.position, std::move(why));
    });
    out_["variants"] = words(&node);
  }

  void where_values(const std::string& axis, const Yaml& node) {
    const auto known = axis_spellings(*sweep_, axis);
    json& wanted = out_["where"][axis] = json::array();
    for_each_word(node, [&](const Yaml& scalar) {
      const Value value = value_of(scalar);
      if (!contains(known, to_string(value)))
        problems_.add(scalar.position, fmt::format("sweep \"{}\" has no case with {}={}; it has {}", sweep_->name, axis,
                                                   to_string(value), join(known, ", ")));
      std::visit([&](const auto& v) { wanted.push_back(v); }, value);
    });
  }

  const Yaml& node_;
  std::string noun_;
  Problems& problems_;
  const Sweep* sweep_ = nullptr;
  std::vector<std::string> axes_;
  json out_ = json::object();
};

json read_table(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  Reader reader(node, "table", problems);
  if (!reader.find_sweep(sweeps)) return {};
  auto dimensions = reader.dimensions("rows");
  for (const std::string& column : reader.dimensions("columns")) {
    if (contains(dimensions, column)) reader.refuse(fmt::format("has \"{}\" in rows and in columns", column));
    dimensions.push_back(column);
  }
  const Yaml* value = node.find("value");
  if (value && node.find("values")) reader.refuse("has \"value\" and \"values\"; keep one");
  if (!value && !node.find("values"))
    reader.needs("value");
  else if (value)
    reader.out()["values"] = words(value);
  else
    reader.metrics("values", words(node.find("values")), dimensions, "rows or columns");
  reader.where();
  reader.out()["published"] = text_or(node, "published", "true") == "true";
  return reader.out();
}

json read_plot(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  Reader reader(node, "plot", problems);
  if (!reader.find_sweep(sweeps)) return {};
  const std::string kind = text_or(node, "kind", "");
  if (kind != "roofline")
    for (const char* key : {"x", "y"}) reader.needs(key);
  auto dimensions = reader.dimensions("x");
  if (node.find("x")) reader.out()["x"] = node.find("x")->text;
  for (const std::string& series : reader.dimensions("series")) dimensions.push_back(series);
  if (kind == "heatmap") {
    reader.needs("value");
    if (const Yaml* value = node.find("value")) reader.out()["value"] = value->text;
    reader.dimensions("y");
  } else {
    if (node.find("value")) reader.refuse("has a \"value\", which only a heatmap has; write \"y\"");
    if (const Yaml* y = node.find("y")) {
      // The schema cannot check this: in a heatmap y names axes.
      for_each_word(*y, [&](const Yaml& metric) {
        if (!find_metric(metric.text))
          problems.add(metric.position, fmt::format("unknown metric \"{}\"{}", metric.text,
                                                    suggest(metric.text, metric_names(), "there are")));
      });
      reader.metrics("y", words(y), dimensions, "x or series");
    }
  }
  reader.where();
  if (const Yaml* log = node.find("log")) reader.out()["log"] = words(log);
  return reader.out();
}

}  // namespace

const Sweep* find_sweep(const Yaml& name, const std::vector<Sweep>& sweeps, Problems& problems) {
  std::vector<std::string> known;
  for (const Sweep& sweep : sweeps) {
    if (sweep.name == name.text) return &sweep;
    known.push_back(sweep.name);
  }
  problems.add(name.position, fmt::format("unknown sweep \"{}\"{}", name.text, suggest(name.text, known, "there are")));
  return nullptr;
}

std::string no_such_variant(const Sweep& sweep, const std::string& wanted) {
  std::vector<std::string> known = sweep.variants;
  for (const Axes& axes : sweep.include) known.push_back(to_string(*find(axes, "variant")));
  // The variants that a glob selects are not known here. A name that no entry can match is an error.
  const bool possible =
      !is_plain(wanted)
          ? std::ranges::any_of(known, [&](const std::string& k) { return !is_plain(k) || glob_match(wanted, k); })
          : std::ranges::any_of(known, [&](const std::string& k) { return glob_match(k, wanted); });
  if (possible) return "";
  return fmt::format("sweep \"{}\" has no variant \"{}\"{}", sweep.name, wanted, suggest(wanted, known, "it has"));
}

json read_report(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  json report = {{"tables", json::array()}, {"plots", json::array()}};
  if (const Yaml* tables = node.find("tables"))
    for (const Yaml& table : tables->items) report["tables"].push_back(read_table(table, sweeps, problems));
  if (const Yaml* plots = node.find("plots"))
    for (const Yaml& plot : plots->items) report["plots"].push_back(read_plot(plot, sweeps, problems));
  if (const Yaml* language = node.find("language")) report["language"] = language->text;
  if (const Yaml* exports = node.find("exports"))
    for (const Yaml& entry : exports->items) report["exports"].push_back(read_export(entry, sweeps, problems));
  if (const Yaml* example = node.find("example"); example && example->kind == Yaml::Kind::list) {
    for (const Yaml& one : example->items) report["examples"].push_back(read_example(one, problems));
  } else if (example) {
    report["examples"].push_back(read_example(*example, problems));
  }
  return report;
}

}  // namespace harness
