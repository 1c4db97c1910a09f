#include <future>

#include "harness/base/files.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/machine/doctor.h"
#include "harness/machine/openblas.h"

extern char** environ;

namespace harness {
namespace {

// Which line of the output names the problem: for compilers the first, for other programs the last.
enum class Line { first, last };

// That line of a failed attempt; empty after a success.
std::string failure(const std::vector<std::string>& command, Line line, const std::string& folder = "") {
  const auto result = run_process(command, {.timeout_s = 10, .folder = folder, .environment = {"LC_ALL=C"}});
  if (!result) return result.error().message;
  if (result->exit == 0) return "";
  if (result->timed_out) return "no answer within 10 s";
  const std::string& text = trim(result->err).empty() ? result->out : result->err;
  const std::vector<std::string> lines = split(trim(text), '\n');
  const std::string& chosen = line == Line::first ? lines.front() : lines.back();
  return chosen.empty() ? "it failed without a word" : printable(trim(chosen), 200);
}

std::string output(const std::vector<std::string>& command) {
  const auto result = run_process(command, {.timeout_s = 10, .environment = {"LC_ALL=C"}});
  return result && result->exit == 0 ? result->out : "";
}

// Builds a program with OpenBLAS and lets it tell its kernels.
OpenblasTrial try_openblas(const Machine& machine) {
  const Tool* compiler = find_tool(machine, "g++");
  if (!compiler) compiler = find_tool(machine, "clang++");
  if (!compiler) return {.error = "no compiler to try it with"};
  const TemporaryFolder folder;
  constexpr std::string_view text =
      "#include <cblas.h>\n"
      "#include <cstdio>\n"
      "int main() { std::puts(openblas_get_corename()); }\n";
  if (const Done written = write_file(folder.path() / "try.cpp", text); !written)
    return {.error = written.error().message};
  std::string error = failure({compiler->path, "try.cpp", "-o", "try", "-lopenblas"}, Line::first, folder.path());
  if (!error.empty()) return {.error = std::move(error)};
  const auto ran = run_process({folder.path() / "try"},
                               {.timeout_s = 10, .environment = {"OPENBLAS_CORETYPE=" + openblas_core(machine.cpu)}});
  return {.core = ran && ran->exit == 0 ? std::string(trim(ran->out)) : ""};
}

// The PATH of ordinary users often lacks /sbin.
std::string ldconfig() {
  const std::string found = find_program("ldconfig");
  return found.empty() ? "/sbin/ldconfig" : found;
}

std::map<std::string, std::string> openblas_environment() {
  std::map<std::string, std::string> set;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos && starts_with(text, "OPENBLAS_"))
      set.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return set;
}

}  // namespace

Trials try_out(const Machine& machine) {
  const auto start = [](auto f) { return std::async(std::launch::async, f); };
  auto bwrap = start([] { return failure({"bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"}, Line::last); });
  auto openblas = start([&] { return try_openblas(machine); });
  auto venv = start([] { return failure({"python3", "-c", "import ensurepip, venv"}, Line::last); });
  auto slurm = start([] { return failure({"sinfo", "--noheader"}, Line::last); });
  auto libraries = start([] { return output({ldconfig(), "-p"}); });
  auto fonts = start([] { return output({"fc-list", ":lang=zh", "family"}); });

  Trials trials;
  trials.openblas_environment = openblas_environment();
  trials.emulation_error = emulation_missing(machine).value_or("");
  trials.bwrap_error = bwrap.get();
  trials.openblas = openblas.get();
  trials.venv_error = venv.get();
  trials.slurm_error = slurm.get();
  trials.libraries = libraries.get();
  trials.cjk_fonts = fonts.get();
  return trials;
}

std::vector<Condition> diagnose(const Machine& machine) { return diagnose(machine, try_out(machine)); }

}  // namespace harness
