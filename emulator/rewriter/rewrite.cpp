#include "emulator/rewriter/rewrite.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// Attributes against inlining. g++ does not report the copies of structures that a call makes; after inlining it does.
constexpr const char* against_inlining[] = {"noinline", "__noinline__", "noipa", "__noipa__"};

constexpr const char* qualifiers[] = {"LAB_GLOBAL", "LAB_DEVICE", "LAB_HOST", "LAB_CONSTANT", "LAB_MANAGED"};

// True for the { of namespace a::b { and of extern "C" {: what is inside it is still at namespace scope.
bool opens_namespace(const Tokens& tokens, size_t i) {
  if (i > 1 && tokens[i - 1].kind == TokenKind::string && tokens.is(i - 2, "extern")) return true;
  while (i > 0 && (tokens.is_word(i - 1) || tokens.is(i - 1, "::")))
    if (tokens.is(--i, "namespace")) return true;
  return false;
}

// For each origin of the tokens: may a student have written what is there? All files in the folder of the source, which the first
// marker names, are the student's, also behind #pragma GCC system_header.
std::vector<bool> find_origins_of_student(const Tokens& tokens) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto real = [&](std::string_view file) { return fs::weakly_canonical(file, error); };
  const fs::path folder = tokens.origins.size() > 1 ? real(tokens.origins[1].file).parent_path() : fs::path();
  std::map<std::string_view, bool> known;
  const auto is_in_folder = [&](std::string_view name) {
    const auto [at, is_new] = known.emplace(name, true);
    if (!is_new || fs::path(name).is_relative()) return at->second;
    const fs::path file = real(name);
    return at->second = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  };
  std::vector<bool> students;
  for (const Origin& origin : tokens.origins) {
    students.push_back(!origin.is_system || is_in_folder(origin.file));
  }
  return students;
}

// True for the { of a class: a function's body is inside it.
bool opens_class(const Tokens& tokens, size_t i) {
  while (i > 0 && !tokens.is(i - 1, ";") && !tokens.is(i - 1, ")") && !tokens.is(i - 1, "{") && !tokens.is(i - 1, "}"))
    if (tokens.is(--i, "struct") || tokens.is(i, "class") || tokens.is(i, "union")) return true;
  return false;
}

// Refuses PTX in the student's files. Empty assembly is a barrier for the compiler and means the same here.
Done check_assembler(const Tokens& tokens, size_t i) {
  size_t j = i + 1;
  while (tokens.is_word(j)) ++j;
  if (!tokens.is(j, "(")) return ok();
  for (++j; j < tokens.size() && tokens[j].kind == TokenKind::string; ++j)
    if (!tokens.is(j, "\"\"")) return tokens.error(i, "the emulated device has no inline PTX (asm)");
  // asm("" ::: "memory") is a barrier for the compiler. An operand would be written or read unseen.
  for (; j < tokens.size() && !tokens.is(j, ")"); ++j)
    if (!tokens.is(j, ":") && !tokens.is(j, "::") && !tokens.is(j, ",") && tokens[j].kind != TokenKind::string)
      return tokens.error(i, "the emulated device does not see the operands of asm: take them out");
  return ok();
}

// nvcc takes the text of #pragma unroll NAME as it is. A macro's name is in no other place of preprocessed text.
Done check_unroll(const Tokens& tokens, const Token& pragma) {
  constexpr std::string_view begins = "#pragma unroll ";
  std::string_view name = pragma.text;
  if (!name.starts_with(begins)) return ok();
  name.remove_prefix(std::min(name.find_first_not_of(" (", begins.size()), name.size()));
  const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  name = {name.begin(), std::ranges::find_if_not(name, is_part)};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front()))) return ok();
  if (std::ranges::any_of(tokens.all, [&](const Token& t) { return t.text == name; })) return ok();
  const std::string shown(name);
  return tokens.error(pragma, "nvcc does not replace macros in #pragma unroll: write constexpr int n = " + shown +
                                  "; and #pragma unroll n");
}

// These give another name to a function of the device, or load an image of the compiler's memory.
Done check_pragma(const Tokens& tokens, const Token& pragma) {
  for (const char* word : {"redefine_extname", "weak", "pch_preprocess"})
    if (pragma.text.find(word) != std::string_view::npos)
      return tokens.error(pragma, std::string("the emulated device has no #pragma ") + word);
  return ok();
}

