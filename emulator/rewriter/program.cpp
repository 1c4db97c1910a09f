#include "emulator/rewriter/program.h"

#include <algorithm>
#include <optional>

namespace harness {
namespace {

struct Scope {
  size_t open;  // its {
  bool is_class;
};

// If the declaration at `i` opens the scope of a namespace, of extern "C" or of a class.
std::optional<Scope> scope_at(const Tokens& tokens, size_t i) {
  bool is_class = false, is_namespace = false;
  for (; i < tokens.size() && !tokens.is(i, ";") && !tokens.is(i, "=") && !tokens.is(i, "}") && !tokens.is(i, "enum"); ++i) {
    if (tokens.is(i, "template") && tokens.is(i + 1, "<")) i = tokens.closing_angle(i + 1);
    if (tokens.is(i, "{")) return is_class || is_namespace ? std::optional(Scope{i, is_class}) : std::nullopt;
    if (tokens.is(i, "(")) {
      if (i == 0 || !is_one_of({"__attribute__", "alignas"}, tokens[i - 1].text)) return std::nullopt;
      i = tokens.closing(i);
    }
    is_class = is_class || tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union");
    is_namespace = is_namespace || tokens.is(i, "namespace") || (tokens.is(i, "extern") && tokens.is(i + 2, "{"));
  }
  return std::nullopt;
}

}  // namespace

Declaration declaration_at(const Tokens& tokens, size_t first) {
  Declaration d{first};
  size_t i = first;
  for (; i < tokens.size() && !tokens.is(i, ";") && !tokens.is(i, "}"); ++i) {
    if (tokens.is(i, "template") && tokens.is(i + 1, "<")) i = tokens.closing_angle(i + 1) + 1;
    const bool may_follow_name = d.name == no_token && i > first && tokens.is_word(i - 1);
    if (tokens.is(i, "operator")) {
      d.name = i;
      d.is_function = true;
    } else if (may_follow_name && tokens.is(i, "<") && tokens.is(tokens.closing_angle(i) + 1, "(")) {  // f<int>(...)
      d.name = i - 1;
      d.is_function = true;
    } else if (may_follow_name && (tokens.is(i, "=") || tokens.is(i, "["))) {
      d.name = i - 1;
    } else if (may_follow_name && tokens.is(i, "(") &&
               !is_one_of({"__attribute__", "alignas", "decltype", "requires", "asm"}, tokens[i - 1].text)) {
      d.name = i - 1;
      d.is_function = true;
    } else if (tokens.is(i, "{") && d.is_function && !tokens.is(i - 1, "=")) {
      d.body = i;
      i = tokens.closing(i);
      break;
    }
    if (tokens.opens(i)) i = tokens.closing(i);
  }
  if (d.name == no_token && i > first + 1 && tokens.is(i, ";") && tokens.is_word(i - 1)) d.name = i - 1;
  const bool ends_before = tokens.is(i, "}") && d.body == no_token;  // the } of the scope around it
  d.end = std::min(ends_before ? i : i + 1, tokens.size());
  return d;
}

// const float* p: what p points to is constant, but p is not.
static bool holds_constant(const Tokens& tokens, const Declaration& d) {
  if (d.has(tokens, {"constexpr"})) return true;
  return d.has(tokens, {"const"}) && !tokens.is(d.name - 1, "*");
}

// The compiler replaces constants by their values, but not those of an array.
bool is_variable_in_memory(const Tokens& tokens, const Declaration& d) {
  if (d.name == no_token || d.name == d.first || d.is_function) return false;
  if (d.has(tokens, {"struct", "class", "union", "enum", "concept", "extern", "template", "using", "namespace", "typedef", "friend"})) return false;
  for (size_t i = d.first; i < d.end; ++i) {  // no template and no launch; what is in brackets may be a shift
    if (tokens.opens(i)) i = tokens.closing(i);
    if (tokens.is(i, "<")) return false;
  }
  return !holds_constant(tokens, d) || tokens.is(d.name + 1, "[");
}

std::vector<size_t> variables_of(const Tokens& tokens, const Declaration& d) {
  std::vector<size_t> names = {d.name};
  for (size_t i = d.name + 1; i < d.end; ++i) {
    if (tokens.opens(i)) i = tokens.closing(i);
    if (!tokens.is(i, ",")) continue;
    size_t name = i + 1;
    while (tokens.is(name, "*")) ++name;
    if (tokens.is_word(name)) names.push_back(name);
  }
  return names;
}

static bool is_expression_keyword(std::string_view word) {
  return is_one_of({"return", "else", "do", "case", "goto", "sizeof", "throw", "new", "delete", "co_return"}, word);
}

// T* name, T<int> name, T* a = 1, *name: from the begin of the statement or the last comma, there is no = before it.
static bool ends_declarator(const Tokens& tokens, size_t i) {
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
static bool is_in_list_of_names(const Tokens& tokens, size_t i) {
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

bool is_declared(const Tokens& tokens, size_t i) {
  if (i == 0) return false;
  if (tokens.is_word(i - 1)) return !is_expression_keyword(tokens[i - 1].text);
  if ((tokens.is(i - 1, "[") || tokens.is(i - 1, ",")) && tokens.is(i + 1, "=")) return true;  // [name = a]
  if ((tokens.is(i - 1, "&") || tokens.is(i - 1, "*")) && tokens.is(i - 2, "(") && tokens.is(i + 1, ")")) return true;  // int (&name)[4]
  return is_in_list_of_names(tokens, i) || ends_declarator(tokens, i);
}

bool is_no_use(const Tokens& tokens, size_t i) {
  if (tokens.is(i - 1, "sizeof") || tokens.is(i - 1, "goto")) return true;
  if (tokens.is(i + 1, ":") && is_one_of({";", "{", "}"}, tokens[i - 1].text)) return true;
  for (size_t j = i - 1; j > 0 && j != no_token && !is_one_of({";", "{", "}"}, tokens[j].text); --j) {
    if (tokens.is(j, ")") || tokens.is(j, "]")) j = tokens.opening(j);
    if (j == no_token) return true;
    if (tokens.is(j, "(") && is_one_of({"sizeof", "decltype", "alignof", "noexcept", "__builtin_offsetof"}, tokens[j - 1].text)) return true;
  }
  return false;
}

bool Declaration::has(const Tokens& tokens, std::initializer_list<std::string_view> words) const {
  for (size_t i = first; i < std::min(body, end); ++i)
    if (is_one_of(words, tokens[i].text)) return true;
  return false;
}

Program::Program(const Tokens& all, const std::vector<bool>& students, Constants given)
    : tokens(all), of_student(students), constants(given) {
  if (tokens.origins.size() > 1 && tokens.origins[1].file.ends_with(".hip.cpp")) constants = Constants::of_both;
  std::vector<bool> is_class;  // for each open scope
  for (size_t i = 0; i < tokens.size();) {
    if (tokens.is(i, "}") && !is_class.empty()) is_class.pop_back();
    if (tokens.is(i, "}") || tokens.is(i, ";")) {
      ++i;
    } else if (const auto scope = scope_at(tokens, i)) {
      is_class.push_back(scope->is_class);
      if (scope->is_class) classes.emplace_back(scope->open, tokens.closing(scope->open));
      i = scope->open + 1;
    } else {
      Declaration d = declaration_at(tokens, i);
      d.in_class = !is_class.empty() && is_class.back();
      note(d);
      i = d.end;
    }
  }
}

bool Program::is_in_class(size_t i) const {
  return std::ranges::any_of(classes, [=](const auto& c) { return c.first < i && i < c.second; });
}

std::optional<Declaration> Program::host_function_at(size_t i) const {
  const auto after = std::ranges::upper_bound(host_code, i, {}, &Declaration::first);
  if (after == host_code.begin() || i >= std::prev(after)->end) return std::nullopt;
  return *std::prev(after);
}

void Program::note(const Declaration& d) {
  const bool is_kernel = d.has(tokens, {"LAB_GLOBAL"}), is_function = d.has(tokens, {"LAB_DEVICE"}), both = d.has(tokens, {"LAB_HOST"});
  if (d.body != no_token && (is_kernel || (is_function && !both)))
    device_code.push_back(d);
  else if (d.body != no_token && !is_function)
    host_code.push_back(d);
  if (d.name == no_token) return;
  const std::string_view name = tokens[d.name].text;
  if (tokens.is(d.name, "operator") && of_student[tokens[d.name].origin]) operators.push_back(d);
  const bool is_constant = constants == Constants::of_both && d.has(tokens, {"constexpr"});
  if (d.is_function && (both || is_constant || !(is_kernel || is_function))) host_names.insert(name);
  if (d.is_function && is_function && !both && !is_kernel && is_student_word(d.name)) {
    of_device.insert(d.name);
    if (d.in_class || !tokens.is(d.name - 1, "::")) (d.in_class ? device_methods : device_functions).insert(name);
  }
  if (is_kernel) {
    kernels.push_back(d);
    kernel_names.insert(name);
    known.insert(d.name);
  }
  if (is_kernel || is_function || d.has(tokens, {"LAB_CONSTANT", "LAB_MANAGED", "LAB_SHARED_"})) {
    device_names.insert(name);
    return;
  }
  if (d.in_class && d.is_function && !is_student_word(d.name)) methods_of_others.insert(name);
  if (!is_student_word(d.name) || d.name == d.first || d.has(tokens, {"using", "namespace", "typedef", "friend", "operator", "consteval"})) return;
  if (constants == Constants::of_both && (d.has(tokens, {"constexpr"}) || (!d.is_function && holds_constant(tokens, d)))) return;
  if (d.is_function && d.body != no_token) (d.in_class ? methods : functions).emplace(name, d.name);
  if (d.is_function && !d.in_class) known.insert(d.name);
  if (d.in_class || !is_variable_in_memory(tokens, d)) return;
  host_variables.push_back(d);
  for (const size_t i : variables_of(tokens, d)) {
    variables.emplace(tokens[i].text, i);
    known.insert(i);
  }
}

}  // namespace harness
