#include "harness/store/sources.h"

#include <algorithm>

#include "harness/base/hash.h"
#include "harness/base/process.h"

namespace harness {
namespace {

std::optional<std::string> from_git(const std::string& commit, const std::string& path, const fs::path& root) {
  const std::string git = find_program("git");
  const auto is_hex = [](char c) { return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f'); };
  if (git.empty() || commit.empty() || !std::ranges::all_of(commit, is_hex)) return std::nullopt;
  auto shown = run_process({git, "-C", root.string(), "cat-file", "blob", commit + ":" + path});
  if (!shown || shown->exit != 0) return std::nullopt;
  return std::move(shown->out);
}

}  // namespace

Result<std::string> keep_source(const fs::path& results, const std::string& text) {
  const fs::path folder = results / "sources";
  const std::string hash = sha256(text);
  std::error_code error;
  if (fs::exists(folder / hash, error)) return hash;
  TRY(make_folders(folder));
  TRY(write_file(folder / hash, text));
  return hash;
}

std::optional<std::string> find_source(const SourceFile& source, const fs::path& run_folder, const fs::path& root,
                                       const std::string& commit) {
  std::error_code error;
  const fs::path run = fs::weakly_canonical(run_folder, error);
  const fs::path store = run.parent_path().parent_path() / "sources";  // results/<lab>/<run>
  for (const fs::path& file : {run / "sources" / source.path, store / source.hash, root / source.path}) {
    if (source.hash.empty() || !fs::is_regular_file(file, error)) continue;
    if (auto text = read_file(file); text && sha256(*text) == source.hash) return *std::move(text);
  }
  if (auto text = from_git(commit, source.path, root); text && sha256(*text) == source.hash) return text;
  return std::nullopt;
}

SourceFile source_of(const BuildRecord& build, const RunRecord& run) {
  for (const SourceFile& source : run.sources)
    if (source.variant == build.variant && source.hash == build.source_hash) return source;
  for (const VariantRecord& variant : run.variants)
    if (variant.name == build.variant) return {variant.file, build.source_hash, variant.name};
  return {"", build.source_hash, build.variant};
}

}  // namespace harness
