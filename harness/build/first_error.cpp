#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/build/builder.h"

namespace harness {

// gcc and clang: "path:12:5: error: ..." or "path:12:5: fatal error: ..."; nvcc's front end: "path(12):
// error: ..."; the linker: "ld: ... undefined reference to ...".
std::string first_error(const std::string& log, const fs::path& source) {
  std::string other;
  for (std::string line : split(log, '\n')) {
    const size_t at = std::min(line.find("error:"), line.find("error #"));
    const bool undefined = line.find("undefined reference") != std::string::npos;
    if (at == std::string::npos && !undefined) continue;
    const std::string path = source.string(), name = source.filename().string();
    if (const size_t p = line.find(path); p != std::string::npos) {
      line.replace(p, path.size(), name);
      // nvcc writes name(12): where others write name:12:
      if (line[p + name.size()] == '(') {
        const size_t close = line.find(')', p);
        if (close != std::string::npos) {
          line[p + name.size()] = ':';
          line.erase(close, 1);
        }
      }
      return printable(trim(line), 500);
    }
    if (other.empty()) other = printable(trim(line), 500);
  }
  return other;
}

}  // namespace harness
