// Reads the small text files of the Linux kernel (/proc, /sys). A file that cannot be read gives an empty text, which
// is common in containers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/files.h"

namespace harness {

/// Without blanks at its ends.
std::string kernel_text(const fs::path& path);

/// The number at the start of a file or text.
std::optional<int64_t> kernel_number(const fs::path& path);
std::optional<int64_t> leading_number(std::string_view text);

/// The rest of the first line that starts with `key`: "key: v", "key=v", "key v"; empty if there is
/// none.
std::string line_value(std::string_view text, std::string_view key);

/// "48K", "32768K", "1M" in bytes; 0 if it is none of these.
int64_t parse_kernel_size(std::string_view text);

}  // namespace harness
