// What nvcc refuses about the declaration of a kernel, but g++ does not see: __global__ means nothing to it.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// What the source says about a name that it launches.
struct Launched {
  size_t definition = no_token;  // where the student's files define it as a void function
  bool is_kernel = false;        // it is declared with __global__, or may be: the name is also used in another way
};

// Only void k( and k< do not declare a variable, a parameter or another function of this name, which may be a kernel.
void note(const Tokens& tokens, size_t i, Launched& name) {
  if (i == 0 || tokens.is(i - 1, ".") || tokens.is(i - 1, "->") || tokens.is(i + 1, "<")) return;
  if (!tokens.is(i - 1, "void") || !tokens.is(i + 1, "("))
    name.is_kernel = true;
  else if (tokens.is(tokens.closing(i + 1) + 1, "{"))
    name.definition = i;
}

std::map<std::string_view, Launched> find_launched(const Tokens& tokens) {
  std::map<std::string_view, Launched> all;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_launch(tokens, i)) continue;
    const size_t start = callee_before(tokens, i);
    if (tokens.is_word(start) && tokens.is(start + 1, "<")) all[tokens[start].text];
    i += 2;
  }
  return all;
}

}  // namespace

Done check_kernel(const Tokens& tokens, size_t marker) {
  static constexpr std::string_view types[] = {"int", "float", "double", "bool", "char", "short", "long", "unsigned"};
  size_t paren = marker + 1;
  while (tokens.is_word(paren)) ++paren;
  if (!tokens.is(paren, "(") || paren < marker + 3) return ok();
  const size_t type = paren - 2;
  if (!std::ranges::count(types, tokens[type].text)) return ok();
  return tokens.error(type, "the kernel " + quoted(tokens[type + 1].text) + " must return \"void\"");
}

Done check_launched(const Tokens& tokens, const std::vector<bool>& of_student) {
  std::map<std::string_view, Launched> launched = find_launched(tokens);
  bool behind_global = false;  // until the { or ; of the declaration
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "{") || tokens.is(i, ";")) behind_global = false;
    if (tokens.is(i, "LAB_GLOBAL")) behind_global = true;
    const auto name = launched.find(tokens[i].text);
    if (name == launched.end()) continue;
    if (behind_global) name->second.is_kernel = true;
    if (of_student[tokens[i].origin]) note(tokens, i, name->second);
  }
  for (const auto& [name, about] : launched)
    if (about.definition != no_token && !about.is_kernel)
      return tokens.error(about.definition, "the kernel " + quoted(name) + " is launched but is not declared \"__global__\"");
  return ok();
}

}  // namespace harness
