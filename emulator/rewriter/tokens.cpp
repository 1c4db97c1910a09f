#include "emulator/rewriter/tokens.h"

namespace harness {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || is_digit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view text, Tokens& tokens)
      : at_(text.data()), end_(text.data() + text.size()), tokens_(tokens) {}

  void run() {
    tokens_.origins.push({"", false});
    bool fresh_line = true;
    while (at_ < end_) {
      if (*at_ == '\n') {
        step();
        fresh_line = true;
      } else if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\f' || *at_ == '\v') {
        ++at_;
      } else if (*at_ == '#' && fresh_line) {
        marker();
      } else if (next("//")) {
        while (at_ < end_ && *at_ != '\n') ++at_;
      } else if (next("/*")) {
        at_ += 2;
        while (at_ < end_ && !next("*/")) step();
        at_ = at_ + 2 < end_ ? at_ + 2 : end_;
      } else {
        fresh_line = false;
        token();
      }
    }
  }

 private:
  bool next(std::string_view s) const {
    return static_cast<size_t>(end_ - at_) >= s.size() && std::memcmp(at_, s.data(), s.size()) == 0;
  }
  void step() {
    if (*at_ == '\n') ++line_;
    ++at_;
  }

  // # 12 "folder/file.cu" 1 3: the next line is line 12. Other directives (#pragma) count for nothing.
  void marker() {
    const char* stop = at_;
    while (stop < end_ && *stop != '\n') ++stop;
    const char* p = at_ + 1;
    while (p < stop && *p == ' ') ++p;
    if (p + 4 < stop && std::memcmp(p, "line", 4) == 0) p += 4;
    while (p < stop && *p == ' ') ++p;
    if (p < stop && is_digit(*p)) {
      int line = 0;
      for (; p < stop && is_digit(*p); ++p) line = line < 100000000 ? 10 * line + (*p - '0') : line;
      line_ = line - 1;  // the newline of the marker itself is still to come
      Origin origin = tokens_.origins.back();
      while (p < stop && *p != '"') ++p;
      if (p < stop) {
        const char* from = ++p;
        while (p < stop && *p != '"') p += *p == '\\' ? 2 : 1;
        p = p < stop ? p : stop;
        origin = {{from, static_cast<size_t>(p - from)}, false};
        for (; p < stop; ++p)
          if (*p == '3' && p[-1] == ' ') origin.system = true;
      }
      tokens_.origins.push(origin);
    }
    at_ = stop;
  }

  void token() {
    Token t;
    t.at = at_;
    t.line = line_;
    t.origin = static_cast<uint32_t>(tokens_.origins.size() - 1);
    if (is_digit(*at_) || (*at_ == '.' && at_ + 1 < end_ && is_digit(at_[1]))) {
      t.kind = TokenKind::number;
      number();
    } else if (is_word(*at_)) {
      while (at_ < end_ && is_word(*at_)) ++at_;
      t.kind = prefixed(std::string_view(t.at, static_cast<size_t>(at_ - t.at)));
    } else if (*at_ == '"' || *at_ == '\'') {
      t.kind = *at_ == '"' ? TokenKind::string : TokenKind::character;
      quoted(*at_);
    } else {
      at_ += next("::") || next("->") ? 2 : 1;
    }
    t.size = static_cast<uint32_t>(at_ - t.at);
    tokens_.all.push(t);
  }

  void number() {
    while (at_ < end_) {
      const bool exponent = *at_ == 'e' || *at_ == 'E' || *at_ == 'p' || *at_ == 'P';
      if (exponent && at_ + 1 < end_ && (at_[1] == '+' || at_[1] == '-'))
        at_ += 2;
      else if (is_word(*at_) || *at_ == '.' || (*at_ == '\'' && at_ + 1 < end_ && is_word(at_[1])))
        ++at_;
      else
        return;
    }
  }

  // A word may turn out to be the prefix of a string: u8R"x(...)x".
  TokenKind prefixed(std::string_view word) {
    if (at_ == end_ || (*at_ != '"' && *at_ != '\'')) return TokenKind::word;
    const bool string = *at_ == '"';
    const bool raw = string && word.back() == 'R';
    const std::string_view encoding(word.data(), word.size() - raw);
    if (!raw && word.empty()) return TokenKind::word;
    if (!encoding.empty() && encoding != "u8" && encoding != "u" && encoding != "U" && encoding != "L")
      return TokenKind::word;
    raw ? raw_string() : quoted(*at_);
    return string ? TokenKind::string : TokenKind::character;
  }

  void quoted(char quote) {
    ++at_;
    while (at_ < end_ && *at_ != quote && *at_ != '\n') at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
    if (at_ < end_ && *at_ == quote) ++at_;
  }

  void raw_string() {
    const char* open = ++at_;
    while (at_ < end_ && *at_ != '(') ++at_;
    const size_t size = static_cast<size_t>(at_ - open);
    for (; at_ < end_; step())
      if (*at_ == ')' && static_cast<size_t>(end_ - at_) > size + 1 &&
          std::memcmp(at_ + 1, open, size) == 0 && at_[1 + size] == '"') {
        at_ += size + 2;
        return;
      }
  }

  const char* at_;
  const char* end_;
  Tokens& tokens_;
  int32_t line_ = 1;
};

}  // namespace

int Tokens::column(const Token& token) const {
  const char* p = token.at;
  while (p > text.data() && p[-1] != '\n') --p;
  return static_cast<int>(token.at - p) + 1;
}

void tokenize(std::string_view text, Tokens& tokens) {
  tokens.text = text;
  Tokenizer(text, tokens).run();
}

}  // namespace harness
