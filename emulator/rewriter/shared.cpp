// Declarations of shared memory.
#include <algorithm>

#include "emulator/rewriter/changes.h"

namespace harness {
namespace {

// The block owns the variable, so each call of the kernel asks for its address. A template has one tag per instance.
std::string reference(std::string_view name) {
  const std::string n(name);
  return " static char lab_tag_" + n + "; lab_shared_" + n + "& " + n + " = ::lab::emulated::shared<lab_shared_" +
         n + ">(&lab_tag_" + n + ", alignof(lab_shared_" + n + "));";
}

// The name that makes the extent with the [ at `i` no constant: a parameter of the function with the { at `body`, or the extent of a block.
size_t variable_extent(const Tokens& tokens, size_t i, size_t body) {
  const size_t end = tokens.closing(i), open = tokens.is(body - 1, ")") ? tokens.opening(body - 1) : no_token;
  for (++i; i < end; ++i) {
    if (tokens.is(i, "blockDim") || tokens.is(i, "gridDim")) return i;
    const auto& after = tokens[i + 1];  // n.size() and n::size may be constants
    if (!tokens.is_word(i) || tokens.is(i - 1, ".") || tokens.is(i - 1, "::") || !is_one_of({"]", "+", "-", "*", "/", "%"}, after.text)) continue;
    for (size_t p = open; p < body; ++p)
      if (tokens[p].text == tokens[i].text && (tokens.is(p + 1, ",") || tokens.is(p + 1, ")")) && tokens.is_word(p - 1)) return i;
  }
  return no_token;
}

// __shared__ T a[4], b; becomes typedef T lab_shared_a[4], lab_shared_b; and a reference for each name. `from` is the first
// token of the declaration.
Done rewrite_variables(const Tokens& tokens, size_t from, size_t marker, SharedVariables& variables, Changes& changes) {
  std::string references;
  size_t name = 0;            // the last word that can be the name of a declarator
  bool has_extents = false;   // behind the [ of an array no word can be the name
  changes.replace(marker, "typedef");
  for (size_t i = from; i < tokens.size(); ++i) {
    if (tokens.is(i, "=") || tokens.is(i, ")") || tokens.is(i, "}")) break;
    if (tokens.is(i, ",") || tokens.is(i, ";")) {
      if (name <= marker && name <= from) break;
      changes.replace(name, "lab_shared_" + std::string(tokens[name].text));
      references += reference(tokens[name].text);
      variables.known[std::string(tokens[name].text)] = variables.scope_end;
      if (tokens.is(i, ";")) {
        changes.replace(i, ";" + references);
        return ok();
      }
      name = 0;
      has_extents = false;
    } else if (i == marker) {
      continue;
    } else if (tokens.is(i, "static") || tokens.is(i, "inline") || tokens.is(i, "constexpr")) {
      changes.replace(i, "");
    } else if (tokens.is(i, "alignas") && tokens.is(i + 1, "(")) {  // a typedef takes only the attribute
      const size_t close = tokens.closing(i + 1);
      if (close == tokens.size()) break;
      changes.replace(i, "");
      changes.replace(i + 1, "__attribute__((aligned(");
      changes.replace(close, ")))");
      i = close;
    } else if (tokens.is(i, "__attribute__")) {
      i = tokens.closing(i + 1);
    } else if (tokens.is(i, "[")) {
      has_extents = has_extents || !tokens.is(i + 1, "[");  // [[...]] is an attribute
      if (has_extents && !tokens.is_word(i - 1) && !tokens.is(i - 1, "]")) break;
      const size_t variable = has_extents ? variable_extent(tokens, i, *variables.body) : no_token;
      if (variable != no_token) return tokens.error(variable, "the size of a __shared__ array must be a constant");
      i = tokens.closing(i);
    } else if (tokens.opens(i)) {
      i = tokens.closing(i);
    } else if (tokens.is(i, "<")) {
      i = tokens.closing_angle(i);
    } else if (tokens.is_word(i) && !has_extents) {
      name = i;
    }
  }
  return tokens.error(
      marker, "a __shared__ variable is declared like this, without a first value: __shared__ float a[16];");
}

// A second dynamic array in one function has the same memory. A program may mean that, so there is only a warning.
void warn_if_second(const SharedVariables& variables, const std::string& name, std::string& reference) {
  constexpr std::string_view address = "dynamic_shared(";
  if (std::ranges::any_of(variables.declared, [&](const auto& array) { return array.first == *variables.body && array.second != name; }))
    reference.replace(reference.rfind(address), address.size(), "dynamic_shared_again(");
}

// extern __shared__ T name[]; becomes a reference to the block's dynamic shared memory. `start` is the first of the two words.
// A block's memory has an address only while it runs, so a declaration at file scope moves into the functions that use it.
Done rewrite_dynamic(const Tokens& tokens, size_t start, size_t marker, SharedVariables& variables, Changes& changes) {
  std::string type;
  size_t name = start;
  for (size_t i = start; i < tokens.size() && !tokens.is(i, ";"); ++i) {
    if (tokens.is(i, "extern") || tokens.is(i, "LAB_SHARED_") || tokens.is(i, "static")) continue;
    if (tokens.is(i, "alignas") || tokens.is(i, "__attribute__")) {
      i = tokens.closing(i + 1);
    } else if (tokens.is(i, "[") && tokens.is(i + 1, "[")) {
      i = tokens.closing(i);
    } else if (tokens.is(i + 1, "[") && !tokens.is(i + 2, "[")) {
      name = i;
      break;
    } else {
      type += (type.empty() ? "" : " ") + std::string(tokens[i].text);
    }
  }
  if (name == start || !tokens.is_word(name) || !tokens.is(name + 2, "]"))
    return tokens.error(marker, "extern __shared__ declares an array without a size: extern __shared__ float s[];");
  size_t end = name + 1;
  while (tokens.is(end, "[")) end = tokens.closing(end) + 1;
  const std::string extents = on_one_line(tokens, name + 1, std::min(end, tokens.size()));
  const std::string variable(tokens[name].text);
  const size_t last = end - 1;
  if (tokens.is(end, "__attribute__")) {
    const size_t close = tokens.closing(end + 1);
    for (; end <= close && end < tokens.size(); ++end) changes.replace(end, "");
  }
  if (!tokens.is(end, ";")) return tokens.error(marker, "declare one extern __shared__ array a statement");
  std::string reference = type + " (&" + variable + ")" + extents + " = *reinterpret_cast<" + type + " (*)" +
                                extents + ">(::lab::emulated::dynamic_shared())";
  if (variables.body) warn_if_second(variables, variable, reference);
  changes.replace(start, last, (variables.body ? reference : "") + newlines(tokens, start, last), start);
  variables.known[variable] = variables.body ? variables.scope_end : tokens.size();
  if (variables.body)
    variables.declared.insert({*variables.body, variable});
  else
    variables.at_file_scope[variable] = reference;
  return ok();
}

}  // namespace

bool declares(const Tokens& tokens, size_t open, std::string_view name) {
  const size_t end = tokens.closing(open);
  for (size_t i = tokens.is(open - 1, ")") ? tokens.opening(open - 1) : open; i < end; ++i)
    if (tokens.is(i, name) && is_declared(tokens, i)) return true;
  return false;
}

void declare_dynamic(const Tokens& tokens, size_t i, SharedVariables& variables, Changes& changes) {
  if (!variables.body || !tokens.is_word(i) || tokens.is(i - 1, ".") || tokens.is(i - 1, "->")) return;
  const auto array = variables.at_file_scope.find(std::string(tokens[i].text));
  const std::pair declared{*variables.body, std::string(tokens[i].text)};
  if (array == variables.at_file_scope.end() || variables.declared.contains(declared)) return;
  std::string reference = array->second;
  warn_if_second(variables, array->first, reference);
  variables.declared.insert(declared);
  if (!declares(tokens, *variables.body, array->first)) changes.add_behind(*variables.body, " " + reference + ";");
}

Done rewrite_shared(const Tokens& tokens, size_t marker, SharedVariables& variables, Changes& changes) {
  size_t from = marker;
  while (from > 0 && !tokens.is(from - 1, ";") && !tokens.is(from - 1, "{") && !tokens.is(from - 1, "}")) --from;
  for (size_t i = from; i < marker; ++i)
    if (tokens.is(i, "extern")) return rewrite_dynamic(tokens, i, marker, variables, changes);
  if (tokens.is(marker + 1, "extern")) return rewrite_dynamic(tokens, marker, marker, variables, changes);
  if (!variables.body) return tokens.error(marker, "declare __shared__ variables inside the kernel");
  return rewrite_variables(tokens, from, marker, variables, changes);
}

}  // namespace harness
