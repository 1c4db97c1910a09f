#include "harness/build/builder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>

#include "harness/base/draft.h"
#include "harness/base/hash.h"
#include "harness/base/interrupt.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/build/beside.h"
#include "harness/plan/tuned.h"
#include "harness/plan/variants.h"
#include "harness/sandbox/child.h"
#include "harness/sandbox/users.h"

namespace harness {
namespace {

// Writable for the user that the sandbox switches to. The folder is private, so no other user can reach it.
void open_to_all(const fs::path& folder) { chmod(folder.c_str(), 0777); }

// In the cache, beside variant.so.
constexpr const char* log_name = "compiler.log";

// For the harness's own code for the emulated device: it is large, and the lab's time limit is meant for what students write.
constexpr double least_for_own_code_s = 120;

// The exit status of timeout(1) after a timeout.
constexpr int stopped_by_timeout = 124;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// A build needs some megabytes. With less, its errors are not the student's.
constexpr uint64_t least_free_bytes = 64 << 20;

Done check_space(const fs::path& folder) {
  struct statvfs disk = {};
  if (statvfs(folder.c_str(), &disk) != 0 || disk.f_bavail * disk.f_frsize >= least_free_bytes) return ok();
  return Error{fmt::format("{}: the disk is nearly full; free some space and run again: finished cases are kept",
                           folder.string()),
               ExitCode::machine};
}

// As root the compiler runs as a user of its own. What it may not read is not the student's error.
Done check_readable(const std::string& log, const std::vector<fs::path>& folders) {
  if (!full_root() || log.find("Permission denied") == std::string::npos) return ok();
  for (const fs::path& folder : folders)
    if (const fs::path closed = closed_to_others(folder); !closed.empty())
      return Error{fmt::format("{}: only its owner may read it, and the compiler runs as another user; allow it: chmod -R a+rX {}",
                               closed.string(), quoted(folder.string())),
                   ExitCode::machine};
  return ok();
}

// The name of a link or device that the build left. Whoever reads or writes there would follow it.
std::string left_link(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); entry != fs::end(entry); entry.increment(error))
    if (const auto status = entry->symlink_status(error); !fs::is_regular_file(status) && !fs::is_directory(status))
      return entry->path().filename().string();
  return "";
}

using Steps = std::vector<std::vector<std::string>>;

bool uses_ccache(const std::vector<std::string>& step) { return fs::path(step.front()).filename() == "ccache"; }

// Starting a container takes longer than most steps, so one container runs several steps, each with its own time limit.
std::vector<std::string> in_one(const Steps& steps, double timeout_s) {
  std::string script = "set -e\n";
  for (const auto& step : steps) {
    script += fmt::format("timeout --kill-after=5 {:g}", timeout_s);
    for (const std::string& word : step) script += " " + quoted(word);
    script += "\n";
  }
  return {"/bin/sh", "-c", script};
}

// What runs in one sandbox. A step that reads files of a student cannot write to ccache's folder, which all builds share.
std::vector<Steps> stages(const Steps& steps, bool contained) {
  std::vector<Steps> all;
  for (const auto& step : steps)
    if (contained && !all.empty() && uses_ccache(all.back().front()) == uses_ccache(step))
      all.back().push_back(step);
    else
      all.push_back({step});
  return all;
}

Recipe without_ccache(Recipe recipe) {
  for (auto& step : recipe.steps)
    if (uses_ccache(step)) step.erase(step.begin());
  return recipe;
}

// __has_include, also put together by ## or over two lines (a \ or ??/ at the end of the first).
bool may_ask_for_files(std::string_view text) {
  std::string joined;
  for (size_t i = 0; i < text.size(); ++i) {
    constexpr std::string_view spaces(" \t\v\f\r\0", 6);
    const size_t end = text[i] == '\\' ? text.find_first_not_of(spaces, i + 1) : std::string_view::npos;
    if (end != std::string_view::npos && text[end] == '\n')
      i = end;
    else
      joined += text[i];
  }
  return std::ranges::any_of(std::initializer_list<const char*>{"__has_", "##", "%:%:", "??/", "??="},
                             [&](const char* word) { return joined.find(word) != std::string::npos; });
}

}  // namespace

