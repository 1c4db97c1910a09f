#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/config/scalars.h"
#include "harness/config/schema.h"

namespace harness::schema {
namespace {

using nlohmann::json;

/// False for text that YAML's core schema reads as a number or a boolean.
bool looks_like_text(const Yaml& node) {
  return node.quoted || (!parse_real(node.text) && node.text != "true" && node.text != "false");
}

std::string quotes_missing(const Yaml& node) { return looks_like_text(node) ? "" : "; put it in quotes"; }

// With <regex> this file took 5 s to compile.
std::shared_ptr<const regex_t> expression(const std::string& pattern) {
  std::shared_ptr<regex_t> compiled(new regex_t, [](regex_t* form) { regfree(form), delete form; });
  regcomp(compiled.get(), pattern.c_str(), REG_EXTENDED);
  return compiled;
}

Schema scalar(std::string expected, json editor, std::function<bool(const Yaml&)> accepts) {
  Schema schema;
  schema.expected = std::move(expected);
  schema.json = std::move(editor);
  schema.accepts = std::move(accepts);
  return schema;
}

std::function<std::string(const Yaml&)> too_long(size_t longest) {
  return [longest](const Yaml& node) {
    return node.text.size() <= longest ? ""
                                       : fmt::format("this text of {} is too long; the limit is {}",
                                                     counted(static_cast<int64_t>(node.text.size()), "byte"), longest);
  };
}

}  // namespace

Schema text(size_t longest) {
  Schema schema =
      scalar("text", {{"type", "string"}, {"minLength", 1}, {"maxLength", longest}}, [longest](const Yaml& node) {
        return looks_like_text(node) && !node.text.empty() && node.text.size() <= longest;
      });
  schema.way_out = quotes_missing;
  schema.message = too_long(longest);
  return schema;
}

Schema text_like(std::string pattern, std::string expected) {
  constexpr size_t longest = 200;
  const json editor = {{"type", "string"}, {"pattern", "^(" + pattern + ")$"}};
  Schema schema = scalar(std::move(expected), editor, [form = expression("^(" + pattern + ")$")](const Yaml& node) {
    regmatch_t whole{.rm_so = 0, .rm_eo = static_cast<regoff_t>(node.text.size())};
    return looks_like_text(node) && node.text.size() <= longest &&
           regexec(form.get(), node.text.data(), 1, &whole, REG_STARTEND) == 0;
  });
  schema.way_out = quotes_missing;
  schema.message = too_long(longest);
  return schema;
}

Schema word(std::vector<std::string> allowed) {
  Schema schema = scalar("one of " + join(allowed, ", "), {{"enum", allowed}}, [allowed](const Yaml& node) {
    return contains(allowed, node.text);
  });
  schema.way_out = [allowed](const Yaml& node) { return did_you_mean(node.text, allowed); };
  return schema;
}

Schema truth() {
  return scalar("true or false", {{"type", "boolean"}},
                [](const Yaml& node) { return !node.quoted && (node.text == "true" || node.text == "false"); });
}

Schema whole_number(int64_t least, int64_t most) {
  Schema schema = scalar(fmt::format("a whole number from {} to {}", least, most),
                         {{"type", "integer"}, {"minimum", least}, {"maximum", most}}, [least, most](const Yaml& node) {
                           const auto number = parse_integer(node.text);
                           return !node.quoted && number && *number >= least && *number <= most;
                         });
  schema.way_out = [](const Yaml& node) { return node.quoted ? "; take off the quotes" : ""; };
  return schema;
}

Schema number(double least, double most) {
  return scalar(fmt::format("a number from {} to {}", least, most),
                {{"type", "number"}, {"minimum", least}, {"maximum", most}}, [least, most](const Yaml& node) {
                  const auto number = parse_real(node.text);
                  return !node.quoted && number && *number >= least && *number <= most;
                });
}

Schema number_key() {
  return scalar("a number", {{"type", "string"}, {"pattern", "^-?[0-9.]+(e-?[0-9]+)?$"}},
                [](const Yaml& node) { return parse_real(node.text).has_value(); });
}

Schema ratio() {
  return scalar(
      "a percentage or a number such as 0.5% or 0.005",
      {{"type", {"string", "number"}}, {"pattern", "^[0-9.]+ ?%$"}, {"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}},
      [](const Yaml& node) {
        const auto number = parse_ratio(node.text);
        return number && *number > 0 && *number < 1;
      });
}

Schema share() {
  return scalar("a percentage or a number such as 75% or 0.75, at most 100%",
                {{"type", {"string", "number"}}, {"pattern", "^[0-9.]+ ?%$"}, {"exclusiveMinimum", 0}, {"maximum", 1}},
                [](const Yaml& node) {
                  const auto number = parse_ratio(node.text);
                  return number && *number > 0 && *number <= 1;
                });
}

Schema duration() {
  return scalar("a time such as 15s, 2m or 500ms, from 1ms to 168h",
                {{"type", {"string", "number"}}, {"pattern", "^([0-9.]+(ms|s|m|h)?)+$"}, {"exclusiveMinimum", 0}},
                [](const Yaml& node) {
                  constexpr double least_s = 1e-3, most_s = 7 * 24 * 3600;
                  const double seconds = parse_duration(node.text).value_or(0);
                  return seconds >= least_s && seconds <= most_s;
                });
}

Schema bytes(const std::string& smallest) {
  return scalar(fmt::format("a size such as 64KiB, 512MiB or 4GiB, at least {}", smallest),
                {{"type", "string"}, {"pattern", "^[0-9]+ ?(KiB|MiB|GiB|TiB)$"}},
                [least = parse_bytes(smallest).value_or(0)](const Yaml& node) {
                  return parse_bytes(node.text).value_or(-1) >= least;
                });
}

Schema axis_value() {
  return scalar("a number or a word", {{"type", {"number", "string", "boolean"}}, {"pattern", "^[^:]+$"}},
                [](const Yaml& node) { return !node.text.empty() && !is_range(node.text); });
}

Schema axis_value_or_range() {
  Schema schema = axis_value();
  schema.expected = "a number, a word or a range such as 128:2048:*2";
  schema.json["pattern"] = "^([^:]+|-?[0-9]+:-?[0-9]+:[*+][0-9]+)$";
  const auto range_error = [](const Yaml& node) -> std::string {
    const auto range = expand_range(node.text);
    const auto* error = std::get_if<std::string>(&range);
    return error ? *error : "";
  };
  schema.accepts = [range_error](const Yaml& node) {
    return !node.text.empty() && (!is_range(node.text) || range_error(node).empty());
  };
  schema.message = [range_error](const Yaml& node) { return is_range(node.text) ? range_error(node) : ""; };
  return schema;
}

}  // namespace harness::schema
