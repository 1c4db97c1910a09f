#include "harness/plan/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/config/scalars.h"
#include "harness/kernel/value.h"

namespace harness {
namespace {

constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// NAME(argument) in code.
struct Call {
  std::string argument;
  int line = 0;
  size_t at = 0;  // of its name, in the code
};

// Linear in the length of the text: a call ends at its first ")", and no call begins inside another.
std::vector<Call> find_calls(const std::string& code, const std::string& name) {
  std::vector<Call> calls;
  int line = 1;
  size_t counted = 0;
  for (size_t at = 0; (at = code.find(name, at)) != std::string::npos;) {
    const size_t start = at;
    at += name.size();
    const bool whole_word = start == 0 || !std::strchr(letters, code[start - 1]);
    const size_t open = code.find_first_not_of(" \t", at);
    if (!whole_word || open == std::string::npos || code[open] != '(') continue;
    const size_t close = code.find(')', open);
    if (close == std::string::npos) break;
    const auto from = code.begin();
    line += static_cast<int>(
        std::count(from + static_cast<ptrdiff_t>(counted), from + static_cast<ptrdiff_t>(start), '\n'));
    counted = start;
    at = close;
    std::string argument(trim(std::string_view(code).substr(open + 1, close - open - 1)));
    // It becomes a part of messages, and no text of a student may begin a line of its own there.
    std::ranges::replace_if(argument, [](unsigned char c) { return std::isspace(c); }, ' ');
    calls.push_back({std::move(argument), line, start});
  }
  return calls;
}

std::optional<Dtype> dtype_of(const std::string& type) {
  for (const Dtype dtype : all_dtypes)
    if (type == source_name(dtype)) return dtype;
  return std::nullopt;
}

/// "define", "BLOCK 64" of `# define BLOCK 64`; empty if the line is no directive.
std::pair<std::string, std::string> directive(const std::string& line) {
  std::string_view rest = trim(line);
  if (rest.empty() || rest[0] != '#') return {};
  rest = trim(rest.substr(1));
  const size_t end = std::min(rest.find_first_not_of(letters), rest.size());
  return {std::string(rest.substr(0, end)), std::string(trim(rest.substr(end)))};
}

/// The same code with blanks instead of what is between #if 0 and its #else, #elif or #endif.
std::string without_disabled(std::string code) {
  int depth = 0;  // how many conditions are open, counted from the #if 0; 0: the line is enabled
  size_t begin = 0;
  while (begin < code.size()) {
    const size_t end = std::min(code.find('\n', begin), code.size());
    const auto [word, rest] = directive(code.substr(begin, end - begin));
    if (depth == 0) {
      if (word == "if" && rest == "0") depth = 1;
    } else if (starts_with(word, "if")) {
      ++depth;
    } else if (word == "endif" || (depth == 1 && starts_with(word, "el"))) {
      --depth;
    } else {
      std::fill(code.begin() + static_cast<ptrdiff_t>(begin), code.begin() + static_cast<ptrdiff_t>(end), ' ');
    }
    begin = end + 1;
  }
  return code;
}

/// #ifndef BLOCK, directly followed by #define BLOCK 64.
std::vector<std::pair<std::string, std::string>> find_macros(const std::string& code) {
  std::vector<std::pair<std::string, std::string>> macros;
  std::string guarded;
  for (const std::string& line : split(code, '\n')) {
    if (trim(line).empty()) continue;
    const auto [word, rest] = directive(line);
    if (word == "define" && !guarded.empty() && starts_with(rest, guarded + " ") && is_macro(guarded))
      macros.emplace_back(guarded, trim(std::string_view(rest).substr(guarded.size())));
    guarded = word == "ifndef" ? rest : "";
  }
  return macros;
}

/// The comment at the top, without its slashes and stars.
std::string head_comment(std::string_view text) {
  if (starts_with(text, "\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::vector<std::string> head;
  const auto add = [&](std::string_view line, char sign) {
    line = trim(line);
    line.remove_prefix(std::min(line.find_first_not_of(sign), line.size()));
    if (starts_with(line, " ")) line.remove_prefix(1);  // keeps further indentation
    head.push_back(printable(line, 500));
  };
  if (starts_with(text, "/*")) {
    for (const std::string& line : split(text.substr(2, text.find("*/", 2) - 2), '\n')) add(line, '*');
  } else {
    for (const std::string& line : split(text, '\n')) {
      if (!starts_with(trim(line), "//")) break;
      add(line, '/');
    }
  }
  while (!head.empty() && head.back().empty()) head.pop_back();
  while (!head.empty() && head.front().empty()) head.erase(head.begin());
  return join(head, "\n");
}

/// The paragraph of the head comment that begins with the line "Drawing:", without that line.
std::string drawing_of(const std::string& head) {
  constexpr std::string_view title = "\nDrawing:\n";
  const size_t at = head.find(title);
  if (at == std::string::npos) return "";
  const size_t from = at + title.size();
  return head.substr(from, std::min(head.find("\n\n", from), head.size()) - from);
}

/// Why the name of the file is for the other device than its entry point, or nothing.
std::string other_device(bool gpu, const fs::path& file, const std::string& kernel) {
  const auto [device, other] = gpu ? std::pair("GPU", "CPU") : std::pair("CPU", "GPU");
  const std::string name = file.filename().string(), beginning = lower(other) + '_';
  if (name.starts_with(beginning))
    return fmt::format("its entry point is for the {}, and a name that begins with {} is for the {}; write LAB_{}_{} there", device,
                       beginning, other, kernel, other);
  if (!gpu && file.extension() == ".cu")
    return "its entry point is for the CPU, and a file that ends in .cu is for a GPU; let it end in .cpp";
  return "";
}

/// A word such as LAB_GEM_CPU in a source without an entry point, or LAB_GEMM_CPU in a macro of the source.
std::string misspelt_macro(const std::string& code, const std::string& kernel) {
  const std::vector<std::string> known = {fmt::format("LAB_{}_CPU", kernel), fmt::format("LAB_{}_GPU", kernel)};
  for (size_t at = 0; (at = code.find("LAB_", at)) != std::string::npos;) {
    const std::string word = code.substr(at, std::min(code.find_first_not_of(letters, at), code.size()) - at);
    at += word.size();
    if (contains(known, word))
      return fmt::format("it defines no entry point: write {} and its type in parentheses on one line where the function begins, not "
                         "through another macro; the harness reads the source as text",
                         word);
    if (const std::string meant = did_you_mean(word, known); !meant.empty())
      return fmt::format("it defines no entry point: there is no macro {}{}", word, meant);
  }
  return "";
}

/// "x.cpp:7:1: LAB_TUNE(BLOCK): why"
std::string no_parameter(const std::string& code, const Call& call, const std::string& file, const std::string& why) {
  const size_t line_start = call.at == 0 ? std::string::npos : code.rfind('\n', call.at - 1);
  return fmt::format("{}:{}:{}: LAB_TUNE({}): {}", file, call.line, call.at - (line_start + 1) + 1,
                     printable(split(call.argument, ',').front(), 40), why);
}

/// Adds the parameter of LAB_TUNE(NAME, VALUE, ...). Otherwise returns what is wrong.
std::string add_parameter(const Call& call, VariantInfo& info) {
  TuneParameter parameter;
  std::set<int64_t> known;
  for (const std::string& part : split(call.argument, ',')) {
    const std::string word(trim(part));
    if (parameter.name.empty()) {
      parameter.name = word;
      continue;
    }
    const auto value = parse_integer(word);
    if (!value) return fmt::format("\"{}\" is not a whole number", printable(word, 40));
    if (!known.insert(*value).second) return fmt::format("{} is in the list twice", *value);
    parameter.values.push_back(*value);
  }
  const auto macro_is = [&](const auto& macro) { return macro.first == parameter.name; };
  if (std::ranges::none_of(info.macros, macro_is)) {
    std::vector<std::string> macros;
    for (const auto& [name, value] : info.macros) macros.push_back(name);
    return fmt::format("the source has no #ifndef {0} with a #define {0}{1}", printable(parameter.name, 40),
                       did_you_mean(parameter.name, macros));
  }
  for (const TuneParameter& other : info.tune)
    if (other.name == parameter.name) return "it is declared twice; keep one";
  if (parameter.values.empty())
    return fmt::format("it names no values; write for example LAB_TUNE({}, 16, 32, 64)", parameter.name);
  info.tune.push_back(std::move(parameter));
  return "";
}

}  // namespace

std::string included_file(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  for (const std::string_view word : {"#", "include"}) {
    skip_blanks();
    if (!line.starts_with(word)) return {};
    line.remove_prefix(word.size());
  }
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
  line = line.substr(1, line.find(line.front() == '"' ? '"' : '>', 1) - 1);
  line.remove_prefix(line.rfind('/') + 1);
  return line.size() > longest_file_name_bytes ? "" : composed(std::string(line));
}

Result<VariantInfo> read_source(const std::string& text, const std::string& file, const Kernel& kernel) {
  VariantInfo info;
  info.head = head_comment(text);
  info.summary = split(info.head, '\n').front();
  info.drawing = drawing_of(info.head);
  for (const std::string& line : split(text, '\n'))
    if (std::string name = included_file(line); !name.empty()) info.includes.push_back(std::move(name));
  const std::string code = without_disabled(code_only(text));
  for (const char* device : {"CPU", "GPU"}) {
    const std::string macro = fmt::format("LAB_{}_{}", upper(kernel.name()), device);
    for (const Call& call : find_calls(code, macro)) {
      const auto dtype = dtype_of(call.argument);
      if (!dtype)
        return Error{fmt::format("{}:{}: {}({}): write float, double or bf16 there; the harness reads the source as text",
                                 file, call.line, macro, printable(call.argument, 40))};
      const bool gpu = device == std::string_view("GPU");
      const bool again = std::find(info.dtypes.begin(), info.dtypes.end(), *dtype) != info.dtypes.end();
      if (!again) info.dtypes.push_back(*dtype);
      // The CPU's macros were found first.
      if (again && gpu && !info.gpu)
        info.defect = fmt::format(
            "it defines two entry points for {}, one for the CPU and one for the GPU; a variant is one "
            "file with one",
            to_string(*dtype));
      info.gpu = info.gpu || gpu;
    }
  }
  if (info.dtypes.empty())
    info.defect = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ? "it is UTF-16 text; save it as UTF-8"
                                                                              : misspelt_macro(code, upper(kernel.name()));
  for (const Call& call : find_calls(code, "LAB_NEEDS"))
    for (const std::string& need : split(call.argument, ','))
      if (!trim(need).empty()) info.needs.emplace_back(trim(need));
  for (const Call& call : find_calls(code, "LAB_PRECISION")) {
    if (!info.precision.empty() && info.precision != call.argument)
      info.defect = fmt::format("it declares LAB_PRECISION({}) and LAB_PRECISION({}); keep one", printable(info.precision, 40),
                                printable(call.argument, 40));
    info.precision = call.argument;
  }
  if (!info.dtypes.empty())
    if (const std::string why = other_device(info.gpu, file, upper(kernel.name())); !why.empty()) info.defect = why;
  info.macros = find_macros(code);
  for (const Call& call : find_calls(code, "LAB_TUNE")) {
    if (!info.defect.empty()) break;  // one suggestion: each looks at all macros
    if (const std::string why = add_parameter(call, info); !why.empty()) info.defect = no_parameter(code, call, file, why);
  }
  return info;
}

}  // namespace harness
