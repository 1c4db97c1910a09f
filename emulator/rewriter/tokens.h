// The tokens of preprocessed C++, as far as kernel launches and declarations need them. Strings are one token each; comments and
// line markers (# 12 "file.cu" 2) are none, but a marker tells the file and line of the tokens after it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/base/result.h"

namespace harness {

enum class TokenKind { word, number, string, character, mark };

inline constexpr size_t no_token = ~size_t{0};

struct Token {
  std::string_view text;  // a mark is one character, except :: and ->
  int line = 0;           // in the file where it was written
  size_t origin = 0;      // index into Tokens::origins
  TokenKind kind = TokenKind::mark;
  /// The other bracket of its pair; for < and > the same. A < without a > has the token that ends its statement or group.
  size_t partner = no_token;

  const char* begin() const { return text.data(); }
  const char* end() const { return text.data() + text.size(); }
};

/// Where the lines after a line marker of the preprocessor come from.
struct Origin {
  std::string_view file;
  bool is_system = false;  // true also behind #pragma GCC system_header; false where a macro of another file is used
};

struct Tokens {
  std::string_view text;  // the whole text; the tokens point into it
  std::vector<Token> all;
  std::vector<Token> pragmas;  // each is one line, from its #
  std::vector<Token> renames;  // so are these: the text says that what follows is from a file which no #include has read
  std::vector<Token> others;   // and these: neither pragmas nor markers
  std::vector<Origin> origins;

  size_t size() const { return all.size(); }
  const Token& operator[](size_t i) const { return all[i]; }
  /// False behind the last token.
  bool is(size_t i, std::string_view word) const { return i < all.size() && all[i].text == word; }
  bool is_word(size_t i) const { return i < all.size() && all[i].kind == TokenKind::word; }
  bool opens(size_t i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }
  bool closes(size_t i) const { return is(i, ")") || is(i, "]") || is(i, "}"); }

  /// The partner of the opening bracket at `i`, or of the first one behind it, or size().
  size_t closing(size_t i) const;
  /// The > of the template arguments that begin with the < at `i`.
  size_t closing_angle(size_t i) const { return std::min(all[i].partner, size()); }
  /// The partner of the closing bracket or > at `i`, or no_token.
  size_t opening(size_t i) const { return all[i].partner; }
  /// "file:line:column: error: what", as a compiler would say it.
  Error error(const Token& token, std::string_view what) const;
  Error error(size_t i, std::string_view what) const { return error(all[i], what); }
};

Tokens tokenize(std::string_view text);

}  // namespace harness
