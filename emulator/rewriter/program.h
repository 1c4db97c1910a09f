// The functions and variables of a source, as far as they are declared outside of functions.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/rewriter/rewrite.h"
#include "emulator/rewriter/tokens.h"

namespace harness {

inline bool is_one_of(std::initializer_list<std::string_view> words, std::string_view word) {
  for (const std::string_view w : words)
    if (w == word) return true;
  return false;
}

/// One declaration, its parts as indices of tokens.
struct Declaration {
  size_t first = 0, end = 0;  // end: behind its ; or }
  size_t name = no_token;     // the name of the function or of the first variable
  size_t body = no_token;     // the { of a function
  bool is_function = false;
  bool in_class = false;

  /// One of these words is before the body.
  bool has(const Tokens& tokens, std::initializer_list<std::string_view> words) const;
};

/// The declaration that begins at `first`.
Declaration declaration_at(const Tokens& tokens, size_t first);
/// True for a variable that has a place in memory: one that is no constant, or an array. Kernels cannot read such a variable of the host.
bool is_variable_in_memory(const Tokens& tokens, const Declaration& d);
/// The names of all that such a declaration declares.
std::vector<size_t> variables_of(const Tokens& tokens, const Declaration& d);

/// Whether the name at `i` may be declared there. Rather once too often: then the name is not clear.
bool is_declared(const Tokens& tokens, size_t i);
/// True if the name at `i` is not used there, as in sizeof name, decltype(name + 1), goto name, or a label.
bool is_no_use(const Tokens& tokens, size_t i);

struct Program {
  /// `of_student`: by the origins of tokens.
  Program(const Tokens& tokens, const std::vector<bool>& of_student, Constants constants);

  /// At `i` is the name of a kernel or one of the names in `functions` or `variables`, where it is defined or declared.
  bool is_known(size_t i) const { return known.contains(i); }
  bool is_in_class(size_t i) const;
  /// The function around `i`, if that is only for the host.
  std::optional<Declaration> host_function_at(size_t i) const;
  bool is_student_word(size_t i) const { return of_student[tokens[i].origin] && tokens.is_word(i); }

  const Tokens& tokens;
  const std::vector<bool>& of_student;
  Constants constants;  // Constants::of_both for HIP
  std::vector<Declaration> kernels;      // all, also without a body
  std::vector<Declaration> device_code;  // with a body: kernels, and functions that only the device has
  std::set<std::string_view> kernel_names, device_names;
  std::set<std::string_view> methods_of_others;  // methods of classes that are not the student's
  // What the student's files declare only for the device, and all functions and methods that the host has.
  std::set<std::string_view> device_functions, device_methods, host_names;
  std::set<size_t> of_device;  // where the names of these functions and methods are
  // What the student's files define for the host: by name, where it is. Of the variables only those that kernels cannot read.
  std::map<std::string_view, size_t> functions, methods, variables;
  std::set<size_t> known;
  std::vector<std::pair<size_t, size_t>> classes;  // from { to }
  std::vector<Declaration> operators;  // the student's, in classes and outside
  std::vector<Declaration> host_code;  // with a body, in the order of the text
  std::vector<Declaration> host_variables;  // those of the student's files that are in no function and no class

 private:
  void note(const Declaration& d);
};

}  // namespace harness
