// What nvcc refuses about kernels, but g++ does not see: __global__ means nothing to it.
#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

std::string in_quotes(const Program& program, size_t i) { return "\"" + std::string(program.tokens[i].text) + "\""; }

Done check_kernel(const Program& program, const Declaration& kernel) {
  const Tokens& tokens = program.tokens;
  if (kernel.has(tokens, {"friend"})) return ok();
  if (kernel.in_class && program.constants == Constants::of_the_host) return tokens.error(kernel.name, "the kernel " + in_quotes(program, kernel.name) + " cannot be a member of a class");
  for (const auto& [qualifier, shown] : {std::pair("LAB_DEVICE", "__device__"), std::pair("LAB_HOST", "__host__")})
    if (kernel.has(tokens, {qualifier}))
      return tokens.error(kernel.name, "the kernel " + in_quotes(program, kernel.name) + " cannot be " + shown + " as well: take " + shown + " out");
  const size_t close = tokens.closing(kernel.name + 1);
  const bool is_deduced = tokens.is(kernel.name - 1, "auto") && !tokens.is(close + 1, "->");
  if (kernel.name > kernel.first &&
      (is_deduced || is_one_of({"int", "float", "double", "bool", "char", "short", "long", "unsigned"}, tokens[kernel.name - 1].text)))
    return tokens.error(kernel.name - 1, "the kernel " + in_quotes(program, kernel.name) + " must return \"void\"");
  // nvcc accepts references. But a launch copies the value, and the kernel gets an address of the host.
  bool in_value = false;
  int angles = 0;
  for (size_t i = kernel.name + 2; i < close; ++i) {
    if (tokens.opens(i)) i = tokens.closing(i);
    angles += tokens.is(i, "<") - tokens.is(i, ">");
    if (angles != 0) continue;
    if (tokens.is(i, ",") || tokens.is(i, "=")) in_value = tokens.is(i, "=");
    if (tokens.is(i, "initializer_list"))
      return tokens.error(i, "a kernel cannot have a parameter of type std::initializer_list: use a struct with an array");
    if (tokens.is(i, ".") && i + 3 == close && (tokens.is(i - 1, ",") || tokens.is(i - 1, "(")))
      return tokens.error(i, "a kernel cannot take any number of parameters (...): name each");
    if (tokens.is(i, "&") && !in_value) return tokens.error(i, "a kernel gets its parameters by value: take out the &");
  }
  return ok();
}

// True for k(x); as a statement.
bool is_call_statement(const Tokens& tokens, size_t i) {
  if (i == 0 || !tokens.is(i + 1, "(")) return false;
  if (!tokens.is(i - 1, ")")) return is_one_of({";", "{", "}", "else"}, tokens[i - 1].text);
  const size_t open = tokens.opening(i - 1);
  return open != no_token && open > 0 && is_one_of({"if", "for", "while"}, tokens[open - 1].text);
}

// A method, or a variable or parameter of the function around the use at `at`, has the same name.
bool has_another_meaning(const Program& program, std::string_view name, size_t at) {
  const Tokens& tokens = program.tokens;
  const Declaration around = program.host_function_at(at).value_or(Declaration{});
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name || program.is_known(i) || !is_declared(tokens, i)) continue;
    const bool is_method = program.is_student_word(i) && program.is_in_class(i) && tokens.is(i + 1, "(");
    if (is_method || (i >= around.first && i < around.end)) return true;
  }
  return false;
}

}  // namespace

Done check_kernels(const Program& program) {
  const Tokens& tokens = program.tokens;
  for (const Declaration& kernel : program.kernels)
    if (program.is_student_word(kernel.name)) TRY(check_kernel(program, kernel));
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string name(tokens[i].text);
    if (program.is_student_word(i) && program.kernel_names.contains(name) && !program.functions.contains(name) && is_call_statement(tokens, i) && !has_another_meaning(program, name, i))
      return tokens.error(i, "\"" + name + "\" is a kernel: launch it with " + name + "<<<blocks, threads>>>(...)");
    if (!is_launch(tokens, i)) continue;
    const size_t start = callee_before(tokens, i);
    i += 2;
    if (!tokens.is_word(start) || !tokens.is(start + 1, "<")) continue;
    const auto launched = program.functions.find(tokens[start].text);
    if (launched == program.functions.end() || program.kernel_names.contains(launched->first) || has_another_meaning(program, launched->first, start)) continue;
    return tokens.error(launched->second, "the kernel " + in_quotes(program, start) + " is launched but is not declared \"__global__\"");
  }
  return ok();
}

}  // namespace harness
