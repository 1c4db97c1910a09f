// JSON as the harness writes it: no NaN, no broken UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace harness {

/// On one line. Numbers read back to the same bits. Bytes that are not UTF-8 (a student's output) become U+FFFD.
std::string to_text(const nlohmann::ordered_json& json);
/// On several lines where one of 120 columns is too short.
std::string to_page(const nlohmann::ordered_json& json, size_t indent = 0);
/// Nothing if it is not JSON.
std::optional<nlohmann::ordered_json> json_from_text(const std::string& text);
/// ":LINE:COLUMN" of the first character at which a text is not JSON. Empty if it is JSON, or a number is too large.
std::string json_error_position(const std::string& text);

/// Removes members that are NaN, infinite or null; in an array, where the position matters, they become null.
void drop_unmeasured(nlohmann::json& json);

}  // namespace harness
