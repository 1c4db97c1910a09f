// Lambdas in kernels.
#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// What is behind the ] of a lambda, up to the } of its body.
struct Lambda {
  size_t introducer_end, body_end;
};

// a[1], [[nodiscard]] and auto [a, b] = c begin none.
std::optional<Lambda> lambda_at(const Tokens& tokens, size_t i) {
  if (!tokens.is(i, "[") || i == 0 || tokens.is(i + 1, "[")) return std::nullopt;
  const bool is_behind_value = tokens.is_word(i - 1) && !tokens.is(i - 1, "return");
  if (is_behind_value || is_one_of({")", "]", "[", ">"}, tokens[i - 1].text)) return std::nullopt;
  const size_t close = tokens.closing(i);
  size_t body = close + 1;
  while (body < tokens.size() && !is_one_of({"{", ";", ")", "]", "}", "="}, tokens[body].text))
    body = tokens.is(body, "(") ? tokens.closing(body) + 1 : body + 1;
  if (!tokens.is(body, "{")) return std::nullopt;
  return Lambda{close, tokens.closing(body)};
}

bool is_used(const Tokens& tokens, const Lambda& lambda, std::string_view name) {
  bool found = false;
  for (size_t i = lambda.introducer_end + 1; i < lambda.body_end; ++i) {
    if (!tokens.is(i, name) || is_one_of({".", "->", "::"}, tokens[i - 1].text)) continue;
    if (is_declared(tokens, i)) return false;  // the lambda has a variable of its own of this name
    found = true;
  }
  return found;
}

}  // namespace

void capture_shared(const Tokens& tokens, size_t i, const SharedVariables& variables, Changes& changes) {
  const auto lambda = lambda_at(tokens, i);
  if (!lambda || (tokens.is(i + 1, "&") && (tokens.is(i + 2, "]") || tokens.is(i + 2, ",")))) return;
  std::string captures;
  for (const auto& [name, scope_end] : variables.known)
    if (i < scope_end && is_used(tokens, *lambda, name) && !(variables.at_file_scope.contains(name) && declares(tokens, *variables.body, name)))
      captures += (captures.empty() && lambda->introducer_end == i + 1 ? "&" : ", &") + name;
  if (!captures.empty()) changes.replace(lambda->introducer_end, captures + "]");
}

}  // namespace harness
