#include "emulator/rewriter/tokens.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace harness {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || is_digit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text), tokens_{text, {}, {}, {}, {}, {Origin{}}} {}

  Tokens run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_space(c)) {
        skip_to(at_ + 1);
      } else if (c == '#' && (at_ == 0 || text_[at_ - 1] == '\n')) {  // elsewhere it came from a macro
        directive();
      } else if (next_is("//")) {
        skip_to(text_.find('\n', at_));
      } else if (next_is("/*")) {
        skip_behind("*/", at_ + 2);
      } else {
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  bool next_is(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_to(size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + at_, text_.begin() + end, '\n'));
    at_ = end;
  }
  void skip_behind(std::string_view what, size_t from) {
    const size_t found = text_.find(what, from);
    skip_to(found == std::string_view::npos ? found : found + what.size());
  }

  // # 12 "folder/file.cu" 1 3: the next line is line 12 of that file; 1 enters it, 2 goes back to it, 3 is a system header. Without
  // 1 or 2 another name comes from #line. #pragma changes nothing.
  void directive() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view all = text_.substr(at_, end - at_);
    std::string_view rest = all.substr(1);
    at_ = end;
    const Token whole{all, line_, tokens_.origins.size() - 1};
    if (rest.starts_with("pragma ")) return tokens_.pragmas.push_back(whole);
    const auto trim = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size())); };
    trim();
    if (rest.starts_with("line")) rest.remove_prefix(4);
    trim();
    int line = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), line).ec != std::errc()) return tokens_.others.push_back(whole);
    const size_t open = rest.find('"');
    size_t close = open == std::string_view::npos ? rest.size() : open + 1;
    while (close < rest.size() && rest[close] != '"') close += rest[close] == '\\' ? 2 : 1;
    close = std::min(close, rest.size());
    const auto has_flag = [&](const char* flag) { return rest.find(flag, close) != std::string_view::npos; };
    if (open != std::string_view::npos) {
      std::vector<Origin>& origins = tokens_.origins;
      const std::string_view file = rest.substr(open + 1, close - open - 1);
      const bool is_known = origins.size() == 1 || file == origins[1].file || file == origins.back().file;
      if (!is_known && !file.starts_with('<') && !has_flag(" 1") && !has_flag(" 2"))
        tokens_.renames.push_back(whole);
      origins.push_back({file, has_flag(" 3")});
    }
    line_ = line - 1;  // the newline of the marker is still to come
  }

  void token() {
    Token t;
    t.line = line_;
    t.origin = tokens_.origins.size() - 1;
    const size_t begin = at_;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      t.kind = TokenKind::number;
      number();
    } else if (is_word_character(peek())) {
      while (at_ < text_.size() && is_word_character(peek())) ++at_;
      t.kind = string_behind(text_.substr(begin, at_ - begin));
    } else if (peek() == '"' || peek() == '\'') {
      t.kind = peek() == '"' ? TokenKind::string : TokenKind::character;
      quoted();
    } else {
      at_ += next_is("::") || next_is("->") ? 2 : 1;
    }
    t.text = text_.substr(begin, at_ - begin);
    tokens_.all.push_back(t);
  }

  void number() {
    for (;;) {
      const bool exponent = std::string_view("eEpP").find(peek()) != std::string_view::npos;
      if (exponent && (peek(1) == '+' || peek(1) == '-'))
        at_ += 2;
      else if (is_word_character(peek()) || peek() == '.' || (peek() == '\'' && is_word_character(peek(1))))
        ++at_;
      else
        return;
    }
  }

  // A word directly before a quote may be the prefix of a string: u8R"x(...)x".
  TokenKind string_behind(std::string_view word) {
    if (peek() != '"' && peek() != '\'') return TokenKind::word;
    const bool is_string = peek() == '"', is_raw = is_string && word.ends_with('R');
    const std::string_view encoding = word.substr(0, word.size() - is_raw);
    if (!encoding.empty() && encoding != "u8" && encoding != "u" && encoding != "U" && encoding != "L")
      return TokenKind::word;
    is_raw ? raw_string() : quoted();
    return is_string ? TokenKind::string : TokenKind::character;
  }

  void quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    at_ = std::min(peek() == quote ? at_ + 1 : at_, text_.size());
  }

  void raw_string() {
    const size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    skip_behind(close, open);
  }

  std::string_view text_;
  Tokens tokens_;
  size_t at_ = 0;
  int line_ = 1;
};

// A macro can make a line longer. Then the column is that of the word in the file, if it is there once.
size_t column_in_file(const std::string& file, int line, std::string_view word, size_t column) {
  std::ifstream in(file);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(in, text)) return column;
  if (text.compare(std::min(column - 1, text.size()), word.size(), word) == 0) return column;
  const size_t first = text.find(word);
  return first != std::string::npos && first == text.rfind(word) ? first + 1 : column;
}

// Once for all, because a scan at each use takes minutes for deep nesting. A bracket may close one of another kind.
void find_partners(Tokens& tokens) {
  std::vector<size_t> open;
  const auto is_in_angle = [&] { return !open.empty() && tokens.is(open.back(), "<"); };
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.opens(i) || tokens.is(i, "<")) open.push_back(i);
    const bool closes = tokens.closes(i);
    for (; (closes || tokens.is(i, ";")) && is_in_angle(); open.pop_back()) tokens.all[open.back()].partner = i;
    if (open.empty() || !(closes || (tokens.is(i, ">") && is_in_angle()))) continue;
    tokens.all[i].partner = open.back();
    tokens.all[open.back()].partner = i;
    open.pop_back();
  }
}

}  // namespace

size_t Tokens::closing(size_t i) const {
  while (i < size() && !opens(i)) ++i;
  return i < size() ? std::min(all[i].partner, size()) : size();
}

Error Tokens::error(const Token& token, std::string_view what) const {
  const size_t offset = static_cast<size_t>(token.begin() - text.data());
  const size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const size_t column = newline == std::string_view::npos ? offset + 1 : offset - newline;
  const std::string file(origins[token.origin].file);
  return Error{file + ":" + std::to_string(token.line) + ":" + std::to_string(column_in_file(file, token.line, token.text, column)) +
               ": error: " + std::string(what)};
}

Tokens tokenize(std::string_view text) {
  Tokens tokens = Tokenizer(text).run();
  find_partners(tokens);
  return tokens;
}

}  // namespace harness
