#include "harness/build/kernel_functions.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "harness/base/text.h"

namespace harness {
namespace {

constexpr uintmax_t largest_ptx = 64 << 20;
constexpr size_t most_functions = 200;  // of a build; more are not kept
constexpr size_t longest_name = 300;
constexpr std::string_view ours = "ptx entry ";
// The endings of what `nvcc -keep` leaves in the folder of the build, where no sources are.
constexpr const char* kept[] = {".ii", ".ptx", ".cubin", ".fatbin", ".c", ".cpp", ".gpu", ".module_id"};

// Lines of ptxas that say nothing of interest, and those that are read.
constexpr std::string_view said_always[] = {" bytes gmem", "Compiling entry function", "Function properties for",
                                            " registers", "Compile time ="};

int64_t number_at(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value < 0 ? 0 : value;
}

/// 32 of "Used 32 registers" and " registers"; 0 if there is none.
int64_t number_before(std::string_view line, std::string_view word) {
  const size_t at = line.find(word);
  if (at == std::string_view::npos) return 0;
  size_t start = at;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  return number_at(line.substr(start, at - start));
}

/// "_Z4gemmIiEv..." -> "gemm<int>": without the type of its result and its arguments.
std::string shown_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> made(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name = status == 0 ? made.get() : symbol;
  if (name.ends_with(')')) {
    int depth = 0;
    size_t at = name.size();
    do depth += name[--at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    while (at > 0 && depth > 0);
    name.resize(at);
  }
  if (starts_with(name, "void ")) name.erase(0, 5);
  return printable(name, longest_name);
}

/// The text between two apostrophes.
std::string quoted(std::string_view line, size_t from) {
  const size_t start = line.find('\'', from), end = line.find('\'', start + 1);
  return end == std::string_view::npos ? "" : std::string(line.substr(start + 1, end - start - 1));
}

}  // namespace

std::string read_ptx(const std::string& ptx) {
  std::string text, dynamic;
  std::string entry;
  int64_t threads = 1;
  bool stated = false;
  const auto finish = [&] {
    if (!entry.empty()) text += fmt::format("{}'{}' {} threads{}\n", ours, entry, stated ? threads : 0, dynamic);
    entry.clear();
  };
  for (const std::string& full : split(ptx, '\n')) {
    const std::string_view line = trim(full);
    if (starts_with(line, ".extern .shared")) dynamic = " dynamic";
    if (const size_t at = line.find(".entry "); at != std::string_view::npos && starts_with(line, ".")) {
      finish();
      const std::string_view rest = line.substr(at + 7);
      entry = std::string(trim(rest.substr(0, rest.find_first_of("( '"))));
      threads = 1;
      stated = false;
    } else if (starts_with(line, ".maxntid ")) {
      for (const std::string& part : split(std::string(line.substr(9)), ','))
        threads *= std::clamp<int64_t>(number_at(trim(part)), 1, 1024);
      stated = true;
    }
  }
  finish();
  return text;
}

std::string take_ptx(const fs::path& folder) {
  std::string text;
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    if (std::ranges::none_of(kept, [&](const char* ending) { return name.ends_with(ending); })) continue;
    if (name.ends_with(".ptx") && fs::is_regular_file(fs::symlink_status(file, error)) &&
        fs::file_size(file, error) <= largest_ptx)
      if (const auto ptx = read_file(file)) text += read_ptx(*ptx);
    fs::remove(file, error);
  }
  return text;
}

std::vector<KernelFunction> take_kernel_functions(std::string& log) {
  std::vector<std::pair<std::string, KernelFunction>> found;  // by symbol
  std::string rest, of;
  const auto function = [&](const std::string& symbol) {
    return std::ranges::find_if(found, [&](const auto& one) { return one.first == symbol; });
  };
  for (const std::string& line : split(log, '\n')) {
    const auto at = function(of);
    if (starts_with(line, ours)) {
      if (const auto one = function(quoted(line, 0)); one != found.end()) {
        one->second.threads_per_block = static_cast<int>(std::min<int64_t>(number_before(line, " threads"), 1024));
        one->second.dynamic_shared = line.ends_with(" dynamic");
      }
    } else if (starts_with(line, "ptxas info")) {
      const size_t entry = line.find("Compiling entry function '");
      if (entry != std::string::npos && found.size() < most_functions) {
        of = quoted(line, entry);
        if (function(of) == found.end()) {
          KernelFunction made{.name = shown_name(of)};
          made.architecture = printable(quoted(line, line.find("' for '") + 1), 40);
          found.emplace_back(of, made);
        }
      } else if (at != found.end() && line.find(" registers") != std::string::npos) {
        at->second.registers = static_cast<int>(std::min<int64_t>(number_before(line, " registers"), 255));
        at->second.shared_bytes = number_before(line, " bytes smem");
      } else if (std::ranges::none_of(said_always, [&](auto words) { return line.find(words) != std::string::npos; })) {
        rest += line + "\n";
      }
    } else if (line.find(" bytes stack frame, ") != std::string::npos && starts_with(line, "    ")) {
      if (at != found.end()) {
        at->second.stack_bytes = number_before(line, " bytes stack frame");
        at->second.spill_store_bytes = number_before(line, " bytes spill stores");
        at->second.spill_load_bytes = number_before(line, " bytes spill loads");
      }
    } else {
      rest += line + "\n";
    }
  }
  rest.resize(rest.empty() ? 0 : rest.size() - 1);  // the last line had no end
  log = rest;
  std::vector<KernelFunction> functions;
  for (auto& [symbol, one] : found) {
    compute_occupancy(one);
    functions.push_back(std::move(one));
  }
  return functions;
}

}  // namespace harness
