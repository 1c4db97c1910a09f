#include "harness/plan/source.h"

namespace harness {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Walks over C++ text and blanks what is no code.
class Blanker {
 public:
  explicit Blanker(const std::string& text) : in_(text), out_(text) {}

  std::string run() {
    while (at_ < in_.size()) {
      if (next_is("//"))
        line_comment();
      else if (next_is("/*"))
        blank_to("*/");
      else if (next_is("R\"") && (at_ == 0 || !is_word(in_[at_ - 1]) || raw_prefix()))
        raw_string();
      else if (in_[at_] == '"')
        quoted('"');
      else if (in_[at_] == '\'' && !digit_separator())
        quoted('\'');
      else
        ++at_;
    }
    return out_;
  }

 private:
  bool next_is(const char* token) const { return in_.compare(at_, 2, token) == 0; }

  /// The R of u8R"(...)", LR"(...)"; not that of an identifier that ends in R.
  bool raw_prefix() const {
    size_t start = at_;
    while (start > 0 && is_word(in_[start - 1])) --start;
    const std::string prefix = in_.substr(start, at_ - start);
    return prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L";
  }

  /// 1'000'000: within a token that starts with a digit.
  bool digit_separator() const {
    size_t start = at_;
    while (start > 0 && (is_word(in_[start - 1]) || in_[start - 1] == '\'')) --start;
    return start < at_ && in_[start] >= '0' && in_[start] <= '9';
  }

  void blank() {
    if (in_[at_] != '\n') out_[at_] = ' ';
    ++at_;
  }

  void line_comment() {
    while (at_ < in_.size() && in_[at_] != '\n') {
      const bool continued = in_.compare(at_, 2, "\\\n") == 0;
      blank();
      if (continued) ++at_;
    }
  }

  void blank_to(const std::string& end) {
    const size_t found = in_.find(end, at_ + 2);
    const size_t stop = found == std::string::npos ? in_.size() : found + end.size();
    while (at_ < stop) blank();
  }

  void raw_string() {
    const size_t open = in_.find('(', at_);
    if (open == std::string::npos) {
      at_ = in_.size();
      return;
    }
    blank_to(")" + in_.substr(at_ + 2, open - at_ - 2) + "\"");
  }

  void quoted(char quote) {
    ++at_;
    // An unclosed quote ends with its line, as it does for the compiler.
    while (at_ < in_.size() && in_[at_] != quote && in_[at_] != '\n') {
      if (in_[at_] == '\\' && at_ + 1 < in_.size()) blank();
      blank();
    }
    if (at_ < in_.size()) ++at_;
  }

  const std::string& in_;
  std::string out_;
  size_t at_ = 0;
};

}  // namespace

std::string code_only(const std::string& text) { return Blanker(text).run(); }

}  // namespace harness
