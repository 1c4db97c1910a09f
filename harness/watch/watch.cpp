#include "harness/watch/watch.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// Whether a mapping of a file has pages that belong only to the process: it wrote to them, or put others in their
// place. One word for each page; see admin-guide/mm/pagemap.rst of the Linux kernel.
bool has_own_pages(int pagemap, const Mapping& one) {
  constexpr uint64_t present = uint64_t{1} << 63, swapped = uint64_t{1} << 62, of_file = uint64_t{1} << 61;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::vector<uint64_t> words((one.end - one.begin) / page);
  const auto got = pread(pagemap, words.data(), words.size() * 8, static_cast<off_t>(one.begin / page * 8));
  words.resize(got > 0 ? static_cast<size_t>(got) / 8 : 0);
  return std::ranges::any_of(words, [](uint64_t word) { return (word & (present | swapped)) && !(word & of_file); });
}

bool is_of_system(const std::string& file) { return file.starts_with("/usr/") || file.starts_with("/lib"); }

// A static library would have to be mapped by hand, by a variant that wants no name for it.
bool is_library(const std::string& file) { return file.find(".so", file.rfind('/') + 1) != std::string::npos; }

// "openblas" in libopenblas.a and in libscipy_openblas64_-1234.so, but "blas" in neither.
bool has_word(const std::string& name, const std::string& word) {
  constexpr size_t behind_lib = 3;
  for (size_t at = name.find(word, behind_lib); at != std::string::npos; at = name.find(word, at + 1))
    if (at == behind_lib || !std::isalnum(static_cast<unsigned char>(name[at - 1]))) return true;
  return false;
}

constexpr std::string_view kernels_code = "[vdso]", stack = "[stack]";

// Whether this Linux kernel shows the pages of its own code as those of a file, as long as nobody changes them.
bool knows_own_pages_of_kernel() {
  static const bool knows = [] {
    const auto maps = read_file("/proc/self/maps");
    const std::unique_ptr<FILE, int (*)(FILE*)> pages(fopen("/proc/self/pagemap", "re"), fclose);
    return maps && pages && std::ranges::none_of(read_maps(*maps), [&](const Mapping& one) {
      return one.file == kernels_code && has_own_pages(fileno(pages.get()), one);
    });
  }();
  return knows;
}

}  // namespace

std::optional<double> cpu_ms(pid_t pid) {
  clockid_t clock;
  timespec t;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return std::nullopt;
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

bool is_stopped(pid_t pid) {
  std::error_code error;
  // A process may end meanwhile.
  for (fs::directory_iterator thread(fmt::format("/proc/{}/task", pid), error), end; !error && thread != end;
       thread.increment(error)) {
    const auto stat = read_file(thread->path() / "stat");
    const size_t name_end = stat ? stat->rfind(") ") : std::string::npos;  // the name may hold any characters
    if (name_end == std::string::npos) continue;  // it has just ended
    if (std::string_view("TtZX").find((*stat)[name_end + 2]) == std::string_view::npos) return false;
  }
  return true;
}

std::vector<Mapping> read_maps(const std::string& maps) {
  std::vector<Mapping> all;
  for (const std::string& line : split(maps, '\n')) {
    // address, permissions, offset, device, inode, name. The Linux kernel's own code is in "[vdso]" and "[vsyscall]"; no
    // process can change the latter.
    Mapping one;
    char rights[5] = "";
    int name = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &one.begin, &one.end, rights, &name) < 3) continue;
    const std::string what = name > 0 ? line.substr(static_cast<size_t>(name)) : "";
    if (what == "[vsyscall]") continue;
    one.executable = rights[2] == 'x';
    if (what.starts_with('/') || what == kernels_code || what == stack) one.file = what;
    all.push_back(std::move(one));
  }
  return all;
}

Mapped mapped(const std::vector<Mapping>& mappings, const std::function<bool(const Mapping&)>& changed) {
  Mapped found;
  for (const Mapping& one : mappings) {
    if (one.executable) found.code.insert(one.file != stack && changed(one) ? "" : one.file);
    if (one.file.starts_with('/')) found.files.insert(one.file);
  }
  return found;
}

// All code of a process, with the largest libraries. To look at more would cost the harness time and memory.
constexpr uint64_t most_code_bytes = uint64_t{4} << 30;

std::optional<Mapped> mapped(pid_t pid) {
  if (pid <= 0) return std::nullopt;
  std::error_code ignored;
  // Of any thread that lives: a process goes on when its first thread has ended.
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", pid), ignored)) {
    const auto maps = read_file(thread.path() / "maps");
    if (!maps || maps->empty()) continue;
    const std::unique_ptr<FILE, int (*)(FILE*)> pages(fopen((thread.path() / "pagemap").c_str(), "re"), fclose);
    uint64_t bytes = 0;
    return mapped(read_maps(*maps), [&](const Mapping& one) {
      bytes += std::min(one.end - one.begin, most_code_bytes + 1);
      if (bytes > most_code_bytes) return true;
      if (one.file == kernels_code && !knows_own_pages_of_kernel()) return false;
      return pages && has_own_pages(fileno(pages.get()), one);
    });
  }
  return std::nullopt;
}

std::optional<std::string> find_foreign_code(const Mapped& mapped, const std::vector<std::string>& own) {
  if (mapped.code.contains(std::string(stack))) return "code on its stack (a nested function of GNU C?)";
  for (const std::string& file : mapped.code) {
    if (file.empty()) return "code that is in no file";
    if (file == kernels_code || (is_of_system(file) && is_library(file))) continue;
    if (std::find(own.begin(), own.end(), file) == own.end()) return "code from " + file;
  }
  return std::nullopt;
}

std::optional<std::string> find_library(const std::set<std::string>& files, const std::vector<std::string>& names) {
  for (const std::string& file : files) {
    const std::string name = file.substr(file.rfind('/') + 1);
    if (!name.starts_with("lib")) continue;
    for (const std::string& forbidden : names) {
      if (has_word(name, forbidden)) return name;
      // Debian's blis-pthread/libblas.so.3 is BLIS, too.
      if (is_of_system(file) && file.find("/" + forbidden + "-") != std::string::npos) return file;
    }
  }
  return std::nullopt;
}

}  // namespace harness
