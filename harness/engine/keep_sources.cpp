#include "harness/engine/keep_sources.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/build/beside.h"
#include "harness/plan/tuned.h"
#include "harness/store/sources.h"

namespace harness {
namespace {

constexpr uintmax_t largest_file = 1 << 20;

class Keeper {
 public:
  explicit Keeper(const PlacedLab& lab) : lab_(lab) {}

  Done keep(const fs::path& file, const fs::path& path, const std::string& variant = "") {
    const std::string name = path.lexically_normal().generic_string();
    std::error_code error;
    // A path that leaves the folder cannot be rebuilt elsewhere.
    if (name.empty() || name.starts_with("..") || name.starts_with("/")) return ok();
    if (!seen_.insert(name).second) {  // another variant named this file first
      for (SourceFile& kept : kept_)
        if (kept.path == name && !variant.empty()) kept.variant = variant;
      return ok();
    }
    if (!fs::is_regular_file(file, error)) return ok();
    if (fs::file_size(file, error) > largest_file) {
      too_large_.push_back(name);
      return ok();
    }
    const auto text = read_file(file);
    if (!text) return ok();  // the build or the config has already said what is wrong with it
    TRY_ASSIGN(std::string hash, keep_source(lab_.results, *text));
    kept_.push_back({name, std::move(hash), variant});
    texts_ += *text;
    return ok();
  }

  /// The source, and those files beside it that its builds read.
  Done keep_variant(const VariantInfo& variant, const std::set<std::string>& read) {
    std::error_code error;
    const fs::path source = fs::canonical(variant.file, error);
    if (error) return ok();
    const fs::path folder = source.parent_path();
    const fs::path home = variant.from_submission ? fs::path("submission") : fs::relative(folder, lab_.root, error);
    texts_.clear();
    TRY(keep(source, home / source.filename(), variant.name));
    TRY(keep(tuned_file(variant), home / tuned_file(variant).filename()));
    auto beside = files_beside(folder);
    if (!beside) return ok();
    if (!read.empty()) {
      for (const fs::path& file : *beside)
        if (file != source && read.contains(file.string())) TRY(keep(file, home / file.lexically_relative(folder)));
      return ok();
    }
    for (bool more = true; more;) {
      more = false;
      for (fs::path& file : *beside) {
        if (file.empty() || texts_.find(file.filename().string()) == std::string::npos) continue;
        if (file != source) TRY(keep(file, home / file.lexically_relative(folder)));
        file.clear();
        more = true;
      }
    }
    return ok();
  }

  KeptSources all() && {
    std::ranges::sort(kept_, {}, &SourceFile::path);
    return {std::move(kept_), std::move(too_large_)};
  }

 private:
  const PlacedLab& lab_;
  std::vector<SourceFile> kept_;
  std::vector<std::string> too_large_;
  std::set<std::string> seen_;
  std::string texts_;  // of the variant and the files that it names
};

}  // namespace

Result<KeptSources> keep_sources(const PlacedLab& lab, const Cases& cases) {
  Keeper keeper(lab);
  const Config& config = lab.config;
  const fs::path configs = "configs";
  TRY(keeper.keep(config.path, configs / fs::path(config.path).filename()));
  for (const Published& table : config.published)
    TRY(keeper.keep(beside(config, table.file), configs / table.file));
  if (config.recorded) TRY(keeper.keep(beside(config, config.recorded->file), configs / config.recorded->file));
  std::vector<const VariantInfo*> variants;
  std::map<const VariantInfo*, std::set<std::string>> read;
  for (const auto& build : cases.builds) {
    if (!contains(variants, build->variant)) variants.push_back(build->variant);
    read[build->variant].insert(build->result.files.begin(), build->result.files.end());
  }
  for (const VariantInfo* variant : variants) TRY(keeper.keep_variant(*variant, read[variant]));
  TRY_ASSIGN(const std::vector<fs::path> interface, files_beside(lab.root / "labs/lab"));
  for (const fs::path& file : interface) TRY(keeper.keep(file, file.lexically_relative(lab.root)));
  return std::move(keeper).all();
}

}  // namespace harness
