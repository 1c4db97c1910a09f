#include "harness/config/config.h"

namespace harness {

bool glob_match(const std::string& pattern, const std::string& text) {
  size_t p = 0, t = 0;
  // Where to go on after a mismatch: behind the last star, which then takes one character more.
  size_t after_star = std::string::npos, taken_to = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_to = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (after_star != std::string::npos) {
      p = after_star;
      t = ++taken_to;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace harness
