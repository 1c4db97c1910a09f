#include "harness/base/language.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {
namespace {

Catalogue current;
// A stored text may be several texts with one of these between them. Each is translated alone.
constexpr std::string_view separators[] = {"\n", "; ", ": "};

/// The text of a line between its quotation marks.
std::string unquoted(std::string_view line) {
  const size_t open = line.find('"'), close = line.rfind('"');
  std::string text;
  for (size_t i = open + 1; open != close && i < close; ++i)
    text += line[i] != '\\' ? line[i] : line[++i] == 'n' ? '\n' : line[i] == 't' ? '\t' : line[i];
  return text;
}

/// What stands in the braces of a format and what around them: "{name} takes {:.3g}" has the names "name" and "1".
struct Pieces {
  std::vector<std::string> names, around;
};

Pieces pieces_of(std::string_view format) {
  Pieces pieces;
  for (size_t open, close; (open = format.find('{')) != std::string_view::npos &&
                           (close = format.find('}', open)) != std::string_view::npos;
       format.remove_prefix(close + 1)) {
    pieces.around.emplace_back(format.substr(0, open));
    const std::string_view inside = format.substr(open + 1, close - open - 1);
    const std::string name(inside.substr(0, inside.find(':')));
    pieces.names.push_back(name.empty() ? std::to_string(pieces.names.size()) : name);
  }
  pieces.around.emplace_back(format);
  return pieces;
}

/// The values that turn a format into the text, if there are any. In "{}{}" the second value is empty or begins with a
/// space. Only the last value of a format may contain a separator.
std::optional<std::map<std::string, std::string>> match(const Pieces& format, const std::string& text) {
  if (!starts_with(text, format.around[0]) || !text.ends_with(format.around.back())) return std::nullopt;
  std::map<std::string, std::string> values;
  size_t at = format.around[0].size();
  for (size_t i = 0; i < format.names.size(); ++i) {
    const std::string& next = format.around[i + 1];
    const bool last = i + 1 == format.names.size();
    size_t end = last ? text.size() - next.size() : text.find(next.empty() ? " " : next, at);
    if (!last && next.empty())
      end = std::min(end, format.around[i + 2].empty() ? text.size() : text.find(format.around[i + 2], at));
    if (end == std::string::npos || end < at) return std::nullopt;
    const std::string value = text.substr(at, end - at);
    if (!last && std::ranges::any_of(separators, [&](auto& one) { return value.find(one) != std::string::npos; }))
      return std::nullopt;
    values[format.names[i]] = value;
    at = end + next.size();
  }
  return values;
}

std::string told_format(const std::string& text) {
  for (const auto& [format, translation] : current.formats) {
    const auto values = match(pieces_of(format), text);
    // The format "{}" matches every text and would be tried on its own value again, without end.
    const auto is_whole_text = [&](const auto& value) { return value.second.size() == text.size(); };
    if (!values || std::ranges::any_of(*values, is_whole_text)) continue;
    const Pieces pieces = pieces_of(translation);
    std::string made = pieces.around[0];
    for (size_t i = 0; i < pieces.names.size(); ++i) {
      const auto value = values->find(pieces.names[i]);
      // "kernel" between quotation marks is a word of the user, not one of ours.
      const bool of_the_user = pieces.around[i].ends_with('"') && starts_with(pieces.around[i + 1], "\"");
      if (value != values->end()) made += of_the_user ? value->second : told(value->second);
      made += pieces.around[i + 1];
    }
    return made;
  }
  return text;
}

std::string translated(const std::string& english) {
  const auto found = current.forms.find(english);
  return found == current.forms.end() ? english : found->second.front();
}

}  // namespace

