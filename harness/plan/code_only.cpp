#include "harness/plan/source.h"

#include <string_view>

namespace harness {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Walks over C++ text and blanks everything that is not code. Its time is proportional to the length of the text,
/// also for a text that was made to be slow.
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
      else if (in_[at_] == '\'' && !in_number_)
        quoted('\'');
      else
        code();
    }
    return out_;
  }

 private:
  bool next_is(const char* token) const { return in_.compare(at_, 2, token) == 0; }

  /// The R of u8R"(...)", LR"(...)"; not that of an identifier that ends in R.
  bool raw_prefix() const {
    for (const std::string_view prefix : {"u8", "u", "U", "L"}) {
      if (at_ < prefix.size() || in_.compare(at_ - prefix.size(), prefix.size(), prefix) != 0) continue;
      if (at_ == prefix.size() || !is_word(in_[at_ - prefix.size() - 1])) return true;
    }
    return false;
  }

  /// A token that starts with a digit may hold quotes: 1'000'000.
  void code() {
    const char c = in_[at_++];
    if (!is_word(c) && c != '\'')
      in_word_ = in_number_ = false;
    else if (!in_word_) {
      in_word_ = true;
      in_number_ = c >= '0' && c <= '9';
    }
  }

  void blank() {
    if (in_[at_] != '\n') out_[at_] = ' ';
    ++at_;
  }

  void line_comment() {
    in_word_ = in_number_ = false;
    while (at_ < in_.size() && in_[at_] != '\n') {
      const bool continued = in_.compare(at_, 2, "\\\n") == 0;
      blank();
      if (continued) ++at_;
    }
  }

  void blank_to(const std::string& end) {
    in_word_ = in_number_ = false;
    const size_t found = in_.find(end, at_ + 2);
    const size_t stop = found == std::string::npos ? in_.size() : found + end.size();
    while (at_ < stop) blank();
  }

  void raw_string() {
    constexpr size_t longest = 16;  // delimiter, [lex.string]
    const std::string_view ahead = std::string_view(in_).substr(at_ + 2, longest + 1);
    const size_t open = ahead.find('(');
    if (open == std::string_view::npos) return code();  // what follows is a plain string
    blank_to(")" + std::string(ahead.substr(0, open)) + "\"");
  }

  void quoted(char quote) {
    in_word_ = in_number_ = false;
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
  bool in_word_ = false, in_number_ = false;
};

}  // namespace

std::string code_only(const std::string& text) { return Blanker(text).run(); }

}  // namespace harness