// A file that appears beside a source can take the place of one that the compiler found elsewhere, and a link to a folder can lead to
// another one. Sources of other variants and tables of tuned parameters are left out, unless a file may ask for them (__has_include).
Result<Builder::Names> Builder::names_beside(const fs::path& source) {
  TRY_ASSIGN(const std::vector<fs::path> files, files_beside(source.parent_path()));
  Names names;
  names.asked = std::ranges::any_of(files, [](const fs::path& file) {
    const auto text = read_file(file);
    return text && may_ask_for_files(*text);
  });
  for (const fs::path& file : files)
    if (names.asked || (!has_source_ending(file) && file.extension() != tuned_ending)) names.all += file.string() + "\n";
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(source.parent_path(), fs::directory_options::skip_permission_denied, error))
    if (entry.is_symlink(error) && entry.is_directory(error))
      names.all += entry.path().string() + " " + fs::read_symlink(entry.path(), error).string() + "\n";
  return names;
}

// All that decides about a build, except the files that the compiler reads beside the source.
Result<std::string> Builder::recipe_key(const Recipe& recipe, const fs::path& source, const Toolchain& toolchain,
                                        BuildResult& build) {
  Hash hash;
  TRY_ASSIGN(const std::string text, read_file(source));
  build.source_hash = sha256(text);
  if (const Tool* compiler = find_tool(*options_.machine, toolchain.compiler())) build.compiler = compiler->version;
  hash.add(toolchain.name()).add(build.compiler).add(build.source_hash).add(options_.sandbox->identity());
  for (const auto& step : recipe.steps) {
    const std::string words = join(step, "\x1f");
    hash.add(words);
    if (words.find("=native") == std::string::npos) continue;
    const auto& cpu = options_.machine->cpu;  // several machines may share the cache
    hash.add(cpu.model).add(join(cpu.features, " "));
  }
  return hash.hex();
}

Origins Builder::origins(const Recipe& recipe, const fs::path& source) const {
  Origins origins;
  origins.image = options_.sandbox->container() != nullptr;
  std::error_code error;
  for (const fs::path& folder :
       {source.parent_path(), options_.labs / "lab", options_.labs / "device", options_.build_files})
    origins.own.push_back(fs::weakly_canonical(folder, error));
  origins.system = {"/usr", "/lib", "/lib32", "/lib64", "/opt"};
  for (const fs::path& mount : recipe.mounts) origins.system.push_back(fs::weakly_canonical(mount, error));
  return origins;
}

// Fills in `build.error` if the build must not have read one of them.
Result<std::vector<std::string>> Builder::list_files(const fs::path& folder, const Origins& from,
                                                     const fs::path& source, const timespec& start,
                                                     BuildResult& build) {
  TRY_ASSIGN(FilesRead read, files_read(folder, from));
  if (!contains(read.files, source.string()))
    return Error{fmt::format("{}: the compiler has not listed the files that it read", source.string()),
                 ExitCode::machine};
  if (!read.refused.empty())
    build.error = fmt::format(
        "{} reads \"{}\", which is outside the submission, lab/ and the system's headers; copy it "
        "beside the source",
        source.filename().string(), read.refused);
  // What was compiled would be taken for the new content.
  for (const std::string& file : read.files)
    if (struct stat status = {};
        build.error.empty() && stat(file.c_str(), &status) == 0 &&
        std::pair(status.st_ctim.tv_sec, status.st_ctim.tv_nsec) > std::pair(start.tv_sec, start.tv_nsec))
      build.error = fmt::format("{} changed while it was compiled; run again", fs::path(file).filename().string());
  return std::move(read.files);
}

Result<std::string> Builder::key_of(const std::string& recipe_key, const std::vector<std::string>& files,
                                    const Origins& origins) {
  TRY_ASSIGN(const std::string hash, hashes_.of(files, origins));
  return Hash().add(recipe_key).add(hash).hex().substr(0, 32);
}

