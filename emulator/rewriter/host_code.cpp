// What nvcc refuses in host code, but g++ does not see: calls of functions that only the device has. Accepts what is not clear.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

bool is_of_device_library(std::string_view word) {
  for (const std::string_view scope : {"_block", "_system"})
    if (word.starts_with("atomic") && word.ends_with(scope)) word.remove_suffix(scope.size());
  return word.starts_with("__shfl_") ||
         is_one_of({"atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicInc", "atomicDec", "atomicCAS", "atomicAnd", "atomicOr",
                    "atomicXor", "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "__syncwarp", "__threadfence",
                    "__threadfence_block", "__threadfence_system", "__ballot_sync", "__any_sync", "__all_sync", "__activemask"},
                   word);
}

// True for T* name(...) as a statement of its own, unlike a = n * name(...).
bool begins_statement(const Tokens& tokens, size_t i) {
  while (i > 0 && (tokens.is_word(i - 1) || is_one_of({"*", "&", "<", ">", "::", ","}, tokens[i - 1].text))) --i;
  return i == 0 || is_one_of({";", "{", "}"}, tokens[i - 1].text);
}

// The name may be something else as well: a variable, or a function that is declared in a way that is not known here.
bool has_another_meaning(const Program& program, std::string_view name) {
  const Tokens& tokens = program.tokens;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name || !program.is_student_word(i) || program.of_device.contains(i) || !is_declared(tokens, i)) continue;
    const bool is_call = tokens.is(i + 1, "(") || tokens.is(i + 1, "<");
    if (!is_call || tokens.is_word(i - 1) || (!tokens.is(i - 1, ",") && begins_statement(tokens, i))) return true;
  }
  return false;
}

Done check_call(const Program& program, size_t i) {
  const Tokens& tokens = program.tokens;
  const std::string_view name = tokens[i].text;
  const std::string call = "host code cannot call \"" + std::string(name) + "\"";
  if (tokens.is(i - 1, "::")) return ok();
  if (!tokens.is(i + 1, "(") && (!tokens.is(i + 1, "<") || is_launch(tokens, i + 1))) return ok();
  const bool is_method = tokens.is(i - 1, ".") || tokens.is(i - 1, "->");
  if (!is_method && program.device_methods.contains(name)) return ok();  // it may be a method of the class around it
  if ((is_method ? program.device_methods : program.device_functions).contains(name))
    return program.host_names.contains(name) || is_no_use(tokens, i) || has_another_meaning(program, name) ? ok() : Done(tokens.error(i, call + ": write __host__ before its __device__"));
  if (is_method || !is_of_device_library(name) || program.functions.contains(name) || is_no_use(tokens, i) || has_another_meaning(program, name)) return ok();
  return tokens.error(i, call + ": only kernels can");
}

}  // namespace

Done check_host_code(const Program& program) {
  const Tokens& tokens = program.tokens;
  for (const Declaration& function : program.host_code) {
    // __device__ int f(); int f() {} is for both.
    if (function.name == no_token || program.device_names.contains(tokens[function.name].text)) continue;
    if (program.constants == Constants::of_both && function.has(tokens, {"constexpr"})) continue;
    for (size_t i = function.body; i < function.end; ++i) {
      if (tokens.is(i, "LAB_DEVICE")) {  // a lambda or a method of the device: skip its body
        while (i < function.end && !tokens.is(i, "{")) ++i;
        i = tokens.closing(i);
      } else if (program.is_student_word(i)) {
        TRY(check_call(program, i));
      }
    }
  }
  return ok();
}

}  // namespace harness
