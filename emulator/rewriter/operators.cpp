// Kernels that use operators of the host: operator(), operator[] and binary operators of the student's classes. Only of objects whose
// class is clear, because the function declares them with its name. Accepts everything else.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

using Operator = std::pair<std::string_view, std::string>;  // the name of its class, and its marks: (), [] or +

// Marks without a space between them: + or +=.
std::string marks_at(const Tokens& tokens, size_t i) {
  std::string text;
  for (; i < tokens.size() && tokens[i].kind == TokenKind::mark && !tokens.opens(i) && !tokens.closes(i); ++i) {
    text += tokens[i].text;
    if (tokens[i].end() != tokens.all[std::min(i + 1, tokens.size() - 1)].begin()) break;
  }
  return text;
}

std::string operator_at(const Tokens& tokens, size_t i) {
  if (tokens.is(i, "(")) return "()";
  return tokens.is(i, "[") ? "[]" : marks_at(tokens, i);
}

// The name of the class with the { at `open`: the word behind struct.
std::string_view class_name(const Tokens& tokens, size_t open) {
  size_t i = open;
  while (i > 0 && !is_one_of({";", "{", "}"}, tokens[i - 1].text)) --i;
  for (int angles = 0; i < open; ++i) {
    angles += tokens.is(i, "<") - tokens.is(i, ">");
    if (angles == 0 && is_one_of({"struct", "class"}, tokens[i].text)) return tokens.is_word(i + 1) ? tokens[i + 1].text : "";
  }
  return "";
}

// The object that is declared as Class name or const Class<...>& name, with Class at `i`; or no_token.
size_t object_at(const Tokens& tokens, size_t i) {
  if (is_one_of({"::", ".", "->"}, tokens[i - 1].text)) return no_token;
  if (tokens.is(++i, "<"))
    while (i < tokens.size() && !is_one_of({">", ";", "{", ")"}, tokens[i++].text)) {}
  while (tokens.is(i, "const") || tokens.is(i, "&")) ++i;
  return tokens.is_word(i) && i + 1 < tokens.size() && is_one_of({",", ")", ";", "=", "{"}, tokens[i + 1].text) ? i : no_token;
}

std::set<Operator> find_host_operators(const Program& program) {
  const Tokens& tokens = program.tokens;
  std::map<std::string_view, int> classes;
  std::set<Operator> found;
  std::set<Operator> of_device;
  for (const auto& [open, close] : program.classes) ++classes[class_name(tokens, open)];
  for (const Declaration& d : program.operators) {
    std::string_view name;
    size_t innermost = 0;
    for (const auto& [open, close] : program.classes)
      if (open < d.name && d.name < close && open > innermost) name = class_name(tokens, innermost = open);
    const Operator op(name, operator_at(tokens, d.name + 1));
    if (op.second.empty()) continue;  // operator float()
    const bool is_constant = program.constants == Constants::of_both && d.has(tokens, {"constexpr"});
    if (classes[name] != 1 || is_constant || d.has(tokens, {"LAB_DEVICE", "consteval", "using", "friend", "default", "delete"}))
      of_device.insert(op);
    else
      found.insert(op);
  }
  std::erase_if(found, [&](const Operator& f) { return of_device.contains(f) || of_device.contains({"", f.second}); });
  return found;
}

Done check_object(const Program& program, const Declaration& function, std::string_view type, size_t object,
                  const std::set<Operator>& operators) {
  const Tokens& tokens = program.tokens;
  for (size_t i = function.first; i < function.end; ++i)
    if (i != object && tokens[i].text == tokens[object].text && (i < function.body || is_declared(tokens, i))) return ok();
  for (size_t i = std::max(function.body, object + 1); i < function.end; ++i) {
    if (tokens[i].text != tokens[object].text || !program.is_student_word(i) || is_one_of({".", "->", "::"}, tokens[i - 1].text) || is_no_use(tokens, i)) continue;
    const std::string op = operator_at(tokens, i + 1);
    if (!tokens.opens(i + 1) && !is_one_of({"(", ",", "=", "return", ";", "{", "}"}, tokens[i - 1].text)) continue;
    if (operators.contains({type, op}))
      return tokens.error(i, "kernels cannot call the host function \"" + std::string(type) + "::operator" + op + "\": write __device__ before its definition");
  }
  return ok();
}

}  // namespace

Done check_operators(const Program& program) {
  const Tokens& tokens = program.tokens;
  const auto operators = find_host_operators(program);
  std::set<std::string_view> types;
  for (const auto& [type, op] : operators) types.insert(type);
  for (const Declaration& function : program.device_code)
    for (size_t i = function.first + 1; i < function.end; ++i) {
      const size_t object = types.contains(tokens[i].text) ? object_at(tokens, i) : no_token;
      if (object != no_token) TRY(check_object(program, function, tokens[i].text, object, operators));
    }
  return ok();
}

}  // namespace harness
