#include "harness/sanitize/sanitize.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "harness/base/files.h"
#include "harness/base/process.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// "    #0 f(int) /home/x/my.cpp:12:5 (variant.so+0x1)" -> "my.cpp:12"; empty if the file is not in the folder.
std::string student_line(const std::string& frame, const std::string& folder) {
  const size_t at = frame.find(folder);
  if (at == std::string::npos) return "";
  const std::string position = frame.substr(at + folder.size(), frame.find(' ', at) - at - folder.size());
  const std::vector<std::string> parts = split(position, ':');
  return parts.size() < 2 ? position : parts[0] + ":" + parts[1];
}

// The first line of the student's from `row` on, until an empty row.
std::string next_student_line(const std::vector<std::string>& rows, size_t row, const std::string& folder) {
  for (; row < rows.size() && !trim(rows[row]).empty(); ++row)
    if (const std::string line = student_line(rows[row], folder); !line.empty()) return line;
  return "an unknown line";
}

// "my.cpp:12"
void read_position(const std::string& text, std::string& file, int& line) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2) return;
  file = parts[0];
  line = std::atoi(parts[1].c_str());
}

SanitizerReport race(const std::vector<std::string>& rows, size_t first, const std::string& folder) {
  const std::string what = rows[first].substr(rows[first].find(": ", rows[first].find("ThreadSanitizer")) + 2);
  SanitizerReport report{"data_race", Status::WRONG};
  std::vector<std::string> accesses;  // "write at my.cpp:12"
  for (size_t i = first + 1; i < rows.size() && accesses.size() < 2; ++i)
    for (const char* kind : {"write", "read"})
      if (rows[i].find(" of size ") != std::string::npos &&
          (starts_with(trim(rows[i]), std::string("Previous ") + kind) ||
           strncasecmp(trim(rows[i]).data(), kind, 4) == 0))
      {
        const std::string at = next_student_line(rows, i + 1, folder);
        const bool is_first = accesses.empty();
        read_position(at, is_first ? report.file : report.other_file, is_first ? report.line : report.other_line);
        accesses.push_back(fmt::format("a {} at {}", kind, at));
      }
  report.what =
      fmt::format("{}: {}", what.substr(0, what.find(" (pid")), join(accesses, " and, in another thread, "));
  report.fix = "give each thread its own data, or protect it with a std::mutex";
  return report;
}

SanitizerReport at_line(SanitizerReport report, const std::string& position) {
  read_position(position, report.file, report.line);
  return report;
}

}  // namespace

std::vector<std::string> sanitizer_flags(const std::string& sanitizer) {
  if (sanitizer.empty()) return {};
  return {"-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=" + sanitizer, "-fno-sanitize-recover=all"};
}

std::optional<std::string> unable_to_sanitize(const std::string& sanitizer, const VariantInfo& variant) {
  if (sanitizer.empty()) return std::nullopt;
  if (variant.gpu) return "--sanitize is for CPU variants; the emulated device looks for such mistakes of GPU variants";
  const bool openmp = std::find(variant.needs.begin(), variant.needs.end(), "openmp") != variant.needs.end();
  if (openmp && sanitizer == "thread") return "--sanitize thread does not understand the barriers of gcc's OpenMP";
  return std::nullopt;
}

// The thread sanitizer takes what a fence orders for a race. gcc warns where it compiles a C++ fence.
std::optional<std::string> unable_to_sanitize(const std::string& sanitizer, const std::string& log) {
  if (sanitizer != "thread" || log.find("[-Wtsan]") == std::string::npos) return std::nullopt;
  return "--sanitize thread does not understand std::atomic_thread_fence, so it did not look for races in this source";
}

void add_sanitizer(const std::string& sanitizer, WorkerSetup& setup) {
  if (sanitizer.empty()) return;
  const std::string library = sanitizer == "thread" ? "tsan" : sanitizer == "undefined" ? "ubsan" : "asan";
  // Its runtime must be loaded before everything else. It looks for __cxa_throw then, and the worker is not linked with libstdc++.
  std::string preload;
  for (const std::string& file : {fmt::format("lib{}.so", library), std::string("libstdc++.so.6")})
    if (const auto said = run_process({"g++", "-print-file-name=" + file})) preload += fmt::format("{}:", trim(said->out));
  setup.environment.push_back("LD_PRELOAD=" + preload);
  // The worker's own handler reports crashes. Only the address sanitizer keeps to the limit of memory.
  for (const char* name : {"TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
    setup.environment.push_back(
        fmt::format("{}=halt_on_error=1:print_stacktrace=1:detect_leaks=0:color=never:handle_segv=0:handle_sigbus=0:"
                    "handle_sigfpe=0:handle_abort=0:handle_sigill=0:hard_rss_limit_mb={}",
                    name, setup.memory_bytes >> 20));
  setup.variant_data_bytes = 0;  // the sanitizers map terabytes that they never touch
  setup.processes += 4;
}

Failure SanitizerReport::failure() const {
  const std::string at = kind == "data_race" ? "" : fmt::format("{}:{}: ", file.empty() ? "an unknown line" : file, line);
  return {status, at + what + (fix.empty() ? "" : "; usually: " + fix)};
}

std::optional<SanitizerReport> find_sanitizer_report(const std::string& printed, const std::string& source) {
  const std::vector<std::string> rows = split(printed, '\n');
  // As the builder gives it to the compiler.
  std::error_code error;
  const std::string folder = fs::weakly_canonical(source, error).parent_path().string() + "/";
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].find("WARNING: ThreadSanitizer: ") != std::string::npos) return race(rows, i, folder);
    constexpr std::string_view address = "ERROR: AddressSanitizer: ", undefined = "runtime error: ";
    if (const size_t at = rows[i].find(address); at != std::string::npos) {
      const std::string what = rows[i].substr(at + address.size());
      const std::string access = i + 1 < rows.size() ? rows[i + 1].substr(0, rows[i + 1].find(" at ")) : "";
      return at_line({"memory_error", Status::OUT_OF_BOUNDS, fmt::format("{} ({})", what.substr(0, what.find(" on ")), access)},
                     next_student_line(rows, i + 1, folder));
    }
    if (const size_t at = rows[i].find(undefined); at != std::string::npos)
      return at_line({"undefined_behaviour", Status::WRONG, "undefined behaviour: " + rows[i].substr(at + undefined.size())},
                     next_student_line(rows, i, folder));
  }
  return std::nullopt;
}

}  // namespace harness
