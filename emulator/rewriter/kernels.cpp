// What nvcc refuses about kernels, but g++ does not see: __global__ means nothing to it.
#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

std::string in_quotes(const Program& program, size_t i) { return "\"" + std::string(program.tokens[i].text) + "\""; }

Done check_kernel(const Program& program, const Declaration& kernel) {
  const Tokens& tokens = program.tokens;
  if (kernel.has(tokens, {"friend"})) return ok();
  if (kernel.in_class && !program.is_hip) return tokens.error(kernel.name, "the kernel " + in_quotes(program, kernel.name) + " cannot be a member of a class");
  if (kernel.name > kernel.first &&
      is_one_of({"int", "float", "double", "bool", "char", "short", "long", "unsigned"}, tokens[kernel.name - 1].text))
    return tokens.error(kernel.name - 1, "the kernel " + in_quotes(program, kernel.name) + " must return \"void\"");
  // nvcc accepts references. But a launch copies the value, and the kernel gets an address of the host.
  const size_t close = tokens.closing(kernel.name + 1);
  for (size_t i = kernel.name + 1; i < close && !tokens.is(i, "="); ++i)
    if (tokens.is(i, "&")) return tokens.error(i, "a kernel gets its parameters by value: take out the &");
  return ok();
}

// True for k(x); as a statement.
bool is_called(const Tokens& tokens, size_t i) {
  if (i == 0 || !tokens.is(i + 1, "(")) return false;
  if (!tokens.is(i - 1, ")")) return is_one_of({";", "{", "}", "else"}, tokens[i - 1].text);
  const size_t open = tokens.opening(i - 1);
  return open != no_token && open > 0 && is_one_of({"if", "for", "while"}, tokens[open - 1].text);
}

// auto k = ...; or void (*k)(int): a variable of this name may hold a kernel.
bool is_variable(const Tokens& tokens, std::string_view name) {
  for (size_t i = 1; i < tokens.size(); ++i)
    if (tokens[i].text == name && (tokens.is(i - 1, "auto") || (tokens.is(i - 1, "*") && tokens.is(i + 1, ")")))) return true;
  return false;
}

}  // namespace

Done check_kernels(const Program& program) {
  const Tokens& tokens = program.tokens;
  for (const Declaration& kernel : program.kernels)
    if (program.is_student_word(kernel.name)) TRY(check_kernel(program, kernel));
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string name(tokens[i].text);
    if (program.is_student_word(i) && program.kernel_names.contains(name) && !program.functions.contains(name) && is_called(tokens, i) && !is_variable(tokens, name))
      return tokens.error(i, "\"" + name + "\" is a kernel: launch it with " + name + "<<<blocks, threads>>>(...)");
    if (!is_launch(tokens, i)) continue;
    const size_t start = callee_before(tokens, i);
    i += 2;
    if (!tokens.is_word(start) || !tokens.is(start + 1, "<")) continue;
    const auto launched = program.functions.find(tokens[start].text);
    if (launched == program.functions.end() || program.kernel_names.contains(launched->first) || is_variable(tokens, launched->first)) continue;
    return tokens.error(launched->second, "the kernel " + in_quotes(program, start) + " is launched but is not declared \"__global__\"");
  }
  return ok();
}

}  // namespace harness
