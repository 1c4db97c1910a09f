// The changes of one text, and how they are found.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/rewriter/program.h"
#include "emulator/rewriter/tokens.h"

namespace harness {

/// Replacements that are collected first and applied together. All other text, newlines and line markers too, stays.
class Changes {
 public:
  explicit Changes(const Tokens& tokens) : tokens_(tokens) {}
  /// Replaces the tokens first..last and what is between them, because of the statement at token `cause`.
  void replace(size_t first, size_t last, std::string text, size_t cause) {
    all_.push_back({first, last, std::move(text), cause});
  }
  void replace(size_t token, std::string text) { replace(token, token, std::move(text), token); }
  /// Puts text behind a token, and behind what was put there before.
  void add_behind(size_t token, const std::string& text) {
    for (Replacement& before : all_)
      if (before.first == token && before.last == token) return void(before.text += text);
    replace(token, std::string(tokens_[token].text) + text);
  }
  /// The whole text with all replacements. Two that overlap are an error at the cause of the second.
  Result<std::string> apply() const;

 private:
  struct Replacement {
    size_t first, last;
    std::string text;
    size_t cause;
  };
  const Tokens& tokens_;
  std::vector<Replacement> all_;
};

/// kernel<<<grid, block>>>(x), with the <<< at `open`, becomes a call of lab::emulated::prepare.
Done rewrite_launch(const Tokens& tokens, size_t open, Changes& changes);
/// True if a launch begins with the `<` at `i`.
bool is_launch(const Tokens& tokens, size_t i);

/// The kernel as a string literal that fits into lab_diagnostic::kernel.
std::string quoted(std::string_view kernel);

/// Refuses kernels that are declared like other functions or called without <<<>>>, and the launch of a function that a file of the
/// student defines without __global__.
Done check_kernels(const Program& program);
/// Refuses kernels that use functions or variables of the host, or exceptions.
Done check_device_code(const Program& program);
/// Refuses kernels that use operators of the host.
Done check_operators(const Program& program);
/// Refuses host code that calls functions of the device.
Done check_host_code(const Program& program);

/// Tells the emulated device where the variables of the host are.
void register_host_variables(const Program& program, Changes& changes);

/// Students may declare a variable or function with the name of an unwatched C function, of an attribute or of the device. It gets another
/// name in all of their files, so it cannot mean the refused one. check_name() refuses such names where nothing declares them.
void rename_own(const Tokens& tokens, const std::vector<bool>& of_student, Changes& changes);
/// Refuses a word that the emulated device has no meaning for.
Done check_name(const Tokens& tokens, size_t i);
/// Calls that take a kernel as their first argument get its name and its type.
void rewrite_call(const Tokens& tokens, size_t i, Changes& changes);

/// The variables in shared memory so far.
struct SharedVariables {
  std::optional<size_t> body;  // the { of the function around the token; none: file scope
  size_t scope_end = 0;        // the } of the block around the declaration
  std::map<std::string, size_t> known;  // name -> the } of the block that declares it
  std::map<std::string, std::string> at_file_scope;  // name of a dynamic array -> a declaration for the functions that use it
  std::set<std::pair<size_t, std::string>> declared;  // dynamic arrays, and in which bodies
};
/// A declaration with __shared__ (LAB_SHARED_) at `marker` becomes references to the memory of the block.
Done rewrite_shared(const Tokens& tokens, size_t marker, SharedVariables& variables, Changes& changes);
/// Declares an array of file scope in the body of the function that uses it at `i`.
void declare_dynamic(const Tokens& tokens, size_t i, SharedVariables& variables, Changes& changes);
/// Whether the function with the body at `open` has a parameter or a variable of this name.
bool declares(const Tokens& tokens, size_t open, std::string_view name);
/// If a lambda begins at `i`, it captures the variables in shared memory that it uses. CUDA does not ask for that, because they are
/// static; the references that stand for them here are not.
void capture_shared(const Tokens& tokens, size_t i, const SharedVariables& variables, Changes& changes);

/// The first token of the expression that ends before `open` and names a kernel, or no_token.
size_t callee_before(const Tokens& tokens, size_t open);

/// The tokens first..last-1 on one line.
std::string on_one_line(const Tokens& tokens, size_t first, size_t last);
/// The newlines and line markers behind each of the tokens first..last-1, so that what follows keeps its line.
std::string newlines(const Tokens& tokens, size_t first, size_t last);

}  // namespace harness
