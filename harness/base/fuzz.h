// What fuzz targets share. A target is a file NAME_fuzz.cpp beside the code that it feeds; CONTRIBUTING.md says how to run it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "harness/base/result.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace harness::fuzz {

/// Ends the program if something is not true that must be true for every input.
inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// A message must not be empty, must be one line, and must have no control characters.
inline void must_be_message(const std::string& text) {
  must(!text.empty(), "an error says something");
  for (const unsigned char c : text) must(c >= 0x20 || c == '\n' || c == '\t', "a message moves no terminal");
}
inline void must_be_message(const Error& error) { must_be_message(error.message); }

/// Gives out an input piece by piece, then zeros.
class Pieces {
 public:
  Pieces(const uint8_t* data, size_t size) : left_(reinterpret_cast<const char*>(data), size) {}
  bool empty() const { return left_.empty(); }
  template <class T>
  T number() {
    T value{};
    const std::string_view bytes = text(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view text(size_t size) {
    const std::string_view piece = left_.substr(0, size);
    left_.remove_prefix(piece.size());
    return piece;
  }
  std::string_view rest() { return text(left_.size()); }

 private:
  std::string_view left_;
};

}  // namespace harness::fuzz
