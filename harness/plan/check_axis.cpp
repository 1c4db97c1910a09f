#include "harness/plan/check_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "harness/base/text.h"
#include "harness/plan/expand.h"

namespace harness {
namespace {

std::vector<std::string> macro_names(const std::vector<const VariantInfo*>& variants) {
  std::set<std::string> names;
  for (const VariantInfo* variant : variants)
    for (const auto& [name, value] : variant->macros) names.insert(name);
  return {names.begin(), names.end()};
}

std::vector<std::string> parameter_names(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const Parameter& parameter : kernel.parameters()) names.push_back(parameter.name);
  return names;
}

Error unknown_axis(const std::string& name, const std::vector<const VariantInfo*>& variants, const Kernel& kernel) {
  auto known = parameter_names(kernel);
  known.push_back("threads");
  const auto macros = macro_names(variants);
  std::string suggestion = did_you_mean(name, known);
  if (contains(macros, upper(name))) suggestion = fmt::format(" (did you mean \"{}\"?)", upper(name));
  if (suggestion.empty())
    suggestion = fmt::format("; {} has {}, and macros of the sources are upper-case", kernel.name(), join(known, ", "));
  return {fmt::format("unknown axis \"{}\"{}", name, suggestion)};
}

// A macro's value is a number or a name: it must not put code into the source.
bool is_macro_value(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return !word ||
         (!word->empty() && word->size() <= 100 && std::all_of(word->begin(), word->end(), [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '.';
         }));
}

Done check_macro(const std::string& name, const std::vector<Value>& values,
                 const std::vector<const VariantInfo*>& variants, const Kernel& kernel) {
  for (const Value& value : values)
    if (!is_macro_value(value))
      return Error{
          fmt::format("macro \"{}\" must be a number or a name, not \"{}\"", name, printable(to_string(value), 80))};
  std::vector<std::string> have;
  const VariantInfo* lacks = nullptr;
  for (const VariantInfo* variant : variants) {
    if (has_macro(*variant, name))
      have.push_back(variant->name);
    else if (!lacks && !variant->from_submission)  // for a submission the case's status says it
      lacks = variant;
  }
  if (!lacks) return ok();
  if (!have.empty())
    return Error{fmt::format("\"{}\" has no macro \"{}\"; write it under axes with only: [{}]", lacks->name, name,
                             join(have, ", "))};
  const auto macros = macro_names(variants);
  std::string way_out = did_you_mean(name, macros);
  if (const auto parameters = parameter_names(kernel); contains(parameters, lower(name)))
    way_out = fmt::format(" (did you mean \"{}\"?)", lower(name));
  if (way_out.empty() && !macros.empty()) way_out = "; there is " + join(macros, ", ");
  if (variants.size() == 1) return Error{fmt::format("\"{}\" has no macro \"{}\"{}", lacks->name, name, way_out)};
  return Error{fmt::format("no variant of the sweep has a macro \"{}\"{}", name, way_out)};
}

bool is_thread_count(const Value& value) {
  const auto* count = std::get_if<int64_t>(&value);
  return count && *count >= 1 && *count <= most_threads;
}

}  // namespace

Done check_axis(const std::string& name, const std::vector<Value>& values,
                const std::vector<const VariantInfo*>& variants, const Kernel& kernel) {
  if (is_macro(name)) return check_macro(name, values, variants, kernel);
  if (name == "threads") {
    for (const Value& value : values)
      if (!is_thread_count(value))
        return Error{
            fmt::format("\"threads\" must be a whole number from 1 to {}, not \"{}\"", most_threads, to_string(value))};
    return ok();
  }
  const auto parameters = parameter_names(kernel);
  if (std::find(parameters.begin(), parameters.end(), name) == parameters.end())
    return unknown_axis(name, variants, kernel);
  return ok();  // the kernel checks the values
}

bool has_macro(const VariantInfo& variant, const std::string& name) {
  return std::any_of(variant.macros.begin(), variant.macros.end(), [&](const auto& m) { return m.first == name; });
}

}  // namespace harness
