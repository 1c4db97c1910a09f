// The expression that names the kernel of a launch, read from right to left.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

bool is_name(const Tokens& tokens, size_t i) {
  static constexpr std::string_view keywords[] = {
      "return", "if",     "else", "while",  "for",  "switch",   "do",       "case",    "throw",
      "sizeof", "new",    "goto", "delete", "template", "typename", "operator", "co_return"};
  return tokens.is_word(i) && std::find(std::begin(keywords), std::end(keywords), tokens[i].text) == std::end(keywords);
}

}  // namespace

size_t callee_before(const Tokens& tokens, size_t open) {
  size_t scope = no_token;  // the last :: so far, that of the global scope if no qualifier is before it
  for (size_t i = open - 1;;) {
    if (tokens.is(i, "]") || tokens.is(i, ")")) {
      const size_t partner = tokens.opening(i);
      // f(1)<<<...: the result of a call. if (x) (*f)<<<...: no call.
      if (tokens.is(i, ")") && partner != no_token && !is_name(tokens, partner - 1)) return partner;
      i = partner - 1;
      continue;
    }
    if (tokens.is(i, ">")) i = tokens.opening(i) - 1;
    if (!is_name(tokens, i)) return scope;
    size_t before = i - 1;
    if (tokens.is(before, "template")) --before;
    if (tokens.is(before, "::")) {
      // Behind :: is a qualifier, or the global scope.
      if (!is_name(tokens, before - 1) && !tokens.is(before - 1, ">")) return before;
      scope = before;
    } else if (!tokens.is(before, ".") && !tokens.is(before, "->")) {
      return i;
    }
    i = before - 1;
  }
}

}  // namespace harness
