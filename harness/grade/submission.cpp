#include "harness/grade/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "harness/base/draft.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/grade/archive.h"
#include "harness/grade/submission_limits.h"
#include "harness/plan/source.h"
#include "harness/plan/variants.h"

namespace harness {
namespace {

constexpr int deepest = 16;
constexpr size_t longest_name_bytes = 150, longest_path_bytes = 1000;  // the harness adds to a name while it writes the copy

bool is_too_long(const fs::path& name) {
  return name.filename().string().size() > longest_name_bytes || name.string().size() > longest_path_bytes;
}

bool has_header_ending(const fs::path& file) { return contains(header_endings, file.extension().string()); }

bool is_code(const fs::path& file) { return has_source_ending(file) || has_header_ending(file); }

std::string shown(const fs::path& path) { return printable(path.string(), 200); }

/// "Cpu_AVX (1)" and "cpu-avx_final" are meant as cpu_avx.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const unsigned char c : text)
    if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
  return letters;
}

bool is_meant(const fs::path& file, const std::string& variant) {
  const std::string name = file.filename().string(), first = name.substr(0, name.find('.'));
  const auto device = [](const std::string& of) { return letters_of(of).substr(0, 3); };
  const std::set<std::string> devices = {device(first), device(variant)};
  if (devices == std::set<std::string>{"cpu", "gpu"}) return false;  // another device is no typing error
  return starts_with(letters_of(first), letters_of(variant)) || closest(first, {variant}).has_value();
}

/// The name that a file should have which is meant as this variant: "cpu_avx.cu" for "CPU-AVX.cu.txt".
std::string right_name(const fs::path& file, const std::string& variant) {
  const std::string better = better_name(file);
  for (const fs::path& name : {file, fs::path(better), file.stem()}) {
    std::string_view longest;  // ".hip.cpp" is not only ".cpp"
    for (const std::string_view ending : source_endings())
      if (name.string().ends_with(ending) && ending.size() > longest.size()) longest = ending;
    if (!longest.empty()) return variant + std::string(longest);
  }
  return variant + (variant.starts_with("gpu_") ? ".cu" : ".cpp");
}

/// Documents of a report are not meant as sources.
bool may_be_a_source(const fs::path& file) {
  const std::string ending = lower(file.extension().string());
  return contains(source_endings(), ending) || contains(misnamed_endings, ending);
}

struct Files {
  std::vector<fs::path> code, data, others;  // relative and sorted; data: tables and the like that code may include
  std::set<std::string> included;            // names in lines with #include, without folders
};
using Collected = Result<Files, Refusal>;

Refusal refuse(std::string why) { return {StudentStatus::REFUSED, std::move(why)}; }

/// A file that is misnamed was not looked at before: it may be a link, a pipe or long.
Result<std::string> read_source(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error)) || fs::file_size(file, error) > largest_source)
    return Error{"no source"};
  return read_file(file);
}

/// All that may be the name of a file: what is between two of "<>/ in a line. An include may be in a macro or behind a comment.
void add_names(std::string_view line, std::set<std::string>& names) {
  constexpr size_t most_names = 100'000;
  for (size_t at = 0; at < line.size() && names.size() < most_names;) {
    const size_t end = std::min(line.find_first_of("\"<>/", at), line.size());
    if (end > at && end < line.size() && end - at <= longest_file_name_bytes) names.insert(composed(std::string(line.substr(at, end - at))));
    at = end + 1;
  }
}

std::vector<std::string> lines_of(const fs::path& file) {
  const auto text = read_source(file);
  if (!text) return {};
  return split(starts_with(*text, "\xef\xbb\xbf") ? text->substr(3) : *text, '\n');
}

