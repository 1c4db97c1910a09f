#include "harness/store/sources.h"

#include "harness/base/hash.h"

namespace harness {

Result<std::string> keep_source(const fs::path& results, const std::string& text) {
  const fs::path folder = results / "sources";
  const std::string hash = sha256(text);
  std::error_code error;
  if (fs::exists(folder / hash, error)) return hash;
  TRY(make_folders(folder));
  TRY(write_file(folder / hash, text));
  return hash;
}

std::optional<std::string> find_source(const SourceFile& source, const fs::path& run_folder, const fs::path& root) {
  std::error_code error;
  const fs::path run = fs::weakly_canonical(run_folder, error);
  const fs::path store = run.parent_path().parent_path() / "sources";  // results/<lab>/<run>
  for (const fs::path& file : {run / "sources" / source.path, store / source.hash, root / source.path}) {
    if (source.hash.empty() || !fs::is_regular_file(file, error)) continue;
    if (auto text = read_file(file); text && sha256(*text) == source.hash) return *std::move(text);
  }
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
