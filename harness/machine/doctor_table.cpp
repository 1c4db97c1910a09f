#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/machine/doctor.h"

namespace harness {
namespace {

constexpr size_t kWidth = 96;

// Lines of at most `width` bytes, broken at blanks. A longer word gets a line of its own, because commands must stay
// whole.
std::vector<std::string> wrap(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  for (const std::string& word : split(text, ' ')) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width)
      lines.push_back(word);
    else
      lines.back() += " " + word;
  }
  return lines;
}

}  // namespace

std::string render_doctor(const std::vector<Condition>& conditions) {
  size_t names = 0;
  int counts[3] = {};
  for (const Condition& f : conditions) {
    names = std::max(names, f.name.size());
    ++counts[static_cast<int>(f.state)];
  }
  std::string text;
  for (const Condition& f : conditions) {
    std::string head = fmt::format("{:<7}  {:<{}}  ", to_string(f.state), f.name, names);
    const auto add = [&](const std::string& label, const std::string& value) {
      if (value.empty()) return;
      std::string start = label;
      for (const std::string& line : wrap(value, kWidth - head.size() - label.size())) {
        text += head + start + line + "\n";
        head.assign(head.size(), ' ');
        start.assign(start.size(), ' ');
      }
    };
    add("", f.what);
    add("cost: ", f.cost);
    add("fix:  ", f.remedy);
  }
  return text + fmt::format("\n{} ok, {} limited, {} missing\n", counts[0], counts[1], counts[2]);
}

}  // namespace harness