Collected collect(const fs::path& home) {
  std::error_code error;
  Files found;
  uintmax_t bytes = 0;
  size_t entries = 0;
  const auto add_to = [&](std::vector<fs::path>& files, const fs::path& name) -> std::optional<Refusal> {
    const fs::file_status status = fs::symlink_status(home / name, error);
    if (status.type() == fs::file_type::symlink) return refuse(fmt::format("{}: a link; hand in the file itself", shown(name)));
    if (status.type() != fs::file_type::regular) return refuse(fmt::format("{}: a device, pipe or socket", shown(name)));
    const uintmax_t size = fs::file_size(home / name, error);
    if (size > largest_source)
      return refuse(fmt::format("{}: {} are too much for a source", shown(name), human_bytes(static_cast<double>(size))));
    if (files.size() == most_sources || bytes + size > most_source_bytes)
      return refuse(fmt::format("its sources are more than {} files or {}", most_sources,
                                human_bytes(static_cast<double>(most_source_bytes))));
    bytes += size;
    files.push_back(name);
    return std::nullopt;
  };
  fs::recursive_directory_iterator at(home, error), end;
  for (; !error && at != end; at.increment(error)) {
    const fs::path name = at->path().lexically_relative(home);
    if (++entries > most_entries)
      return refuse(fmt::format("it has more than {} files and folders; hand in only the sources", most_entries));
    if (is_left_by_a_system(name)) {
      at.disable_recursion_pending();
      continue;
    }
    if (is_too_long(name) || is_too_long(composed(name.string())))
      return refuse(fmt::format("{}...: the name is too long", printable(name.string().substr(0, 60), 60)));
    if (at.depth() > deepest) return refuse(fmt::format("{}: deeper than {} folders", shown(name), deepest));
    if (at->symlink_status(error).type() == fs::file_type::directory) continue;
    if (!is_code(name))
      found.others.push_back(name);
    else if (auto refusal = add_to(found.code, name))
      return *std::move(refusal);
  }
  if (error) return Refusal{StudentStatus::UNREADABLE, "it cannot be read: " + error.message()};
  std::set<std::string> named;
  const auto read_names = [&](const fs::path& file) {
    for (const std::string& line : lines_of(home / file)) {
      found.included.insert(included_file(line));
      add_names(line, named);
    }
  };
  for (const fs::path& file : found.code) read_names(file);
  const auto name_of = [](const fs::path& file) { return composed(file.filename().string()); };
  const auto is_named = [&](const fs::path& file) { return named.contains(name_of(file)); };
  size_t read = 0;
  for (int depth = 0; depth < deepest && std::ranges::any_of(found.others, is_named); ++depth) {  // a table may include another one
    for (const fs::path& file : found.others)
      if (is_named(file))  // perhaps only in a text that is printed
        if (auto refusal = add_to(found.data, file); refusal && found.included.contains(name_of(file))) return *std::move(refusal);
    std::erase_if(found.others, is_named);
    for (; read < found.data.size(); ++read) read_names(found.data[read]);
  }
  for (auto* files : {&found.code, &found.data, &found.others}) std::ranges::sort(*files);
  return found;
}

/// The folder that the sources are in: archives often have one folder around them.
fs::path top_of(const std::vector<fs::path>& files) {
  fs::path top;
  while (!files.empty()) {
    const auto below = [&](const fs::path& file) { return top.empty() ? file : file.lexically_relative(top); };
    const fs::path first = *below(files.front()).begin();
    const bool all_deeper = std::ranges::all_of(
        files, [&](const fs::path& file) { return *below(file).begin() == first && below(file) != first; });
    // A folder with nothing but copies of the lab's headers is no folder around the sources.
    if (!all_deeper || (first == "lab" && std::ranges::none_of(files, has_source_ending))) break;
    top /= first;
  }
  return top;
}

/// A file that is meant as the variant, and not as another one with a longer name, or null.
const fs::path* meant_as(const std::string& variant, const std::vector<std::string>& wanted, const std::vector<fs::path>& files,
                         const Staged& staged) {
  const auto is_meant_more = [&](const fs::path& file) {
    return std::ranges::any_of(wanted, [&](const std::string& other) { return other.size() > variant.size() && is_meant(file, other); });
  };
  for (const fs::path& file : files)
    if (may_be_a_source(file) && !contains(staged.files.graded, shown(file)) && is_meant(file, variant) && !is_meant_more(file))
      return &file;
  return nullptr;
}

/// What the compiler gets: a file of the submission, and the name that it gets.
using Needed = std::vector<std::pair<fs::path, fs::path>>;

