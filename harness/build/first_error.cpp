#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/build/builder.h"

namespace harness {
namespace {

// Cuts the path to the file name, and rewrites nvcc's name(12): as name:12:.
std::string in_students_words(std::string line, const fs::path& source) {
  const std::string path = source.string(), name = source.filename().string();
  const size_t at = line.find(path);
  if (at == std::string::npos) return line;
  line.replace(at, path.size(), name);
  if (line[at + name.size()] == '(')
    if (const size_t close = line.find(')', at); close != std::string::npos) {
      line[at + name.size()] = ':';
      line.erase(close, 1);
    }
  // A function of the emulated device that is there for its warning.
  constexpr std::string_view call = "call to 'lab::emulated::", reason = " declared with attribute warning: ";
  if (const size_t from = line.find(call), to = line.find(reason); to != std::string::npos && from < to)
    line.erase(from, to + reason.size() - from);
  return line;
}

// Errors that name no source line: "/tmp/ccX.s:635: Error: symbol `f' is already defined" of the assembler, duplicate
// definitions of the linker, and too little memory.
std::string without_a_source(const std::string& line) {
  for (const char* word : {"out of memory allocating", "virtual memory exhausted", "Killed signal terminated program"})
    if (line.find(word) != std::string::npos) return "the compiler ran out of memory: " + line;
  for (const char* word : {": Error: ", ": Fatal error: "})
    if (const size_t at = line.find(word); at != std::string::npos)
      return "the assembler: " + line.substr(at + std::string_view(word).size());
  return line.find("multiple definition of") != std::string::npos ? line : "";
}

// What to write instead, where that is known: a need that is not declared, or a parameter that an entry point lacks.
std::string hint_for(const std::string& log) {
  if (log.find("undefined reference to `lab_body_") != std::string::npos)
    return "; the entry point has other parameters than its macro: a CPU variant gets the problem by const reference, "
           "a GPU variant also \"lab::Stream stream\"";
  for (const auto& [prefix, library] : {std::pair{"cublas", "cublas"}, {"cudnn", "cudnn"}, {"cblas_", "openblas"}, {"omp_", "openmp"}})
    if (log.find(std::string("undefined reference to `") + prefix) != std::string::npos)
      return fmt::format("; write LAB_NEEDS({}); to use this library", library);
  const bool includes_itself = log.find("#include nested depth") != std::string::npos;  // then the rest of the file is not to blame
  if (log.find("'lab' does not name a type") != std::string::npos && !includes_itself)
    return "; the interface of the lab is not included: #include \"lab/...h\"";
  if (log.find("undefined reference to `") != std::string::npos)
    return "; a variant is one file: if the definition is in another one, #include that";
  if (log.find("target specific option mismatch") == std::string::npos) return "";
  const bool wide = log.find("_mm512_") != std::string::npos, fused = log.find("_fmadd_") != std::string::npos;
  return fmt::format("; write LAB_NEEDS({}); to use these instructions", wide    ? "avx512f"
                                                                         : fused ? "avx2, fma"
                                                                                 : "avx2");
}

}  // namespace

// "In file included from path/gpu.cu:3:" or its continuation "from path/gpu.cu:3,": the student's position.
std::string including_line(const std::string& line, const fs::path& source) {
  const size_t from = line.find("from " + source.string() + ":");
  if (from == std::string::npos) return "";
  const size_t number = from + 5 + source.string().size() + 1;
  return line.substr(number, line.find_first_not_of("0123456789", number) - number);
}

// gcc and clang: "path:12:5: error: ..." or "path:12:5: fatal error: ..."; nvcc's front end: "path(12):
// error: ...", and itself "nvcc fatal   : ..."; the linker: "ld: ... undefined reference to ...". An error in a header
// of the harness, for example in a macro, is followed by a note that names the student's line; one in a template comes after it.
std::string first_error(const std::string& log, const fs::path& source) {
  std::string foreign;
  const std::string hint = hint_for(log);
  std::string included_at, used_at;
  for (const std::string& line : split(log, '\n')) {
    const bool students = line.find(source.string()) != std::string::npos;
    const size_t error = std::min({line.find("error:"), line.find("error #"), line.find("nvcc fatal")});
    const bool undefined = line.find("undefined reference") != std::string::npos;
    if (students && !foreign.empty() && line.find("note:") != std::string::npos) {
      const std::string where = line.substr(0, line.find(" note:"));
      const size_t what = foreign.find("error");
      return printable(trim(in_students_words(where + " " + foreign.substr(what), source)), 500) + hint;
    }
    if (line.find(": In instantiation of") != std::string::npos) used_at.clear();
    // The first is the innermost. Without the column: a launch was rewritten.
    if (students && used_at.empty() && line.find("  required from") != std::string::npos)
      used_at = line.substr(0, line.find(':', line.find(source.string()) + source.string().size() + 1)) + ": ";
    if (const std::string number = including_line(line, source); !number.empty()) included_at = number;
    constexpr std::string_view refusal = "error: #error \"";
    if (const size_t at = line.find(refusal); at != std::string::npos && !students && !included_at.empty())
      return fmt::format("{}:{}: error: {}", source.filename().string(), included_at,
                         printable(trim(line.substr(at + refusal.size(), line.rfind('"') - at - refusal.size())), 500));
    if (foreign.empty()) foreign = without_a_source(line);
    if (error == std::string::npos && !undefined) continue;
    if (students) return printable(trim(in_students_words(line, source)), 500) + hint;
    if (foreign.empty() && !used_at.empty() && error != std::string::npos)
      return printable(trim(in_students_words(used_at + line.substr(error), source)), 500) + hint;
    if (foreign.empty()) foreign = line;
  }
  // A message must not contain folders of this machine.
  if (const size_t colon = foreign.find(": "); foreign.rfind("/", 0) == 0 && colon != std::string::npos)
    if (const size_t slash = foreign.rfind('/', colon); slash != std::string::npos) foreign.erase(0, slash + 1);
  return printable(trim(foreign), 500) + hint;
}

std::vector<std::string> first_warnings(const std::string& log, const fs::path& source) {
  constexpr size_t most = 3;
  const std::string folder = source.parent_path().string() + "/";
  std::vector<std::string> found;
  size_t more = 0;
  for (std::string line : split(log, '\n')) {
    if (!starts_with(line, folder) || std::min(line.find("warning:"), line.find("warning #")) == std::string::npos)
      continue;
    if (line.find("#pragma omp") != std::string::npos) line += "; write LAB_NEEDS(openmp); to use OpenMP";
    line = printable(in_students_words(line.substr(folder.size()), source.filename()), 300);
    if (contains(found, line)) continue;
    if (found.size() < most)
      found.push_back(line);
    else
      ++more;
  }
  if (more > 0) found.push_back(fmt::format("{} in run.json", counted(static_cast<int64_t>(more), "more warning")));
  return found;
}

}  // namespace harness
