#include "harness/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "harness/base/draft.h"
#include "harness/base/hash.h"
#include "harness/base/project.h"
#include "harness/base/text.h"
#include "harness/config/config.h"
#include "harness/python/reports.h"
#include "harness/store/read_run.h"
#include "harness/store/sources.h"

namespace harness {
namespace {

constexpr uintmax_t largest_bundle = uintmax_t{256} << 20;

// A run.json from elsewhere may name any path.
// Compares texts, because "labs//lab" and "labs/lab" are equal as paths.
bool stays_inside(const std::string& name) {
  const fs::path path = name;
  return !name.empty() && path.is_relative() && name == path.lexically_normal().generic_string() &&
         *path.begin() != "..";
}

// What the report shows of a failure holds lines of the source: the compiler's words, and the line of a crash.
void hide_source(nlohmann::ordered_json& message, bool of_compiler) {
  static const std::regex line(R"((, at [^:\n]+:\d+): [^\n]*)");
  const auto text = message.get<std::string>();
  message = of_compiler && !text.empty() ? "the compiler refused it; its words are left out" : std::regex_replace(text, line, "$1");
}

// The head comment of a variant is a part of its source, too, and what it prints is up to it.
std::string without_words_of_students(const std::string& run_json) {
  auto document = nlohmann::ordered_json::parse(run_json);
  std::set<std::string> submitted;
  for (auto& variant : document["variants"])
    if (variant["from_submission"] == true) {
      submitted.insert(variant["name"].get<std::string>());
      for (const char* key : {"summary", "about"}) variant[key] = "";
      variant.erase("drawing");
    }
  for (auto& build : document["builds"])
    if (submitted.contains(build["variant"].get<std::string>())) {
      build["log"] = "";
      build["warnings"] = nlohmann::ordered_json::array();
    }
  for (auto& one : document["cases"])
    if (submitted.contains(one["variant"].get<std::string>())) {
      std::erase_if(one["notes"].get_ref<nlohmann::ordered_json::array_t&>(), [](const auto& note) { return note["code"] == "printed"; });
      const bool of_compiler = one["status"] == "COMPILE_ERROR";
      hide_source(one["reason"], of_compiler);
      hide_source(one["check"]["message"], of_compiler);
    }
  return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

bool is_submitted(const SourceFile& source) { return source.path.starts_with("submission/"); }

Result<size_t> write_sources(const RunRecord& run, const fs::path& run_folder, const fs::path& root, const fs::path& to,
                             const std::function<bool(const SourceFile&)>& wanted) {
  if (run.sources.empty())
    return Error{fmt::format("run {} has no sources: the harness that made it did not keep them; run the lab again",
                             run.run.id)};
  size_t written = 0;
  for (const SourceFile& source : run.sources) {
    if (!stays_inside(source.path))
      return Error{fmt::format("run {}: the source \"{}\" leaves its folder", run.run.id, printable(source.path, 200))};
    if (!wanted(source)) continue;
    const auto text = find_source(source, run_folder, root, run.run.harness.commit);
    if (!text)
      return Error{fmt::format("run {}: the text of {} is not kept here; give the bundle of the run, or run the lab again",
                               run.run.id, printable(source.path, 200))};
    TRY(make_folders((to / source.path).parent_path()));
    TRY(write_file(to / source.path, *text));
    ++written;
  }
  return written;
}

Result<MadeBundle> make_bundle(const fs::path& root, const fs::path& run_folder, const fs::path& output) {
  TRY_ASSIGN(const RunRecord run, read_run(run_folder));
  TRY_ASSIGN(const Config config, parse_config(run.run.config.text, run.run.config.path));
  const bool shared = config.submissions == Submissions::shared;
  const TemporaryFolder folder;
  MadeBundle made;
  TRY_ASSIGN(made.sources,
             write_sources(run, run_folder, root, folder.path() / "sources",
                           shared ? [](const SourceFile&) { return true; }
                                  : [](const SourceFile& source) { return !is_submitted(source); }));
  made.withheld = run.sources.size() - made.sources;
  TRY_ASSIGN(const std::string text, read_file(run_folder / "run.json"));
  TRY(write_file(folder.path() / "run.json", made.withheld ? without_words_of_students(text) : text));
  TRY_ASSIGN(const ProcessResult result, run_python(root, {"reports", "bundle", folder.path().string(), "--output",
                                                           fs::absolute(output).string()}));
  if (result.exit != 0) return python_error(result);
  made.hash = trim(result.out);
  return made;
}

Result<fs::path> unpack_bundle(const fs::path& root, const fs::path& bundle) {
  std::error_code error;
  if (const uintmax_t bytes = fs::file_size(bundle, error); !error && bytes > largest_bundle)
    return Error{fmt::format("{}: {} are too much for a bundle; the limit is {}", bundle.string(),
                             human_bytes(static_cast<double>(bytes)), human_bytes(largest_bundle))};
  TRY_ASSIGN(const std::string text, read_file(bundle));
  const fs::path home = cache_folder(root) / "bundles", folder = home / sha256(text).substr(0, 32);
  if (fs::exists(folder / "run.json", error)) return folder;
  const fs::path draft = draft_of(folder);
  TRY(make_folders(draft));
  const auto unpacked = run_python(root, {"reports.unpack", fs::absolute(bundle).string(), draft.string()});
  if (!unpacked || unpacked->exit != 0) {
    fs::remove_all(draft, error);
    return unpacked ? python_error(*unpacked) : unpacked.error();
  }
  if (const auto run = read_run(draft); !run) {
    const std::string file = (draft / "run.json").string(), why = run.error().message;
    fs::remove_all(draft, error);
    return Error{fmt::format("{}: its run cannot be read; run.json{}", bundle.string(),
                             why.substr(file.size(), why.find(';') - file.size()))};
  }
  fs::rename(draft, folder, error);  // another process may have unpacked the same
  if (error) fs::remove_all(draft, error);
  return folder;
}

}  // namespace harness