/// Sorts the sources into graded, missing and extra; returns them with the other files that the compiler may need.
Needed sort_out(const std::vector<fs::path>& files, const std::vector<fs::path>& others,
                const std::set<std::string>& included, const StagePlan& plan, Staged& staged) {
  Needed needed;
  std::map<std::string, fs::path> source_of;
  const auto grade = [&](const fs::path& file, const fs::path& name) {
    staged.files.graded.push_back(shown(file));
    needed.emplace_back(file, name);
  };
  for (const fs::path& file : files) {
    const bool inside = file.has_parent_path();
    const std::string variant = variant_name(file);
    if (inside && *file.begin() == "lab" && fs::exists(plan.labs / file)) {
      if (!contains(staged.files.extra, "lab/"))
        staged.files.extra.push_back("lab/");  // the interface is the harness's
    } else if (inside || !has_source_ending(file)) {
      needed.emplace_back(file, file);
    } else if (!contains(plan.wanted, variant)) {
      const bool is_included = included.contains(composed(file.string()));
      if (is_included && !contains(plan.lab_variants, variant)) {
        needed.emplace_back(file, file);
        continue;
      }
      staged.files.extra.push_back(shown(file));
      if (is_included)
        staged.reason = fmt::format("{} was left out, because a variant of the lab has its name; give it another name",
                                    shown(file));
    } else if (const auto [first, is_new] = source_of.emplace(variant, file); is_new) {
      grade(file, file);
    } else if (plan.files.duplicate == DuplicateFiles::first) {
      staged.files.extra.push_back(shown(file));
      staged.reason =
          fmt::format("{} and {} are both \"{}\"; the first one counts", shown(first->second), shown(file), variant);
    } else {
      staged.status = StudentStatus::REFUSED;
      staged.reason = fmt::format("{} and {} are both \"{}\"; keep one", shown(first->second), shown(file), variant);
    }
  }
  std::vector<fs::path> all = files;
  all.insert(all.end(), others.begin(), others.end());
  for (const std::string& variant : plan.wanted) {
    if (source_of.contains(variant)) continue;
    const fs::path* meant = plan.files.misnamed == MisnamedFiles::accept ? meant_as(variant, plan.wanted, all, staged) : nullptr;
    if (!meant) {
      staged.files.missing.push_back(variant);
      continue;
    }
    std::erase(staged.files.extra, shown(*meant));
    std::erase_if(needed, [&](const auto& one) { return one.first == *meant; });
    if (staged.status == StudentStatus::GRADED)
      staged.reason += (staged.reason.empty() ? "" : "; ") + fmt::format("{} counts as {}", shown(*meant), right_name(*meant, variant));
    grade(*meant, right_name(*meant, variant));
  }
  return needed;
}

void set_status(const std::vector<fs::path>& files, const std::vector<fs::path>& others, const StagePlan& plan,
                Staged& staged) {
  if (staged.status != StudentStatus::GRADED) return;
  if (plan.files.extra == ExtraFiles::refuse && !staged.files.extra.empty()) {
    staged.status = StudentStatus::REFUSED;
    staged.reason =
        fmt::format("{} is not asked for; hand in only {}", staged.files.extra.front(), join(plan.wanted, ", "));
  }
  if (staged.status != StudentStatus::GRADED || staged.files.missing.empty()) return;
  staged.status = staged.files.graded.empty() ? StudentStatus::EMPTY : StudentStatus::MISSING;
  staged.reason = "missing: " + join(staged.files.missing, ", ");
  std::vector<fs::path> all = files;
  all.insert(all.end(), others.begin(), others.end());
  const fs::path* meant = nullptr;
  for (const std::string& variant : staged.files.missing)
    if (!meant && (meant = meant_as(variant, plan.wanted, all, staged))) {
      staged.status = StudentStatus::MISNAMED;
      const std::string name = right_name(*meant, variant);
      staged.reason = meant->filename() == name
                          ? fmt::format("\"{}\" is not there, but {} is; move it to the top folder", variant, shown(*meant))
                          : fmt::format("\"{}\" is not there, but {} is; its name must be {}", variant, shown(*meant), name);
    }
  for (const fs::path& file : others)
    if (!meant && staged.files.graded.empty() && without_archive_ending(file.string()) != file.string())
      staged.reason +=
          fmt::format("; {} is an archive inside the submission; hand in the files themselves", shown(file));
  if (plan.files.missing == MissingFiles::refuse && !staged.files.graded.empty())
    staged.status = StudentStatus::REFUSED;
}

/// Files get their names with letters and accents together. Then two may have one name, or a file that of a folder.
std::optional<std::string> names_that_clash(const Needed& needed) {
  std::map<fs::path, fs::path> taken;
  for (const auto& [file, name] : needed)
    if (const auto [before, is_new] = taken.emplace(composed(name.string()), file); !is_new)
      return fmt::format("{} and {} have one name; rename one", shown(before->second), shown(file));
  for (const auto& [name, file] : taken)
    for (fs::path above = name.parent_path(); !above.empty(); above = above.parent_path())
      if (taken.contains(above)) return fmt::format("{} and the folder of {} have one name; rename one", shown(taken.at(above)), shown(file));
  return std::nullopt;
}

enum class Origin { student, archive };