Done find_changes(const Tokens& tokens, Constants constants, Changes& changes) {
  // What follows could be taken for a header of the system, where nothing is refused.
  if (!tokens.renames.empty()) return tokens.error(tokens.renames[0], "the emulated device takes no #line: take it out");
  const std::vector<bool> of_student = find_origins_of_student(tokens);
  for (const Token& pragma : tokens.pragmas) {
    TRY(check_pragma(tokens, pragma));
    if (of_student[pragma.origin]) TRY(check_unroll(tokens, pragma));
  }
  // The assembler reads the string of an #ident as part of its own text.
  for (const Token& other : tokens.others)
    if (of_student[other.origin])
      return tokens.error(other, "the emulated device takes no " + std::string(other.text.substr(0, other.text.find(' '))) + ": take it out");
  std::vector<size_t> braces;  // open ones
  SharedVariables shared;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "{")) {
      braces.push_back(i);
      if (!shared.body && !opens_namespace(tokens, i) && !opens_class(tokens, i)) shared.body = i;
    } else if (tokens.is(i, "}") && !braces.empty()) {
      if (shared.body == braces.back()) shared.body.reset();
      braces.pop_back();
    }
    const bool students = of_student[tokens[i].origin];
    if (students) TRY(check_name(tokens, i));
    rewrite_call(tokens, i, changes);
    declare_dynamic(tokens, i, shared, changes);
    if (shared.body) capture_shared(tokens, i, shared, changes);
    if (is_launch(tokens, i)) {
      TRY(rewrite_launch(tokens, i, changes));
      i += 2;
    } else if (tokens.is(i, "LAB_SHARED_")) {
      shared.scope_end = braces.empty() ? tokens.size() : tokens.closing(braces.back());
      TRY(rewrite_shared(tokens, i, shared, changes));
    } else if (std::ranges::any_of(qualifiers, [&](const char* word) { return tokens.is(i, word); })) {
      changes.replace(i, std::string(tokens[i].text.size(), ' '));  // what follows keeps its column
    } else if (tokens.is(i, "__noinline__") && !tokens.is(i - 1, "(") && !tokens.is(i - 1, ",")) {
      changes.replace(i, "");
    } else if (students && std::ranges::any_of(against_inlining, [&](const char* word) { return tokens.is(i, word); })) {
      changes.replace(i, "unused");
    } else if (students && (tokens.is(i, "asm") || tokens.is(i, "__asm__") || tokens.is(i, "__asm"))) {
      TRY(check_assembler(tokens, i));
    }
  }
  const Program program(tokens, of_student, constants);
  register_host_variables(program, changes);
  TRY(check_kernels(program));
  TRY(check_device_code(program));
  TRY(check_operators(program));
  return check_host_code(program);
}

}  // namespace

Result<std::string> Changes::apply() const {
  std::vector<Replacement> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Replacement& a, const Replacement& b) { return a.first < b.first; });
  std::string result;
  const char* copied = tokens_.text.data();
  for (const Replacement& r : sorted) {
    const char* const begin = tokens_[r.first].begin();
    if (begin < copied) return tokens_.error(r.cause, "this launch does not end inside the one around it");
    result.append(copied, begin).append(r.text);
    copied = tokens_[r.last].end();
  }
  return result.append(copied, tokens_.text.data() + tokens_.text.size());
}

std::string on_one_line(const Tokens& tokens, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last; ++i) {
    if (i > first && tokens[i].begin() != tokens[i - 1].end()) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

std::string newlines(const Tokens& tokens, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last && i + 1 < tokens.size(); ++i) {
    const char* const end = tokens[i + 1].begin();
    text.append(std::find(tokens[i].end(), end, '\n'), end);
  }
  return text;
}

Result<std::string> rewrite(std::string_view text, Constants constants) {
  const Tokens tokens = tokenize(text);
  Changes names(tokens), changes(tokens);
  rename_own(tokens, find_origins_of_student(tokens), names);
  TRY_ASSIGN(const std::string renamed, names.apply());
  if (renamed != text) return rewrite(renamed, constants);
  TRY(find_changes(tokens, constants, changes));
  TRY_ASSIGN(std::string result, changes.apply());
  if (std::count(text.begin(), text.end(), '\n') != std::count(result.begin(), result.end(), '\n'))
    return tokens.error(0, "a launch or a __shared__ declaration contains a string over several lines");
  return result;
}

}  // namespace harness
