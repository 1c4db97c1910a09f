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

// The < of the template arguments that end with the > at `i`. A comparison inside them is in parentheses.
size_t opening_angle(const Tokens& tokens, size_t i) {
  int depth = 0;
  for (; i != no_token; --i) {
    if (tokens.closes(i)) {
      i = tokens.opening(i);
      if (i == no_token) break;
      continue;
    }
    if (tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "(")) return no_token;
    if (tokens.is(i, ">")) ++depth;
    if (tokens.is(i, "<") && --depth == 0) break;
  }
  return i;
}

// The first token of the expression whose last one is `i`: names, calls, subscripts, members.
size_t expression_start(const Tokens& tokens, size_t i) {
  if (i == no_token) return no_token;
  if (tokens.is(i, "]")) {
    const size_t open = tokens.opening(i);
    return open == no_token ? no_token : expression_start(tokens, open - 1);
  }
  if (tokens.is(i, ")")) {
    const size_t open = tokens.opening(i);
    // f(1)<<<...: the result of a call. if (x) (*f)<<<...: no call.
    return open != no_token && is_name(tokens, open - 1) ? expression_start(tokens, open - 1) : open;
  }
  if (tokens.is(i, ">")) {
    i = opening_angle(tokens, i);
    if (i == no_token) return no_token;
    --i;
  }
  if (!is_name(tokens, i)) return no_token;
  size_t before = i - 1;
  if (tokens.is(before, "template")) --before;
  if (tokens.is(before, ".") || tokens.is(before, "->")) return expression_start(tokens, before - 1);
  if (!tokens.is(before, "::")) return i;
  // Behind :: is a qualifier, or the global scope.
  const bool is_qualified = is_name(tokens, before - 1) || tokens.is(before - 1, ">");
  const size_t qualifier = is_qualified ? expression_start(tokens, before - 1) : no_token;
  return qualifier == no_token ? before : qualifier;
}

}  // namespace

size_t callee_before(const Tokens& tokens, size_t open) { return expression_start(tokens, open - 1); }

}  // namespace harness
