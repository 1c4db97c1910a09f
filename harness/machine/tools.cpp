#include "harness/machine/tools.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <future>
#include <nlohmann/json.hpp>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/machine/cache_file.h"

namespace harness {
namespace {

using nlohmann::json;

constexpr const char* kTools[] = {"g++",    "clang++",   "nvcc",   "hipcc",   "bwrap", "podman",
                                  "docker", "apptainer", "ccache", "python3", "sbatch"};

// Folders in which toolkits install their programs without adding them to $PATH.
constexpr const char* kToolkits[] = {"/usr/local/cuda/bin/", "/opt/rocm/bin/"};

std::string locate(const std::string& name) {
  if (std::string path = find_program(name); !path.empty()) return path;
  for (const char* folder : kToolkits)
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return "";
}

// Changes whenever the program does.
std::string stamp(const std::string& path) {
  struct stat s;
  if (stat(path.c_str(), &s) != 0) return "";
  return fmt::format("{}.{:09}:{}", s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_size);
}

std::string ask_version(const std::string& path) {
  const auto answer = run_process({path, "--version"}, {.timeout_s = 10, .environment = {"LC_ALL=C"}});
  return answer && answer->exit == 0 ? version_line(answer->out + "\n" + answer->err) : "";
}

}  // namespace

std::string version_line(std::string_view output) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (const std::string& line : split(output, '\n'))
    for (size_t i = 1; i + 1 < line.size(); ++i)
      if (line[i] == '.' && digit(line[i - 1]) && digit(line[i + 1])) return printable(trim(line), 200);
  return "";
}

std::vector<Tool> find_tools(const fs::path& cache_path) {
  const CacheFile file{cache_path, "harness/tools/1", "tools"};
  const json cache = file.read();
  std::vector<Tool> tools;
  std::vector<std::string> stamps;
  std::vector<std::future<std::string>> asked;  // no value if the cache has the answer
  for (const char* name : kTools) {
    Tool tool{name, locate(name), ""};
    if (tool.path.empty()) continue;
    stamps.push_back(stamp(tool.path));
    const json entry = cache.value(tool.path, json::object());
    asked.emplace_back();
    if (entry.is_object() && entry.value("stamp", json()) == stamps.back() &&
        entry.value("version", json()).is_string())
      tool.version = entry["version"];
    else
      asked.back() = std::async(std::launch::async, ask_version, tool.path);
    tools.push_back(std::move(tool));
  }

  bool news = false;
  json known = json::object();
  for (size_t i = 0; i < tools.size(); ++i) {
    if (asked[i].valid()) {
      tools[i].version = asked[i].get();
      news = news || !tools[i].version.empty();
    }
    if (!tools[i].version.empty())  // a program that failed is asked again in the next run
      known[tools[i].path] = {{"stamp", stamps[i]}, {"version", tools[i].version}};
  }
  if (news && !cache_path.empty()) (void)file.write(known);  // a cache that cannot be written is not an error
  return tools;
}

}  // namespace harness
