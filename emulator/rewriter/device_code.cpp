// What nvcc refuses in kernels and functions with __device__, but g++ does not see: functions and variables of the host, exceptions.
// Accepts what is not clear.
#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// True if the function declares the name itself, as a parameter or in its body, or if the name may be something of another namespace or,
// in a member of a class, a member or a parameter of the template.
bool may_mean_another(const Program& program, const Declaration& function, std::string_view name) {
  const Tokens& tokens = program.tokens;
  const bool is_member = function.in_class || tokens.is(function.name - 1, "::");
  const auto is_visible = [&](size_t i) {
    return !program.host_function_at(i) && program.is_student_word(i) && (is_member || !program.is_in_class(i));
  };
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name || program.is_known(i)) continue;
    const bool is_inside = i >= function.first && i < function.end;
    if (is_inside ? i < function.body || is_declared(tokens, i) : is_visible(i) && is_declared(tokens, i)) return true;
  }
  return false;
}

// sizes[1] in float a[sizes[1]], f<sizes[1]>() and constexpr int n = sizes[1]. nvcc takes arrays of the host there, but no calls.
bool is_for_compiler(const Tokens& tokens, size_t i) {
  if (tokens.is(i - 1, "[") || tokens.is(i - 1, "<")) return true;
  for (; i > 0 && !tokens.is(i, ";") && !tokens.is(i, "{") && !tokens.is(i, "}"); --i)
    if (tokens.is(i, "constexpr") || tokens.is(i, "static_assert")) return true;
  return false;
}

bool is_called(const Tokens& tokens, size_t i) {
  return tokens.is(i + 1, "(") || tokens.is(i + 1, "<");
}

// Functions of the C library that GPUs do not have.
bool is_of_host_library(std::string_view word) {
  return word.starts_with("__builtin_str") ||
         is_one_of({"__builtin_memchr", "__builtin_memcmp", "abort", "atof", "atoi", "atol", "bsearch", "drand48", "exit", "fflush", "fopen", "fprintf",
                    "getchar", "getenv", "memchr", "memcmp", "memmove", "putchar", "puts", "rand", "scanf", "snprintf", "sprintf", "srand",
                    "sscanf", "strcat", "strchr", "strcmp", "strlen", "strncat", "strncmp", "strstr", "strtod", "strtof", "strtok", "strtol",
                    "strtoul", "system", "time", "usleep"},
                   word);
}

std::string calls_host_function(std::string_view name) {
  return "kernels cannot call the host function \"" + std::string(name) + "\"";
}

Done check_std(const Tokens& tokens, size_t i) {
  static const std::map<std::string_view, std::string_view> instead = {
      {"min", "min"},          {"max", "max"},     {"clamp", "min and max"}, {"swap", "a third variable"},
      {"vector", "an array"},  {"array", "an array"}, {"pair", "a struct"},  {"cout", "printf"},
      {"cerr", "printf"},      {"sort", "a loop"}, {"fill", "a loop"},       {"copy", "a loop"},
      {"accumulate", "a loop"}, {"chrono", "clock64"}, {"string", "an array of char"}};
  if (tokens.is(i, "numeric_limits")) {  // its constants are allowed
    size_t end = i;
    while (end < tokens.size() && !tokens.is(end, ">") && !tokens.is(end, ";")) ++end;
    return tokens.is(end + 3, "(") ? Done(tokens.error(i, "kernels cannot call functions of std::numeric_limits: use FLT_MAX or INFINITY")) : ok();
  }
  if (is_of_host_library(tokens[i].text) && is_called(tokens, i)) return tokens.error(i, calls_host_function(tokens[i].text));
  const auto found = instead.find(tokens[i].text);
  const bool names_type = is_one_of({"vector", "array", "pair", "string"}, tokens[i].text);
  if (found == instead.end() || (names_type && (tokens.is(i - 3, "<") || tokens.is(i - 3, ",")))) return ok();
  return tokens.error(i, "kernels cannot use std::" + std::string(found->first) + ": use " + std::string(found->second));
}

Done check_word(const Program& program, const Declaration& function, size_t i) {
  const Tokens& tokens = program.tokens;
  const std::string_view word = tokens[i].text;
  const std::string name = "\"" + std::string(word) + "\"";
  if (is_launch(tokens, i + 1)) return tokens.error(i + 1, "kernels cannot launch kernels: launch them from the host");
  if (is_one_of({"throw", "try", "typeid", "dynamic_cast"}, word)) return tokens.error(i, "kernels cannot use " + name + ": take it out");
  if (tokens.is(i - 1, "::")) return tokens.is(i - 2, "std") && !tokens.is(i - 4, "cuda") && program.constants == Constants::of_the_host ? check_std(tokens, i) : ok();
  if (program.device_names.contains(word)) return ok();
  const std::string call = calls_host_function(word), define = ": write __device__ before its definition";
  if (tokens.is(i - 1, ".") || tokens.is(i - 1, "->"))
    return is_called(tokens, i) && program.methods.contains(word) && !program.methods_of_others.contains(word) && !is_no_use(tokens, i) ? Done(tokens.error(i, call + define)) : ok();
  // Without std::, behind using namespace std.
  if (is_one_of({"cout", "cerr"}, word) && tokens.is(i + 1, "<") && tokens.is(i + 2, "<") && !is_no_use(tokens, i) && !may_mean_another(program, function, word))
    return tokens.error(i, "kernels cannot use std::" + std::string(word) + ": use printf");
  const auto variable = program.variables.find(word);
  const bool is_variable = variable != program.variables.end(), is_function = program.functions.contains(word);
  if (!(is_variable || is_function || is_of_host_library(word)) || is_no_use(tokens, i) || may_mean_another(program, function, word)) return ok();
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
