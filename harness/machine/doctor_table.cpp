#include <fmt/format.h>

#include <algorithm>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/machine/doctor.h"

namespace harness {
namespace {

constexpr size_t kWidth = 96;

// Lines of at most `width` columns, broken at blanks and behind Chinese commas. A longer word gets a line of its own,
// because commands must stay whole.
std::vector<std::string> wrap(std::string text, size_t width) {
  for (const std::string comma : {"，", "；", "、"})
    for (size_t at = 0; (at = text.find(comma, at)) != std::string::npos; ++at) text.insert(at += comma.size(), "\n");
  std::vector<std::string> lines;
  for (const std::string& words : split(text, ' ')) {
    std::string blank = " ";
    for (const std::string& word : split(words, '\n')) {
      if (lines.empty() || columns_of(lines.back() + blank + word) > width)
        lines.push_back(word);
      else
        lines.back() += blank + word;
      blank.clear();
    }
  }
  return lines;
}

}  // namespace

std::string render_doctor(const std::vector<Condition>& conditions) {
  size_t names = 0;
  int counts[3] = {};
  for (const Condition& f : conditions) {
    names = std::max(names, columns_of(told(f.name)));
    ++counts[static_cast<int>(f.state)];
  }
  std::string text;
  for (const Condition& f : conditions) {
    std::string head = fmt::format("{:<7}  {:<{}}  ", told(std::string(to_string(f.state))), told(f.name), names);
    const auto add = [&](const std::string& label, const std::string& value) {
      if (value.empty()) return;
      std::string start = label;
      for (const std::string& line : wrap(told(value), kWidth - columns_of(head) - columns_of(label))) {
        text += head + start + line + "\n";
        head.assign(columns_of(head), ' ');
        start.assign(columns_of(start), ' ');
      }
    };
    add("", f.what);
    add(tr("cost: "), f.cost);
    add(tr("fix:  "), f.remedy);
  }
  return text + "\n" + tr("{} ok, {} limited, {} missing", counts[0], counts[1], counts[2]) + "\n";
}

}  // namespace harness
