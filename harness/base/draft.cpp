#include "harness/base/draft.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <vector>

namespace harness {
namespace {

constexpr std::string_view last = ".tmp";

const std::string& host() {
  static const std::string name = [] {
    char text[256] = {};
    return gethostname(text, sizeof text - 1) == 0 && *text ? std::string(text) : std::string("localhost");
  }();
  return name;
}

// The process in a name that ends in ".HOST.PID.tmp"; 0 for other names.
pid_t writer_of(std::string_view name) {
  if (name.size() < last.size() || name.substr(name.size() - last.size()) != last) return 0;
  name.remove_suffix(last.size());
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(dot + 1), before = name.substr(0, dot);
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  const std::string machine = "." + host();
  const bool ours = before.size() > machine.size() && before.substr(before.size() - machine.size()) == machine;
  return error == std::errc() && end == digits.data() + digits.size() && pid > 0 && ours ? pid : 0;
}

bool is_gone(pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; }

template <class Iterator>
std::vector<fs::path> abandoned(Iterator entries) {
  std::vector<fs::path> found;
  std::error_code error;
  for (; !error && entries != Iterator(); entries.increment(error)) {
    const pid_t pid = writer_of(entries->path().filename().string());
    if (pid > 0 && is_gone(pid)) found.push_back(entries->path());
  }
  return found;
}

}  // namespace

std::string draft_ending() { return fmt::format(".{}.{}{}", host(), getpid(), last); }

fs::path draft_of(const fs::path& path) {
  static std::atomic<int> drafts{0};  // threads may write the same file: each has a draft of its own
  return path.parent_path() / fmt::format(".{}.{}{}", path.filename().string(), ++drafts, draft_ending());
}

void remove_abandoned_drafts(const fs::path& folder, Depth depth) {
  std::error_code error;
  const auto found = depth == Depth::below ? abandoned(fs::recursive_directory_iterator(folder, error))
                                           : abandoned(fs::directory_iterator(folder, error));
  for (const fs::path& path : found) fs::remove_all(path, error);
}

}  // namespace harness
