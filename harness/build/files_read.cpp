#include "harness/build/files_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/base/hash.h"
#include "harness/base/text.h"

namespace harness {
namespace {

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

bool is_below_any(const fs::path& file, const std::vector<fs::path>& folders) {
  return std::ranges::any_of(folders, [&](const fs::path& folder) { return is_below(file, folder); });
}

// Whether the path begins in the folder, and no .. leaves it.
bool stays_below(const fs::path& path, const fs::path& folder) {
  fs::path begin;
  bool below = false;
  for (const fs::path& part : path) {
    begin /= part;
    const bool now = is_below(begin.lexically_normal(), folder);
    if (below && !now) return false;
    below = now;
  }
  return below;
}

}  // namespace

std::vector<std::string> files_of_rule(const std::string& rule) {
  std::vector<std::string> words;
  std::string word;
  bool behind = false;  // the colon
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (size_t i = 0; i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && next == '\n')
      end_word(), ++i;
    else if ((c == '\\' && (next == ' ' || next == '#' || next == ':')) || (c == '$' && next == '$'))
      word += next, ++i;
    else if (c == ' ' || c == '\t' || c == '\n')
      end_word();
    else if (!behind && c == ':')
      word.clear(), words.clear(), behind = true;
    else
      word += c;
  }
  end_word();
  return words;
}

Result<FilesRead> files_read(const fs::path& folder, const Origins& origins) {
  FilesRead read;
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(folder, error);
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".d") continue;
    TRY_ASSIGN(const std::string rule, read_file(entry.path()));
    const bool assembler = entry.path().filename() == list_of_assembler;
    const std::vector<fs::path> system = assembler ? std::vector<fs::path>{} : origins.system;
    for (const std::string& word : files_of_rule(rule)) {
      const fs::path opened = folder / word, named = opened.lexically_normal();
      const bool of_system = std::ranges::any_of(system, [&](const fs::path& one) { return stays_below(opened, one); });
      if (!origins.image || !of_system) {
        const fs::path file = fs::canonical(opened, error);
        const bool is_missing = bool(error);  // as the compiler's temporary files are by now
        if (is_missing ? is_below(named, folder) : is_below(file, inside) || file == "/dev/null") continue;
        // Behind a link to a folder, .. leads elsewhere than the text says.
        const bool elsewhere = !is_missing && !of_system && file != fs::canonical(named, error);
        if (is_missing || elsewhere || !(is_below_any(file, origins.own) || is_below_any(file, system))) {
          if (read.refused.empty()) read.refused = word;
          continue;
        }
      }
      read.files.push_back(named.string());
    }
  }
  std::ranges::sort(read.files);
  read.files.erase(std::ranges::unique(read.files).begin(), read.files.end());
  return read;
}

Result<std::string> FileHashes::of(const std::vector<std::string>& files, const Origins& origins) {
  Hash hash;
  for (const std::string& file : files) {
    hash.add(file);
    const bool system = is_below_any(file, origins.system);
    if (system && origins.image) continue;
    std::string one;
    if (system) {
      const std::lock_guard lock(mutex_);
      one = system_[file];
    }
    if (one.empty()) {
      TRY_ASSIGN(const std::string content, read_file(file));
      one = sha256(content);
    }
    if (system) {
      const std::lock_guard lock(mutex_);
      system_[file] = one;
    }
    hash.add(one);
  }
  return hash.hex();
}

}  // namespace harness