/// A file or folder that needs no unpacking.
Result<Staged> stage_folder(const fs::path& submission, const StagePlan& plan, Origin origin) {
  std::error_code error;
  Staged staged;
  const auto end_with = [&](Refusal refusal) {
    staged.status = refusal.status;
    staged.reason = std::move(refusal.reason);
    staged.files.missing = plan.wanted;
    return staged;
  };
  const fs::file_status status = fs::symlink_status(submission, error);
  if (status.type() == fs::file_type::symlink) return end_with(refuse("a link; hand in the folder itself"));
  fs::path from = submission;
  Collected found = Files{{submission.filename()}, {}, {}, {}};
  if (status.type() == fs::file_type::directory)
    found = collect(submission);
  else if (status.type() == fs::file_type::regular && is_code(submission))
    from = submission.parent_path();
  else
    return end_with({StudentStatus::UNREADABLE,
                     "neither a folder, a source file nor an archive that the harness reads (zip, tar, tar.gz, tar.xz, "
                     "tar.bz2, tar.zst, git bundle)"});
  if (!found) return end_with(found.error());

  const fs::path top = top_of(found->code);
  if (origin == Origin::student) staged.files.source = (top.empty() ? from : from / top).string();
  const auto below_top = [&](const fs::path& file) { return top.empty() ? file : file.lexically_relative(top); };
  std::vector<fs::path> files;
  std::ranges::transform(found->code, std::back_inserter(files), below_top);
  for (const fs::path& file : found->data)
    if (const fs::path below = below_top(file); *below.begin() != "..") files.push_back(below);
  const Needed needed = sort_out(files, found->others, found->included, plan, staged);
  set_status(files, found->others, plan, staged);
  if (auto clash = names_that_clash(needed)) return end_with(refuse(*std::move(clash)));
  Hash hash;
  std::vector<std::string> texts;
  for (const auto& [file, name] : needed) {
    const bool is_code_file = contains(files, file);
    auto text = read_source(is_code_file ? from / top / file : from / file);
    if (!text) return end_with({StudentStatus::UNREADABLE, shown(file) + " cannot be read"});
    hash.add(name.string()).add(*text);
    texts.push_back(*std::move(text));
  }
  staged.files.hash = hash.hex().substr(0, 32);
  const fs::path folder = plan.home / staged.files.hash;
  staged.files.folder = folder.string();
  if (fs::exists(folder, error)) return staged;
  const fs::path draft = draft_of(folder);
  for (size_t i = 0; i < needed.size(); ++i) {
    const std::string name = needed[i].second.string();
    for (const std::string& one : {name, composed(name)}) {  // macOS takes letters and accents apart, and editors do not
      TRY(make_folders((draft / one).parent_path()));
      TRY(write_file(draft / one, texts[i]));
    }
  }
  TRY(make_folders(draft));
  TRY(open_to_readers(draft));
  fs::rename(draft, folder, error);
  if (error) return Error{fmt::format("{}: cannot be made: {}", folder.string(), error.message()), ExitCode::machine};
  return staged;
}

/// What services make of an upload: a folder with one archive. Its path, else that of the folder.
fs::path inner_archive(const fs::path& folder) {
  std::error_code error;
  fs::path only;
  if (!fs::is_directory(fs::symlink_status(folder, error)) || archive_kind(folder)) return folder;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (is_left_by_a_system(at->path())) continue;
    if (!only.empty()) return folder;
    only = at->path();
  }
  return !only.empty() && archive_kind(only) ? only : folder;
}

}  // namespace

bool is_left_by_a_system(const fs::path& path) {
  const std::string name = path.filename().string();
  return starts_with(name, ".") || name == "__MACOSX" || name == "desktop.ini" || name == "Thumbs.db";
}

Result<Staged> stage_submission(const fs::path& submission, const StagePlan& plan) {
  const fs::path from = inner_archive(submission);
  const auto kind = archive_kind(from);
  if (!kind) return stage_folder(from, plan, Origin::student);
  std::error_code error;
  const fs::path draft = draft_of(plan.home / "unpacked");
  fs::remove_all(draft, error);
  const auto refused = unpack_archive(from, *kind, draft, plan.sandbox);
  Result<Staged> staged = Staged{};
  if (!refused)
    staged = refused.error();
  else if (*refused)
    staged = Staged{(*refused)->status, (*refused)->reason, {.missing = plan.wanted}};
  else
    staged = stage_folder(draft, plan, Origin::archive);
  fs::remove_all(draft, error);
  return staged;
}

}  // namespace harness