Done Builder::run(const Recipe& recipe, const fs::path& source, const fs::path& folder, BuildResult& build) const {
  const Stopwatch watch;
  TRY(check_space(folder));
  const fs::path ccache = options_.cache / "ccache";
  const bool contained = options_.sandbox->container() != nullptr;
  for (const Steps& steps : stages(recipe.steps, contained)) {
    // Sources of students are never compiled with ccache.
    const double limit_s = uses_ccache(steps.front()) ? std::max(options_.timeout_s, least_for_own_code_s) : options_.timeout_s;
    SandboxRequest request;
    request.command = contained ? in_one(steps, limit_s) : steps.front();
    request.folder = folder;
    request.mounts = {{options_.labs / "lab", Access::read},
                      {options_.labs / "device", Access::read},
                      {options_.build_files, Access::read},
                      {folder, Access::write},
                      uses_ccache(steps.front()) ? Mount{ccache, Access::write} : Mount{source.parent_path(), Access::read}};
    if (!contained)
      for (const fs::path& mount : recipe.mounts) request.mounts.push_back({mount, Access::read});
    // CCACHE_NOHASHDIR: each build has a new working folder, which must not be part of ccache's key.
    // TMPDIR: the assembler lists the compiler's temporary files, too. SOURCE_DATE_EPOCH: no build depends on its date.
    request.environment = {"PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin",
                           "HOME=/tmp",
                           "TMPDIR=" + folder.string(),
                           "LC_ALL=C",
                           "SOURCE_DATE_EPOCH=0",
                           "CCACHE_DIR=" + ccache.string(),
                           "CCACHE_NOHASHDIR=1",
                           "CCACHE_UMASK=000",
                           "CCACHE_MAXSIZE=2G"};
    request.processes = 64;
    request.data_bytes = int64_t{6} << 30;
    request.file_bytes = int64_t{64} << 20;
    request.tmp_bytes = int64_t{1} << 30;
    request.memory_bytes = request.data_bytes + request.tmp_bytes;
    TRY_ASSIGN(Child child, Child::start(*options_.sandbox, request, options_.launcher));
    bool ended = child.wait(limit_s * static_cast<double>(steps.size()));
    if (!ended) {
      child.kill();
      child.wait(5);
    }
    build.log += child.output();
    if (interrupted()) return Error{"interrupted", ExitCode::interrupted};
    if (!child.ended().began)
      return Error{fmt::format("{} started no container: {}", options_.sandbox->name(), trim(build.log)),
                   ExitCode::machine};
    ended = ended && !(contained && child.ended().exit == stopped_by_timeout);
    if (!ended) {
      build.error = fmt::format("the compiler was stopped after {}", human_time(limit_s));
      break;
    }
    if (child.ended().flooded) {
      build.error = fmt::format("the compiler printed more than {} and was stopped", human_bytes(Child::flood_bytes));
      break;
    }
    if (child.ended().exit != 0 || child.ended().signal != 0) {
      TRY(check_space(folder));
      TRY(check_readable(build.log, {source.parent_path(), options_.labs / "lab", options_.labs / "device"}));
      build.error = first_error(build.log, source);
      const int signal = child.ended().signal;
      if (build.error.empty())
        build.error = signal == SIGKILL || signal == SIGABRT  // SIGABRT: a C++ program that gets no memory
                          ? fmt::format("the compiler was ended by signal {}: out of memory?", signal)
                      : signal ? fmt::format("the compiler was ended by signal {}", signal)
                               : fmt::format("the compiler failed with exit status {}", child.ended().exit);
      break;
    }
  }
  build.seconds = watch.s();
  return ok();
}

// "gpu.cu:3:10: fatal error: thrust/sort.h: No such file or directory" with the target's reason, if it has one.
static std::string with_reason(const std::string& error, const Toolchain& toolchain) {
  constexpr std::string_view begins = "fatal error: ", ends = ": No such file or directory";
  const size_t from = error.find(begins), to = error.find(ends);
  if (from == std::string::npos || to == std::string::npos || to < from) return error;
  const std::string header = error.substr(from + begins.size(), to - from - begins.size());
  const auto reason = toolchain.lacks_header(header);
  return reason ? fmt::format("{}error: {}", error.substr(0, from), *reason) : error;
}

