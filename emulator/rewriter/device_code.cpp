// What nvcc refuses in kernels and functions with __device__, but g++ does not see: functions and variables of the host, exceptions.
// Accepts what is not clear.
#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

bool is_expression_keyword(std::string_view word) {
  return is_one_of({"return", "else", "do", "case", "goto", "sizeof", "throw", "new", "delete", "co_return"}, word);
}

// T* name, T<int> name, T* a = 1, *name: from the begin of the statement or the last comma, there is no = before it.
bool ends_declarator(const Tokens& tokens, size_t i) {
  size_t begin = i;
  bool after_comma = false, after_equals = false;
  while (begin > 0 && !tokens.is(begin - 1, ";") && !tokens.is(begin - 1, ":") && !tokens.opens(begin - 1) && !tokens.is(begin - 1, "}")) {
    --begin;
    if (tokens.closes(begin)) begin = tokens.opening(begin);
    if (begin == no_token) return true;
    if (tokens.is(begin, ",")) after_comma = true;
    if (tokens.is(begin, "=") && !after_comma) after_equals = true;
  }
  if (begin == i || after_equals || !is_one_of({"*", "&", ">", ","}, tokens[i - 1].text)) return false;
  if (!tokens.is_word(begin) || is_expression_keyword(tokens[begin].text)) return tokens.is(begin, "::") || tokens.is(begin, "[");
  return tokens.is_word(begin + 1) || is_one_of({"*", "&", "<", "::", "("}, tokens[begin + 1].text);
}

// auto [a, name] = ..., enum { a, name }
bool is_in_list_of_names(const Tokens& tokens, size_t i) {
  size_t open = i - 1;
  while (open != no_token && open > 0 && (tokens.is_word(open) || tokens[open].kind == TokenKind::number || tokens.is(open, ",") || tokens.is(open, "="))) --open;
  if (open == no_token || open == 0) return false;
  size_t before = open - 1;
  if (tokens.is(open, "[")) {
    while (before > 0 && tokens.is(before, "&")) --before;
    return tokens.is(before, "auto");
  }
  for (int words = 0; tokens.is(open, "{") && words < 5 && before != no_token; ++words, --before)
    if (tokens.is(before, "enum")) return true;
  return false;
}

// Whether the name at `i` may be declared there. Rather once too often: then the name is not clear.
bool is_declared(const Tokens& tokens, size_t i) {
  if (i == 0) return false;
  if (tokens.is_word(i - 1)) return !is_expression_keyword(tokens[i - 1].text);
  if ((tokens.is(i - 1, "[") || tokens.is(i - 1, ",")) && tokens.is(i + 1, "=")) return true;  // [name = a]
  if ((tokens.is(i - 1, "&") || tokens.is(i - 1, "*")) && tokens.is(i - 2, "(") && tokens.is(i + 1, ")")) return true;  // int (&name)[4]
  return is_in_list_of_names(tokens, i) || ends_declarator(tokens, i);
}

// True if the function declares the name itself, as a parameter or in its body, or if the name may be something of another namespace or,
// in a member of a class, a member or a parameter of the template.
bool may_mean_another(const Program& program, const Declaration& function, std::string_view name) {
  const Tokens& tokens = program.tokens;
  const auto is_visible = [&](size_t i) {
    return !program.is_in_host_function(i) && program.is_student_word(i) && (function.in_class || !program.is_in_class(i));
  };
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name || program.is_known(i)) continue;
    const bool is_inside = i >= function.first && i < function.end;
    if (is_inside ? i < function.body || is_declared(tokens, i) : is_visible(i) && is_declared(tokens, i)) return true;
  }
  return false;
}

// sizes[1] in float a[sizes[1]], f<sizes[1]>() and constexpr int n = sizes[1].
bool is_for_compiler(const Tokens& tokens, size_t i) {
  if (tokens.is(i - 1, "[") || tokens.is(i - 1, "<")) return true;
  for (; i > 0 && !tokens.is(i, ";") && !tokens.is(i, "{") && !tokens.is(i, "}"); --i)
    if (tokens.is(i, "constexpr") || tokens.is(i, "static_assert")) return true;
  return false;
}

bool is_called(const Tokens& tokens, size_t i) {
  return tokens.is(i + 1, "(") || tokens.is(i + 1, "<");
}

Done check_std(const Tokens& tokens, size_t i) {
  static const std::map<std::string_view, std::string_view> instead = {
      {"min", "min"},          {"max", "max"},     {"clamp", "min and max"}, {"swap", "a third variable"},
      {"vector", "an array"},  {"array", "an array"}, {"pair", "a struct"},  {"cout", "printf"},
      {"cerr", "printf"},      {"sort", "a loop"}, {"fill", "a loop"},       {"copy", "a loop"},
      {"accumulate", "a loop"}, {"chrono", "clock64"}, {"string", "an array of char"}};
  const auto found = instead.find(tokens[i].text);
  if (found == instead.end()) return ok();
  return tokens.error(i, "kernels cannot use std::" + std::string(found->first) + ": use " + std::string(found->second));
}

Done check_word(const Program& program, const Declaration& function, size_t i) {
  const Tokens& tokens = program.tokens;
  const std::string_view word = tokens[i].text;
  const std::string name = "\"" + std::string(word) + "\"";
  if (is_one_of({"throw", "try", "typeid", "dynamic_cast"}, word)) return tokens.error(i, "kernels cannot use " + name + ": take it out");
  if (tokens.is(i - 1, "::")) return tokens.is(i - 2, "std") && !tokens.is(i - 4, "cuda") && !program.is_hip ? check_std(tokens, i) : ok();
  if (program.device_names.contains(word)) return ok();
  if (tokens.is(i - 1, "(") && (tokens.is(i - 2, "decltype") || tokens.is(i - 2, "sizeof"))) return ok();
  const std::string call = "kernels cannot call the host function " + name, define = ": write __device__ before its definition";
  if (tokens.is(i - 1, ".") || tokens.is(i - 1, "->"))
    return is_called(tokens, i) && program.methods.contains(word) && !program.methods_of_others.contains(word) ? Done(tokens.error(i, call + define)) : ok();
  const auto variable = program.variables.find(word);
  const bool is_variable = variable != program.variables.end(), is_function = program.functions.contains(word),
             is_of_libc = is_one_of({"rand", "srand", "time", "exit", "strlen", "sprintf", "puts"}, word);
  if (!(is_variable || is_function || is_of_libc) || may_mean_another(program, function, word)) return ok();
  if (!is_variable) return is_called(tokens, i) ? Done(tokens.error(i, is_function ? call + define : call)) : ok();
  if (!tokens.is(variable->second + 1, "["))
    return tokens.error(i, "kernels cannot read the host variable " + name + ": give it to the kernel as a parameter");
  if (!tokens.is(i + 1, "[") || is_for_compiler(tokens, i)) return ok();
  return tokens.error(i, "kernels cannot read the host array " + name + ": declare it with __constant__ or __device__");
}

}  // namespace

Done check_device_code(const Program& program) {
  for (const Declaration& function : program.device_code)
    for (size_t i = function.body; i < function.end; ++i)
      if (program.is_student_word(i)) TRY(check_word(program, function, i));
  return ok();
}

}  // namespace harness
