// The tokens of preprocessed C++: just enough of them to find kernel launches. Text inside strings and
// comments is no token, line markers (# 12 "file.cu" 2) say where the tokens come from.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/rewriter/buffer.h"

namespace harness {

enum class TokenKind : uint8_t { word, number, string, character, mark };

struct Token {
  const char* at = nullptr;
  uint32_t size = 0;
  int32_t line = 0;     // in the file it was written in
  uint32_t origin = 0;  // index into Tokens::origins
  TokenKind kind = TokenKind::mark;

  std::string_view text() const { return {at, size}; }
  const char* end() const { return at + size; }
  /// Marks are single characters, but for :: and ->.
  bool is(std::string_view s) const { return text() == s; }
};

/// What a line marker says.
struct Origin {
  std::string_view file;
  bool system = false;
};

struct Tokens {
  std::string_view text;  // all of it; tokens point into it
  List<Token> all;
  List<Origin> origins;

  int column(const Token& token) const;
  const Origin& origin(const Token& token) const { return origins[token.origin]; }
};

void tokenize(std::string_view text, Tokens& tokens);

}  // namespace harness
