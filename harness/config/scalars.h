// How single values are spelled in a config and on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/kernel/value.h"

namespace harness {

/// A decimal whole number that fits into 64 bits.
std::optional<int64_t> parse_integer(std::string_view text);
/// A finite decimal number: "3", "0.5", "1e-3".
std::optional<double> parse_real(std::string_view text);
/// "0.5%" and "0.005" are 0.005.
std::optional<double> parse_ratio(std::string_view text);
/// "4GiB", "512MiB", "64KiB", in bytes.
std::optional<int64_t> parse_bytes(std::string_view text);
/// A whole number, else a real number, else the text itself.
Value parse_value(std::string_view text);

/// True for a text with a colon, which must be a range.
bool is_range(std::string_view text);
/// "128:2048:*2" and "8:64:+8", both ends included. Otherwise the error: `range "8:64:8" is not start:stop:step; ...`.
std::variant<std::vector<int64_t>, std::string> expand_range(std::string_view text);

/// Seconds since 1970 of "2026-11-20T23:59+01:00" or "2026-11-20T22:59:00Z". Without a time zone it is no time.
std::optional<int64_t> parse_time(const std::string& text);

}  // namespace harness
