#include "harness/config/scalars.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "harness/base/text.h"

namespace harness {
namespace {

/// A range with more points is taken for a typing error.
constexpr size_t longest_range = 10'000;

template <class Number>
std::optional<Number> parse_whole_text(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text) { return parse_whole_text<int64_t>(text); }

std::optional<double> parse_real(std::string_view text) {
  const auto number = parse_whole_text<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text = trim(text.substr(0, text.size() - 1));
  const auto number = parse_real(text);
  if (!number) return std::nullopt;
  return percent ? *number / 100 : *number;
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  for (const auto& [unit, shift] : {std::pair{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}) {
    if (text.size() <= 3 || text.substr(text.size() - 3) != unit) continue;
    const auto number = parse_integer(trim(text.substr(0, text.size() - 3)));
    if (!number || *number < 0 || *number > (INT64_MAX >> shift)) return std::nullopt;
    return *number << shift;
  }
  return std::nullopt;
}

Value parse_value(std::string_view text) {
  if (const auto integer = parse_integer(text)) return *integer;
  if (const auto real = parse_real(text)) return *real;
  return std::string(text);
}

bool is_range(std::string_view text) { return text.find(':') != std::string_view::npos; }

std::variant<std::vector<int64_t>, std::string> expand_range(std::string_view text) {
  const auto parts = split(text, ':');
  const auto refuse = [&](std::string_view why) { return fmt::format("range \"{}\" {}", text, why); };
  const char* shape = "is not start:stop:step; write \"128:2048:*2\" or \"8:64:+8\"";
  if (parts.size() != 3) return refuse(shape);
  const auto start = parse_integer(parts[0]), stop = parse_integer(parts[1]);
  const std::string& step_text = parts[2];
  const char operation = step_text.empty() ? ' ' : step_text[0];
  if (!start || !stop || (operation != '*' && operation != '+')) return refuse(shape);
  const auto step = parse_integer(std::string_view(step_text).substr(1));
  if (!step) return refuse(shape);
  if (*start > *stop) return refuse("runs backwards; put the smaller end first");
  if (operation == '+' ? *step < 1 : *step < 2 || *start < 1) return refuse("never reaches its end");

  std::vector<int64_t> values;
  for (int64_t value = *start; value <= *stop;) {
    if (values.size() == longest_range) return refuse(fmt::format("has more than {} values", longest_range));
    values.push_back(value);
    if (operation == '+' ? __builtin_add_overflow(value, *step, &value) : __builtin_mul_overflow(value, *step, &value))
      break;
  }
  return values;
}

std::optional<int64_t> parse_time(const std::string& text) {
  int year, month, day, hour, minute, second = 0, used = 0;
  const char* at = text.c_str();
  if (std::sscanf(at, "%4d-%2d-%2d%*1[T ]%2d:%2d%n", &year, &month, &day, &hour, &minute, &used) != 5)
    return std::nullopt;
  at += used;
  if (*at == ':') {
    used = 0;
    if (std::sscanf(at, ":%2d%n", &second, &used) != 1) return std::nullopt;
    at += used;
  }
  if (*at == ' ') ++at;
  int64_t offset_s = 0;
  if (std::string_view(at) != "Z") {
    char sign[2], hour_text[3], minute_text[3];  // each with the end of the text
    used = 0;
    if (std::sscanf(at, "%1[+-]%2[0-9]:%2[0-9]%n", sign, hour_text, minute_text, &used) != 3 || at[used] != '\0')
      return std::nullopt;
    const int64_t hours = *parse_integer(hour_text), minutes = *parse_integer(minute_text);
    if (hours > 14 || minutes > 59) return std::nullopt;
    offset_s = (sign[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
  std::tm time{};
  time.tm_year = year - 1900;
  time.tm_mon = month - 1;
  time.tm_mday = day;
  time.tm_hour = hour;
  time.tm_min = minute;
  time.tm_sec = second;
  std::tm same = time;
  const int64_t seconds = timegm(&same);
  // timegm() makes the 31st of April the 1st of May.
  if (same.tm_mon != time.tm_mon || same.tm_mday != day || same.tm_hour != hour || same.tm_min != minute)
    return std::nullopt;
  return seconds - offset_s;
}

}  // namespace harness
