#include "harness/config/shown.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

using nlohmann::json;

bool names(const json& entry, const char* key, const std::string& metric) {
  const auto found = entry.find(key);
  if (found == entry.end()) return false;
  if (found->is_string()) return *found == metric;
  return std::any_of(found->begin(), found->end(), [&](const json& one) {
    return one.is_object() ? one.value("metric", "") == metric : one == metric;
  });
}

// A table, a plot or an export.
bool shows(const json& entry, const std::string& sweep, const std::string& variant, const std::string& metric) {
  if (entry.value("sweep", "") != sweep) return false;
  const json variants = entry.value("variants", json::array());
  const bool has_variant = variants.empty() || std::ranges::any_of(variants, [&](auto& glob) {
                             return glob_match(glob.template get<std::string>(), variant);
                           });
  return has_variant && (names(entry, "values", metric) || names(entry, "value", metric) || names(entry, "y", metric) ||
                         names(entry, "columns", metric));
}

bool shows(const Published& published, const std::string& sweep, const std::string& variant,
           const std::string& metric) {
  if (!published.sweep.empty() && published.sweep != sweep) return false;
  for (const auto& [column, values] : published.where)
    if (column == "variant" && std::ranges::none_of(values, [&](const std::string& printed) {
          for (const auto& [name, ours] : published.variants)
            if (name == printed) return ours == variant;
          return printed == variant;
        }))
      return false;
  return std::ranges::any_of(published.values, [&](const auto& value) { return value.second == metric; });
}

}  // namespace

bool shows(const Config& config, const std::string& sweep, const std::string& variant, MetricName name) {
  const std::string metric(to_string(name));
  for (const char* part : {"tables", "plots", "exports"})
    for (const json& entry : config.report ? config.report->value(part, json::array()) : json::array())
      if (shows(entry, sweep, variant, metric)) return true;
  for (const Claim& claim : config.claims)
    for (const claim::Item& item : items_of(claim.form))
      if (item.metric == name && item.sweep == sweep && item.variant == variant) return true;
  return std::ranges::any_of(config.published, [&](const Published& p) { return shows(p, sweep, variant, metric); });
}

}  // namespace harness
