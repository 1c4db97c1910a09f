#include "harness/kernel/value.h"

#include <fmt/format.h>

namespace harness {

std::string to_string(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<int64_t>(value));
}

const Value* find(const Axes& axes, const std::string& name) {
  for (const auto& [axis, value] : axes)
    if (axis == name) return &value;
  return nullptr;
}

std::string to_string(const Axes& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) {
    if (!text.empty()) text += ' ';
    text += axis + '=' + to_string(value);
  }
  return text;
}

bool is_macro(const std::string& axis) {
  if (axis.empty() || axis[0] < 'A' || axis[0] > 'Z') return false;
  for (const char c : axis)
    if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  return true;
}

}  // namespace harness
