#include "harness/plan/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "harness/base/text.h"
#include "harness/plan/source.h"
#include "harness/plan/tuned.h"

namespace harness {
namespace {

constexpr std::string_view endings[] = {".hip.cpp", ".cpp", ".cc", ".cxx", ".c", ".cu"};  // the longer one first

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// A student's file may have line breaks in its name, or bytes that are no text.
std::string shown(const fs::path& path) {
  const std::string name = path.string(), quoted = fmt::format("{:?}", name);
  return quoted == '"' + name + '"' ? name : quoted;
}

Error rename(const fs::path& path) {
  return {fmt::format("{}: rename it to {}", shown(path), shown(better_name(path)))};
}

/// Names of variants are used as folders, options and keys.
bool is_good_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Result<VariantInfo> read_variant(const fs::path& path, const Kernel& kernel) {
  const std::string name = variant_name(path);
  if (!is_good_name(name))
    return Error{fmt::format("{}: a variant's file name has only letters, digits, \"_\" and \"-\"", shown(path))};
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return Error{fmt::format("{}: is not a file", shown(path))};
  if (const auto size = fs::file_size(path, error); !error && size > largest_source)
    return Error{fmt::format("{}: {} are too much for a source file; the limit is {}", path.string(),
                             human_bytes(static_cast<double>(size)), human_bytes(largest_source))};
  TRY_ASSIGN(const std::string text, read_file(path));
  TRY_ASSIGN(VariantInfo info, read_source(text, path.string(), kernel));
  info.name = name;
  info.file = path.string();
  if (const fs::path table = tuned_file(info); fs::exists(table, error)) {
    TRY_ASSIGN(const std::string rows, read_file(table));
    auto tuned = read_tuned(rows, table.filename().string(), info);
    if (tuned)
      info.tuned = *std::move(tuned);
    else if (info.defect.empty())
      info.defect = printable(tuned.error().message, 1000);
  }
  // Without an entry point, the ending of the file tells whether it was meant for a CPU or a GPU.
  if (info.dtypes.empty())
    info.gpu = ends_with(path.filename().string(), ".cu") || ends_with(path.filename().string(), ".hip.cpp");
  return info;
}

/// All sources of a folder, by name, or those with one of these names.
Result<std::vector<VariantInfo>> read_folder(const fs::path& folder, const Kernel& kernel,
                                             const std::vector<std::string>& names = {}) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) return Error{fmt::format("{}: cannot read: {}", folder.string(), error.message())};
  std::vector<fs::path> files;
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    if (!better_name(entries->path()).empty()) return rename(entries->path());
    const std::string name = variant_name(entries->path());
    if (!name.empty() && (names.empty() || contains(names, name))) files.push_back(entries->path());
  }
  std::sort(files.begin(), files.end());
  std::vector<VariantInfo> variants;
  for (const fs::path& file : files) {
    TRY_ASSIGN(VariantInfo info, read_variant(file, kernel));
    for (const VariantInfo& other : variants)
      if (other.name == info.name)
        return Error{
            fmt::format("{}: the variant \"{}\" is in {} as well; keep one", info.file, info.name, other.file)};
    variants.push_back(std::move(info));
  }
  std::sort(variants.begin(), variants.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return variants;
}

/// A part of other sources, such as a common.cpp that they include, is no variant.
void remove_included(std::vector<VariantInfo>& variants) {
  const auto is_part = [&](const VariantInfo& part) {
    const std::string file = composed(fs::path(part.file).filename().string());
    return part.dtypes.empty() && part.defect.empty() && std::ranges::any_of(variants, [&](const VariantInfo& other) {
             return &other != &part && contains(other.includes, file);
           });
  };
  std::set<std::string> parts;
  for (const VariantInfo& info : variants)
    if (is_part(info)) parts.insert(info.name);
  std::erase_if(variants, [&](const VariantInfo& info) { return parts.contains(info.name); });
}

// The compiler sees the whole folder. A link could name the file of another student, and reading a device or a pipe may
// never end.
Done check_files(const fs::path& folder) {
  std::error_code error;
  const fs::path home = fs::canonical(folder, error);
  for (auto at = fs::recursive_directory_iterator(home, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path file = folder / at->path().lexically_relative(home);
    if (at->is_symlink(error)) {
      const fs::path target = fs::weakly_canonical(at->path(), error);
      const fs::path inside = target.lexically_relative(home);
      if (inside.empty() || *inside.begin() == "..")
        return Error{fmt::format("{}: a link to \"{}\" outside of the submission; copy the file", shown(file),
                                 fs::read_symlink(at->path(), error).string())};
    } else if (!at->is_regular_file(error) && !at->is_directory(error)) {
      return Error{fmt::format("{}: a device, pipe or socket; remove it", shown(file))};
    }
  }
  return ok();
}

}  // namespace

std::string variant_name(const fs::path& path) {
  const std::string file = path.filename().string();
  for (const std::string_view ending : endings)
    if (ends_with(file, ending)) {
      const std::string name = file.substr(0, file.size() - ending.size());
      return ends_with(name, "_test") ? "" : name;
    }
  return "";
}

std::string better_name(const fs::path& path) {
  std::string ending = path.extension().string();
  if (ending == ".C" || ending == ".c++" || ending == ".cp") return path.stem().string() + ".cpp";
  ending = lower(ending);
  const bool known = std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
  return known && ending != path.extension() ? path.stem().string() + ending : "";
}

std::span<const std::string_view> source_endings() { return endings; }

bool has_source_ending(const fs::path& file) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return ends_with(file.filename().string(), ending); });
}

Result<std::vector<VariantInfo>> scan_variants(const fs::path& folder, const Kernel& kernel) {
  TRY_ASSIGN(auto variants, read_folder(folder, kernel));
  variants.erase(std::remove_if(variants.begin(), variants.end(), [](const auto& v) { return v.dtypes.empty(); }),
                 variants.end());
  return variants;
}

Done add_submission(std::vector<VariantInfo>& variants, const fs::path& folder_or_file, const Kernel& kernel,
                    Links links, const std::vector<std::string>& names) {
  std::error_code error;
  std::vector<VariantInfo> submitted;
  const std::string sources = fmt::format("{}", fmt::join(endings, ", "));
  if (!fs::exists(folder_or_file, error))
    return Error{fmt::format("{}: no such file or folder", folder_or_file.string())};
  if (fs::is_directory(folder_or_file, error)) {
    if (links == Links::inside) TRY(check_files(folder_or_file));
    TRY_ASSIGN(submitted, read_folder(folder_or_file, kernel, names));
    remove_included(submitted);
    if (submitted.empty())
      return Error{fmt::format("{}: no variant in this folder; its file name ends in one of {}, but not in _test",
                               folder_or_file.string(), sources)};
  } else {
    if (!better_name(folder_or_file).empty()) return rename(folder_or_file);
    if (variant_name(folder_or_file).empty())
      return Error{fmt::format("{}: not a variant; its file name ends in one of {}, but not in _test", folder_or_file.string(), sources)};
    TRY_ASSIGN(VariantInfo one, read_variant(folder_or_file, kernel));
    submitted.push_back(std::move(one));
  }
  for (VariantInfo& info : submitted) {
    info.from_submission = true;
    const auto same =
        std::find_if(variants.begin(), variants.end(), [&](const auto& v) { return v.name == info.name; });
    if (same != variants.end())
      *same = std::move(info);
    else
      variants.push_back(std::move(info));
  }
  std::sort(variants.begin(), variants.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return ok();
}

}  // namespace harness