Result<BuildResult> Builder::build(const VariantInfo& variant, const Axes& macros, const Toolchain& toolchain) {
  BuildResult build;
  build.toolchain = toolchain.name();
  std::error_code error;
  const fs::path source = fs::canonical(variant.file, error);
  if (error) return Error{fmt::format("{}: cannot read: {}", variant.file, error.message())};
  TRY_ASSIGN(auto wanted, find_needs(variant.needs));
  const Recipe recipe = toolchain.recipe({options_.labs, options_.build_files, source, macros, wanted,
                                          toolchain.gpu() ? options_.gpu_flags : options_.cxx_flags,
                                          toolchain.gpu() ? options_.architecture : "", options_.watch},
                                         *options_.machine);
  build.command = join(recipe.steps[recipe.shown], " ");
  TRY_ASSIGN(const Names names, names_beside(source));
  TRY_ASSIGN(std::string base, recipe_key(recipe, source, toolchain, build));
  if (names.asked) base = Hash().add(base).add(names.all).hex();
  const Origins from = origins(recipe, source);
  const fs::path variants = options_.cache / "variants";
  const auto home = [&] { return variants / build.key; };
  // The files that the build before has read.
  const fs::path list = variants / (Hash().add(base).add(names.all).hex().substr(0, 32) + ".files");
  build.key = base.substr(0, 32);
  if (const auto files = read_file(list))
    if (const auto key = key_of(base, split(*files, '\n'), from); key && fs::exists(variants / *key / "variant.so")) {
      build.key = *key;
      build.state = BuildState::cached;
      build.object = home() / "variant.so";
      build.files = split(*files, '\n');
      if (auto log = read_file(home() / log_name)) build.log = *std::move(log);
      build.kernel_functions = toolchain.take_kernel_functions(build.log);
      return build;
    }
  TRY(make_folders(variants));
  TRY(make_folders(options_.cache / "ccache"));
  open_to_all(options_.cache / "ccache");
  static std::atomic<int> builds{0};
  const fs::path folder = options_.cache / fmt::format("building-{}{}", ++builds, draft_ending());
  fs::remove_all(folder, error);  // left by an earlier process with the same number
  if (mkdir(folder.c_str(), 0700) != 0)
    return Error{
        fmt::format("{}: cannot create a folder; free some space or check who owns it", options_.cache.string()),
        ExitCode::machine};
  open_to_all(folder);
  struct stat start = {};  // by the clock of the file system
  (void)stat(folder.c_str(), &start);
  Done done = run(recipe, source, folder, build);
  // A cache that cannot be read (for example because of a umask) is not the student's error.
  if (done && !build.error.empty() && build.log.find("ccache: error") != std::string::npos) {
    build.log.clear();
    build.error.clear();
    done = run(without_ccache(recipe), source, folder, build);
  }
  if (const std::string link = left_link(folder); done && build.error.empty() && !link.empty())
    build.error = fmt::format("the compiler left \"{}\", which is no file", link);
  build.error = with_reason(build.error, toolchain);
  if (!build.error.empty()) (void)toolchain.take_kernel_functions(build.log);
  if (done && build.error.empty() && !fs::exists(folder / "variant.so", error))
    build.error = "the compiler left no shared object";
  std::vector<std::string> files;
  if (done && build.error.empty()) {
    auto listed = list_files(folder, from, source, start.st_ctim, build);
    if (listed)
      files = *std::move(listed);
    else
      done = listed.error();
  }
  if (!done || !build.error.empty()) {
    fs::remove_all(folder, error);
    TRY(done);
    build.state = BuildState::failed;
    return build;
  }
  TRY_ASSIGN(build.key, key_of(base, files, from));
  build.log += toolchain.take_notes(folder);
  fs::remove(folder / "variant.o", error);
  TRY(write_file(folder / log_name, build.log));
  build.kernel_functions = toolchain.take_kernel_functions(build.log);
  chmod(folder.c_str(), 0755);
  fs::rename(folder, home(), error);  // another process may have built the same content meanwhile
  if (error) fs::remove_all(folder, error);
  TRY(write_file(list, join(files, "\n")));
  build.files = std::move(files);
  build.state = BuildState::built;
  build.object = home() / "variant.so";
  return build;
}

}  // namespace harness
