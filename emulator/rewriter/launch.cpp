#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// <<< or >>>. nvcc also takes << < and >> >, which some formatters write.
bool three(const Tokens& tokens, size_t i, std::string_view mark) {
  return tokens.is(i, mark) && tokens.is(i + 1, mark) && tokens.is(i + 2, mark) &&
         tokens[i].end() == tokens[i + 1].begin() && tokens[i + 1].line == tokens[i + 2].line;
}

Result<size_t> closing_of_launch(const Tokens& tokens, size_t open) {
  for (size_t i = open + 3; i < tokens.size(); ++i) {
    if (tokens.opens(i)) {
      i = tokens.closing(i);
      continue;
    }
    if (tokens.is(i, ";") || tokens.closes(i)) break;
    // The last three of more than three: X<A<B>>>>>, X<A<B>> >>>
    if (!three(tokens, i, ">") || tokens.is(i + 3, ">")) continue;
    if (tokens.is(i + 3, "(")) return i;
    return tokens.error(i, "a launch needs the kernel's arguments in \"(...)\" behind \">>>\"");
  }
  return tokens.error(open, "the \"<<<\" of this launch is never closed with \">>>\"");
}

// NULL (__null) as an argument of its own would become an integer, and 0 could no longer be a pointer. Braces have no type of their own.
Result<bool> rewrite_arguments(const Tokens& tokens, size_t paren, size_t last, Changes& changes) {
  bool has_zero = false;
  for (size_t i = paren + 1; i < last; ++i) {
    const bool is_first = i - 1 == paren || tokens.is(i - 1, ",");
    if (tokens.is(i, "{") && is_first)
      return tokens.error(i, "the emulated device needs the type of this argument: write it before the \"{\"");
    // A "<" with a ">" counts as a list of template arguments, so in "a < b, 0, c > d" the 0 stays a number.
    const bool is_list = tokens.is(i, "<") && tokens.closing_angle(i) < last;
    if (is_list || tokens.opens(i)) {
      i = is_list ? tokens.closing_angle(i) : tokens.closing(i);
      continue;
    }
    const bool is_alone = is_first && (i + 1 == last || tokens.is(i + 1, ","));
    if (tokens.is(i, "__null") && is_alone) changes.replace(i, "nullptr");
    if (!tokens.is(i, "0") || !is_alone) continue;
    changes.replace(i, "::lab::emulated::Zero()");
    has_zero = true;
  }
  return has_zero;
}

}  // namespace

std::string quoted(std::string_view kernel) {
  constexpr size_t most_characters = 90;
  std::string text = "\"";
  for (const char c : kernel.substr(0, most_characters)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

// Three in a row are nothing else in C++, except operator<< <T>.
bool is_launch(const Tokens& tokens, size_t i) {
  return three(tokens, i, "<") && !(i > 0 && tokens.is(i - 1, "operator"));
}

Done rewrite_launch(const Tokens& tokens, size_t open, Changes& changes) {
  const size_t start = callee_before(tokens, open);
  if (start == no_token) return tokens.error(open, "a launch needs a kernel before \"<<<\"");
  TRY_ASSIGN(const size_t close, closing_of_launch(tokens, open));
  const size_t paren = close + 3, last = tokens.closing(paren);
  if (last == tokens.size()) return tokens.error(paren, "the \"(\" of this launch is never closed");
  const std::string callee = on_one_line(tokens, start, open);
  changes.replace(start, open + 2,
                  "::lab::emulated::prepare(::lab::emulated::Site{" + quoted(callee) +
                      "}, ::lab::emulated::Configuration(" + newlines(tokens, start, open),
                  start);
  TRY_ASSIGN(const bool has_zero, rewrite_arguments(tokens, paren, last, changes));
  const std::string call = callee + "(lab_args...)";
  // The call reads its arguments itself; these reads are not the kernel's and are not watched.
  changes.replace(close, paren,
                  "), [&](auto lab_name) -> decltype(lab_name.parameters_of(" + callee + ")) { return {}; }, " +
                      "[&](auto... lab_args) __attribute__((no_sanitize(\"thread\"))) " + (has_zero ? "-> decltype(" + call + ") " : "") + "{ " + call +
                      "; })" + newlines(tokens, close + 2, paren) + "(",
                  start);
  return ok();
}

}  // namespace harness
