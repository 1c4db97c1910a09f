// The kernel's name in a launch, read from right to left.
#include "emulator/rewriter/edits.h"

namespace harness {
namespace {

constexpr size_t none = ~size_t{0};

bool is_keyword(const Token& t) {
  for (const char* word :
       {"return", "if", "else", "while", "for", "switch", "do", "case", "throw", "co_return", "sizeof", "new",
        "delete", "goto", "template", "typename", "operator"})
    if (t.is(word)) return true;
  return false;
}

bool is_name(const Token& t) { return t.kind == TokenKind::word && !is_keyword(t); }

// The partner of the closing bracket at `i`.
size_t opening(const List<Token>& all, size_t i) {
  int depth = 0;
  for (;; --i) {
    const Token& t = all[i];
    if (t.kind == TokenKind::mark) {
      if (t.is(")") || t.is("]") || t.is("}")) ++depth;
      if ((t.is("(") || t.is("[") || t.is("{")) && --depth == 0) return i;
    }
    if (i == 0) return none;
  }
}

// The < of the template arguments that end with the > at `i`. What is compared inside them stands in
// parentheses.
size_t opening_angle(const List<Token>& all, size_t i) {
  int depth = 0;
  for (;; --i) {
    const Token& t = all[i];
    if (t.is(")") || t.is("]") || t.is("}")) {
      i = opening(all, i);
      if (i == none || i == 0) return none;
      continue;
    }
    if (t.is(";") || t.is("{") || t.is("(")) return none;
    if (t.is(">")) ++depth;
    if (t.is("<") && --depth == 0) return i;
    if (i == 0) return none;
  }
}

// The first token of the expression whose last one is `i`: names, calls, subscripts, members.
size_t expression_start(const List<Token>& all, size_t i) {
  size_t start = none;
  if (all[i].is(">")) {
    i = opening_angle(all, i);
    if (i == none || i == 0 || !is_name(all[i - 1])) return none;
    --i;
  }
  if (is_name(all[i])) {
    start = i;
  } else if (all[i].is(")")) {
    start = opening(all, i);
    // A call's result; but `if (x) (*f)<<<...` is none.
    if (start != none && start > 0 && is_name(all[start - 1])) return expression_start(all, start - 1);
    return start;
  } else if (all[i].is("]")) {
    const size_t open = opening(all, i);
    return open == none || open == 0 ? none : expression_start(all, open - 1);
  }
  if (start == none || start == 0) return start;
  size_t before = start - 1;
  if (all[before].is("template") && before > 0) --before;
  if (all[before].is(".") || all[before].is("->"))
    return before == 0 ? none : expression_start(all, before - 1);
  if (!all[before].is("::")) return start;
  // A qualifier, or the global scope.
  if (before == 0) return before;
  const size_t qualifier =
      is_name(all[before - 1]) || all[before - 1].is(">") ? expression_start(all, before - 1) : none;
  return qualifier == none ? before : qualifier;
}

}  // namespace

size_t callee_before(const Tokens& tokens, size_t open) {
  if (open == 0) return open;
  const size_t start = expression_start(tokens.all, open - 1);
  return start == none ? open : start;
}

size_t closing(const Tokens& tokens, size_t i) {
  int depth = 0;
  for (; i < tokens.all.size(); ++i) {
    const Token& t = tokens.all[i];
    if (t.kind != TokenKind::mark) continue;
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if ((t.is(")") || t.is("]") || t.is("}")) && --depth == 0) return i;
  }
  return i;
}

}  // namespace harness
