#include "harness/build/builder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "harness/base/hash.h"
#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/sandbox/child.h"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

// Writable for the user that the sandbox turns into; nobody else sees the folder.
void open_to_all(const fs::path& folder) { chmod(folder.c_str(), 0777); }

bool is_header(const fs::path& path) {
  const std::string e = path.extension().string();
  return e == ".h" || e == ".hpp" || e == ".cuh" || e == ".inc";
}

}  // namespace

// Every header beside the source and in lab/ counts: what a file includes is only known after preprocessing,
// and a variant's folder is small.
Result<std::string> Builder::headers_hash(const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  auto& known = header_hashes_[folder.string()];
  if (!known.empty()) return known;
  std::vector<fs::path> headers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file() && is_header(entry.path())) headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  Hash hash;
  for (const fs::path& header : headers) {
    TRY_ASSIGN(const std::string text, read_file(header));
    hash.add(header.filename().string()).add(text);
  }
  known = hash.hex();
  return known;
}

Result<std::string> Builder::key_of(const Recipe& recipe, const fs::path& source, const Backend& backend,
                                    Build& build) {
  Hash hash;
  TRY_ASSIGN(const std::string text, read_file(source));
  build.source_hash = sha256(text);
  if (const Tool* compiler = find_tool(*options_.machine, backend.compiler()))
    build.compiler = compiler->version;
  hash.add(backend.name()).add(build.compiler).add(build.source_hash).add(options_.sandbox->name());
  for (const auto& step : recipe.steps) hash.add(join(step, "\x1f"));
  for (const fs::path& trusted : recipe.sources) {
    TRY_ASSIGN(const std::string trusted_text, read_file(trusted));
    hash.add(trusted_text);
  }
  for (const fs::path& folder : {options_.labs / "lab", source.parent_path()}) {
    TRY_ASSIGN(const std::string headers, headers_hash(folder));
    hash.add(headers);
  }
  return hash.hex().substr(0, 32);
}

Done Builder::run(const Recipe& recipe, const fs::path& source, const fs::path& folder, Build& build) const {
  const auto start = Clock::now();
  const fs::path ccache = options_.cache / "ccache";
  for (const auto& step : recipe.steps) {
    SandboxRequest request;
    request.command = step;
    request.folder = folder;
    request.mounts = {{options_.labs, Access::read},
                      {source.parent_path(), Access::read},
                      {folder, Access::write},
                      {ccache, Access::write}};
    for (const fs::path& mount : recipe.mounts) request.mounts.push_back({mount, Access::read});
    // A working folder of its own each time must not spoil the cache: CCACHE_NOHASHDIR.
    request.environment = {"PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin",
                           "HOME=/tmp",
                           "TMPDIR=/tmp",
                           "LC_ALL=C",
                           "CCACHE_DIR=" + ccache.string(),
                           "CCACHE_NOHASHDIR=1",
                           "CCACHE_UMASK=000",
                           "CCACHE_MAXSIZE=2G"};
    request.processes = 64;
    request.data_bytes = int64_t{6} << 30;
    request.file_bytes = int64_t{256} << 20;
    request.tmp_bytes = int64_t{1} << 30;
    TRY_ASSIGN(Child child, Child::start(*options_.sandbox, request, options_.helper));
    const double left = options_.timeout_s - std::chrono::duration<double>(Clock::now() - start).count();
    const bool ended = child.wait(std::max(left, 0.0));
    if (!ended) {
      child.kill();
      child.wait(5);
    }
    build.log += child.output();
    if (interrupted()) return Error{"interrupted", ExitCode::interrupted};
    if (!ended) {
      build.error = fmt::format("the compiler was stopped after {}", human_time(options_.timeout_s));
      break;
    }
    if (child.ended().exit != 0 || child.ended().signal != 0) {
      build.error = first_error(build.log, source);
      if (build.error.empty())
        build.error =
            child.ended().signal
                ? fmt::format("the compiler was ended by signal {}: out of memory?", child.ended().signal)
                : fmt::format("the compiler failed with exit status {}", child.ended().exit);
      break;
    }
  }
  build.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return ok();
}

Result<Build> Builder::build(const VariantInfo& variant, const Axes& macros, const Backend& backend) {
  Build build;
  build.backend = backend.name();
  std::error_code error;
  const fs::path source = fs::canonical(variant.file, error);
  if (error) return Error{fmt::format("{}: cannot read: {}", variant.file, error.message())};
  TRY_ASSIGN(auto wanted, find_needs(variant.needs));
  const Recipe recipe = backend.recipe(
      {options_.labs, source, macros, wanted, backend.gpu() ? options_.gpu_flags : options_.cxx_flags,
       backend.gpu() ? options_.architecture : ""},
      *options_.machine);
  build.command = join(recipe.steps.front(), " ");
  TRY_ASSIGN(build.key, key_of(recipe, source, backend, build));

  const fs::path home = options_.cache / "variants" / build.key;
  if (fs::exists(home / "variant.so")) {
    build.state = "cached";
    build.object = home / "variant.so";
    return build;
  }
  TRY(make_folders(options_.cache / "variants"));
  TRY(make_folders(options_.cache / "ccache"));
  open_to_all(options_.cache / "ccache");
  std::string folder = (options_.cache / "building-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return Error{fmt::format("{}: cannot create a folder; free some space or check who owns it",
                             options_.cache.string()),
                 ExitCode::machine};
  open_to_all(folder);
  const Done done = run(recipe, source, folder, build);
  if (done && build.error.empty() && !fs::exists(fs::path(folder) / "variant.so", error))
    build.error = "the compiler left no shared object";
  if (!done || !build.error.empty()) {
    fs::remove_all(folder, error);
    TRY(done);
    build.state = "failed";
    return build;
  }
  chmod(folder.c_str(), 0755);
  fs::rename(folder, home, error);  // another process may have been faster with the same content
  if (error) fs::remove_all(folder, error);
  build.state = "built";
  build.object = home / "variant.so";
  return build;
}

}  // namespace harness
