#include "emulator/rewriter/rewrite.h"

#include <algorithm>
#include <cctype>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// True for the { of namespace a::b { and of extern "C" {: what is inside it is still at namespace scope.
bool opens_namespace(const Tokens& tokens, size_t i) {
  if (i > 1 && tokens[i - 1].kind == TokenKind::string && tokens.is(i - 2, "extern")) return true;
  while (i > 0 && (tokens.is_word(i - 1) || tokens.is(i - 1, "::")))
    if (tokens.is(--i, "namespace")) return true;
  return false;
}

bool is_of_student(const Tokens& tokens, size_t i) {
  const Origin& origin = tokens.origin(i);
  return !origin.is_system && origin.file.find("/emulator/device/") == std::string_view::npos;
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
  return ok();
}

// nvcc takes the text of #pragma unroll NAME as it is. A macro's name is in no other place of preprocessed text.
Done check_unrolls(const Tokens& tokens) {
  constexpr std::string_view pragma = "#pragma unroll ";
  for (size_t at = 0; (at = tokens.text.find(pragma, at)) != std::string_view::npos; at += pragma.size()) {
    if (at > 0 && tokens.text[at - 1] != '\n') continue;
    const size_t first = tokens.text.find_first_not_of(" (", at + pragma.size());
    if (first == std::string_view::npos || (!std::isalpha(static_cast<unsigned char>(tokens.text[first])) && tokens.text[first] != '_'))
      continue;
    size_t end = first;
    while (end < tokens.text.size() && (std::isalnum(static_cast<unsigned char>(tokens.text[end])) || tokens.text[end] == '_')) ++end;
    const std::string_view name = tokens.text.substr(first, end - first);
    if (std::ranges::any_of(tokens.all, [&](const Token& t) { return t.text == name; })) continue;
    const auto next = std::ranges::find_if(tokens.all, [&](const Token& t) { return t.begin() > tokens.text.data() + at; });
    if (next == tokens.all.end() || !is_of_student(tokens, static_cast<size_t>(next - tokens.all.begin()))) continue;
    const auto between = std::count(tokens.text.data() + at, next->begin(), '\n');
    return Error{std::string(tokens.origins[next->origin].file) + ":" + std::to_string(next->line - between) +
                 ":1: error: nvcc does not replace macros in #pragma unroll: write constexpr int n = " + std::string(name) +
                 "; and #pragma unroll n"};
  }
  return ok();
}

Done find_changes(const Tokens& tokens, Changes& changes) {
  TRY(check_unrolls(tokens));
  struct Brace {
    size_t token;
    bool is_function;  // neither of a namespace nor of a class
  };
  std::vector<Brace> braces;  // open ones
  DynamicArrays arrays;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "{")) braces.push_back({i, !opens_namespace(tokens, i) && !opens_class(tokens, i)});
    if (tokens.is(i, "}") && !braces.empty()) braces.pop_back();
    const auto body = std::ranges::find_if(braces, &Brace::is_function);
    arrays.body = body == braces.end() ? std::nullopt : std::optional(body->token);
    const bool students = is_of_student(tokens, i);
    if (students) TRY(check_name(tokens, i));
    rewrite_call(tokens, i, changes);
    declare_dynamic(tokens, i, arrays, changes);
    if (is_launch(tokens, i)) {
      TRY(rewrite_launch(tokens, i, changes));
      i += 2;
    } else if (tokens.is(i, "LAB_SHARED_")) {
      TRY(rewrite_shared(tokens, i, arrays, changes));
    } else if (tokens.is(i, "__noinline__") && !tokens.is(i - 1, "(") && !tokens.is(i - 1, ",")) {
      changes.replace(i, "__attribute__((noinline))");
    } else if (students && (tokens.is(i, "asm") || tokens.is(i, "__asm__") || tokens.is(i, "__asm"))) {
      TRY(check_assembler(tokens, i));
    }
  }
  return ok();
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

Result<std::string> rewrite(std::string_view text) {
  const Tokens tokens = tokenize(text);
  Changes changes(tokens);
  TRY(find_changes(tokens, changes));
  TRY_ASSIGN(std::string result, changes.apply());
  if (std::count(text.begin(), text.end(), '\n') != std::count(result.begin(), result.end(), '\n'))
    return tokens.error(0, "a launch or a __shared__ declaration contains a string over several lines");
  return result;
}

}  // namespace harness