Catalogue parse_catalogue(const std::string& text) {
  Catalogue catalogue;
  std::string id, many;
  std::vector<std::string> forms;
  bool fuzzy = false, stored = false, next_fuzzy = false, next_stored = false;
  std::string* part = nullptr;  // the text that a line with nothing but a quoted string continues
  const auto add = [&] {
    if (id.empty() || fuzzy || forms.empty() || forms[0].empty()) return;
    if (stored && id.find('{') != std::string::npos) catalogue.formats.emplace_back(id, forms[0]);
    catalogue.forms[id] = forms;
  };
  for (const std::string& line : split(text, '\n')) {
    if (starts_with(line, "#,")) next_fuzzy = line.find("fuzzy") != std::string::npos;
    next_stored |= starts_with(line, "#. stored");
    if (starts_with(line, "msgid_plural")) {
      part = &many;
    } else if (starts_with(line, "msgid")) {
      add();
      id.clear(), many.clear(), forms.clear();
      fuzzy = std::exchange(next_fuzzy, false), stored = std::exchange(next_stored, false);
      part = &id;
    } else if (starts_with(line, "msgstr")) {
      part = &forms.emplace_back();
    } else if (!starts_with(line, "\"")) {
      continue;
    }
    if (part) *part += unquoted(line);
  }
  add();
  return catalogue;
}

Result<Catalogue> load_catalogue(const std::string& asked) {
  std::string name = asked.substr(0, asked.find_first_of(".@"));
  std::ranges::replace(name, '-', '_');
  const std::string language = name.substr(0, name.find('_'));
  if (name.empty() || language == "en" || name == "C" || name == "POSIX") return Catalogue{};
  TRY_ASSIGN(const fs::path root, project_root());
  std::vector<std::string> known = {"en"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "languages", error))
    if (entry.path().extension() == ".po") known.push_back(entry.path().stem().string());
  std::ranges::sort(known);
  const auto found = std::ranges::find_if(
      known, [&](const std::string& one) { return one == name || one == language || starts_with(one, name + "_"); });
  if (found == known.end())
    return Error{fmt::format("language \"{}\": there is no such catalogue{}; there are {}", asked,
                             did_you_mean(asked, known), join(known, ", "))};
  const std::string file = contains(known, name) ? name : *found;
  TRY_ASSIGN(const std::string text, read_file(root / "languages" / (file + ".po")));
  return parse_catalogue(text);
}

Speaking::Speaking(Catalogue catalogue) : before_(std::exchange(current, std::move(catalogue))) {}
Speaking::~Speaking() { current = std::move(before_); }

std::string vtr(std::string_view english, fmt::format_args values) {
  const auto found = current.forms.find(english);
  if (found == current.forms.end()) return fmt::vformat(english, values);
  try {
    return fmt::vformat(found->second.front(), values);
  } catch (const fmt::format_error&) {  // a translation with other values: a test finds it in catalogues of the project
    return fmt::vformat(english, values);
  }
}

std::string tr_counted(int64_t n, std::string_view noun) {
  const auto found = current.forms.find(fmt::format("{{n}} {}", noun));
  if (found == current.forms.end()) return counted(n, noun);
  std::string text = n == 1 ? found->second.front() : found->second.back();
  if (const size_t at = text.find("{n}"); at != std::string::npos) text.replace(at, 3, std::to_string(n));
  return text;
}

std::string told(const std::string& text) {
  constexpr size_t longest = 600;  // a student writes parts of such texts
  if (current.forms.empty() || text.size() > longest) return text;
  if (current.forms.contains(text)) return translated(text);
  if (std::string made = told_format(text); made != text) return made;
  if (const size_t digits = text.find_first_not_of("0123456789"); digits > 0 && digits < 10 && text[digits] == ' ') {
    const std::string noun = text.substr(digits + 1, text.size() - digits - 1 - text.ends_with('s'));
    if (current.forms.contains("{n} " + noun)) return tr_counted(std::stoll(text), noun);
  }
  // What comes after a position, as in "lab5.yaml:3:5: there is no a; there are b", is one text.
  const size_t colon = text.find(": ");
  const bool has_position = colon != std::string::npos && text.find(' ') == colon + 1;
  const auto separator =
      has_position ? std::end(separators) - 1
                   : std::ranges::find_if(separators, [&](auto one) { return text.find(one) != std::string::npos; });
  if (separator == std::end(separators)) return text;
  const size_t at = text.find(*separator);
  const std::string before = text.substr(0, at), after = text.substr(at + separator->size());
  const std::string first = told(before), rest = told(after);
  return first == before && rest == after ? text : first + translated(std::string(*separator)) + rest;
}

}  // namespace harness
