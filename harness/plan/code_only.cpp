#include "harness/plan/source.h"

#include <string_view>

#include "harness/base/text.h"

namespace harness {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

enum class Lines { kept, joined_by_comments };  // a comment may end on a later line, and a directive goes on behind it

/// Walks over C++ text and blanks everything that is not code. Its time is proportional to the length of the text,
/// also for a text that was made to be slow.
class Blanker {
 public:
  Blanker(const std::string& text, Lines lines) : in_(text), out_(text), lines_(lines) {}

  std::string run() {
    while (at_ < in_.size()) {
      if (next_is("//"))
        line_comment();
      else if (next_is("/*"))
        blank_to("*/", lines_);
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

  void blank(Lines lines = Lines::kept) {
    if (in_[at_] != '\n' || lines == Lines::joined_by_comments) out_[at_] = ' ';
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

  void blank_to(const std::string& end, Lines lines = Lines::kept) {
    in_word_ = in_number_ = false;
    const size_t found = in_.find(end, at_ + 2);
    const size_t stop = found == std::string::npos ? in_.size() : found + end.size();
    while (at_ < stop) blank(lines);
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
  Lines lines_;
  size_t at_ = 0;
  bool in_word_ = false, in_number_ = false;
};

}  // namespace

std::string code_only(const std::string& text) { return Blanker(text, Lines::kept).run(); }

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

bool has_line_in(const std::string& text) {
  const std::string code = Blanker(text, Lines::joined_by_comments).run();
  for (std::string_view line : split(code, '\n')) {
    const auto skip = [&](size_t n) { line.remove_prefix(std::min(line.find_first_not_of(blanks, n), line.size())); };
    skip(0);
    if (!starts_with(line, "#") && !starts_with(line, "%:")) continue;
    skip(line[0] == '#' ? 1 : 2);
    if (!line.empty() && line[0] >= '0' && line[0] <= '9') return true;
    if (starts_with(line, "line") && (line.size() == 4 || !is_word(line[4]))) return true;
  }
  return false;
}

}  // namespace

bool has_line_directive(const std::string& text) {
  std::string joined;  // a backslash and blanks at the end of a line continue it, but not inside a raw string
  for (const std::string& line : split(text, '\n')) {
    const size_t last = line.find_last_not_of(blanks);
    const bool goes_on = last != std::string::npos && line[last] == '\\';
    joined += goes_on ? line.substr(0, last) : line + '\n';
  }
  return has_line_in(joined) || has_line_in(text);
}

}  // namespace harness
