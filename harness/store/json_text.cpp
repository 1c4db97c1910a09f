#include "harness/store/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace harness {
namespace {

bool unmeasured(const nlohmann::json& json) {
  return json.is_null() || (json.is_number_float() && !std::isfinite(json.get<double>()));
}

}  // namespace

std::string to_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string to_page(const nlohmann::ordered_json& json, size_t indent) {
  const std::string line = to_text(json);
  if (!json.is_structured() || indent + line.size() <= 100) return line;
  const std::string begin(indent + 2, ' ');
  std::string text;
  for (const auto& [name, item] : json.items()) {
    text += (text.empty() ? "" : ",") + ("\n" + begin);
    if (json.is_object()) text += to_text(name) + ": ";
    text += to_page(item, indent + 2);
  }
  const std::string end = "\n" + std::string(indent, ' ');
  return json.is_object() ? "{" + text + end + "}" : "[" + text + end + "]";
}

std::optional<nlohmann::ordered_json> json_from_text(const std::string& text) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string json_error_position(const std::string& text) {
  try {
    [[maybe_unused]] const auto json = nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::ordered_json::parse_error& error) {
    const std::string_view before = std::string_view(text).substr(0, error.byte > 0 ? error.byte - 1 : 0);
    return fmt::format(":{}:{}", 1 + std::ranges::count(before, '\n'), before.size() - before.rfind('\n'));  // npos is -1
  } catch (const nlohmann::ordered_json::exception&) {  // it has no position
  }
  return "";
}

void drop_unmeasured(nlohmann::json& json) {
  if (json.is_object()) {
    for (auto member = json.begin(); member != json.end();)
      if (unmeasured(*member))
        member = json.erase(member);
      else
        drop_unmeasured(*member++);
  } else if (json.is_array()) {
    for (nlohmann::json& item : json)
      if (unmeasured(item))
        item = nullptr;
      else
        drop_unmeasured(item);
  }
}

}  // namespace harness
