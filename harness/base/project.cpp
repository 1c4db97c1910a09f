#include "harness/base/project.h"

#include <unistd.h>

#include <cstdlib>

namespace harness {
namespace {

// cmake --install writes the file `installed`: root may write everywhere, also into what the package manager owns.
bool is_shared(const fs::path& root) {
  std::error_code error;
  return fs::exists(root / "installed", error) || access(root.c_str(), W_OK) != 0;
}

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value == '/' ? value : "";
}

}  // namespace

fs::path default_results(const fs::path& root) {
  std::error_code error;
  return (is_shared(root) ? fs::current_path(error) : root) / "results";
}

fs::path cache_folder(const fs::path& root) {
  if (!is_shared(root)) return root / "build/cache";
  const fs::path own = from_environment("XDG_CACHE_HOME"), home = from_environment("HOME");
  return own.empty() ? (home.empty() ? "/tmp" : home / ".cache") / "harness" : own / "harness";
}

}  // namespace harness
