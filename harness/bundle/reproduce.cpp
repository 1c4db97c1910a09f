#include "harness/bundle/reproduce.h"

#include <fmt/format.h>

#include <set>

#include "harness/base/text.h"
#include "harness/bundle/bundle.h"
#include "harness/config/config.h"
#include "harness/engine/cases.h"
#include "harness/store/sources.h"

namespace harness {
namespace {

// The interface between variants and the worker belongs to this harness, and on a GPU it takes the times.
bool is_of_the_run(const SourceFile& source) {
  return !source.path.starts_with("labs/lab/") && !source.path.starts_with("labs/device/");
}

// What `--set` chose: it makes cases that the config alone does not have.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& setting : settings)
    if (const size_t at = setting.find('='); at != std::string::npos)
      all.emplace_back(setting.substr(0, at), setting.substr(at + 1));
  return all;
}

Done copy_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (error) return Error{fmt::format("{}: cannot copy: {}", from.string(), error.message()), ExitCode::machine};
  return ok();
}

bool did_run(const CaseRecord& record) {
  return record.status != Status::SKIPPED && record.status != Status::CANCELLED;
}

// The whole config, not what `--set` chose: who made the bundle could have chosen the cases that fit the claims.
Done find_left_out(const RunRecord& original, RunOptions options, MadeAgain& made) {
  options.selection = {};
  options.only.clear();
  Result<Lab> loaded = load_lab(options);
  if (!loaded && loaded.error().exit == ExitCode::nothing_selected) return ok();  // only `--set` makes cases
  if (!loaded) return loaded.error();
  TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(*loaded), Purpose::plan));
  const Result<Cases> cases = select_cases(lab);
  if (!cases) return ok();  // none of them can run here
  std::set<std::string> ran;
  for (const CaseRecord& record : original.cases)
    if (did_run(record)) ran.insert(record.id);
  for (const CaseState& state : cases->all) {
    if (!state.build || lab.only_builds(*state.build->variant)) continue;
    ++made.planned;
    if (!ran.contains(state.plan->id)) made.left_out.push_back(*state.plan);
  }
  return ok();
}

// A config from elsewhere must not make this machine read a file of its own: what it reads goes into the new run.
Done reads_only_its_own(const Config& config, const fs::path& root, const std::string& shown) {
  std::vector<std::string> files;
  for (const Published& table : config.published) files.push_back(table.file);
  if (config.recorded) files.push_back(config.recorded->file);
  for (const std::string& file : files) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(beside(config, file), error);
    if (error || fs::relative(real, fs::canonical(root), error).string().starts_with(".."))
      return Error{fmt::format("{}: this config reads \"{}\", which is outside of the folder of its run; remove it and run the config "
                               "with \"harness run\"",
                               shown, printable(file, 80))};
  }
  return ok();
}

}  // namespace

Result<MadeAgain> run_again(const RunRecord& original, const fs::path& run_folder, const RunAgain& how,
                            EventSink& events) {
  TRY_ASSIGN(const fs::path project, project_root());
  const TemporaryFolder folder;
  const fs::path& root = folder.path();
  // The config may name variants that were not part of the run: this project's own take their place and do not run.
  TRY(copy_folder(project / "labs", root / "labs"));
  TRY_ASSIGN(const Config recorded, parse_config(original.run.config.text, original.run.config.path));
  // Without consent a bundle lacks submitted files: their variants are not run.
  const bool may_lack = recorded.submissions != Submissions::shared;
  std::set<std::string> withheld;
  TRY(write_sources(original, run_folder, project, root, [&](const SourceFile& source) {
    const bool is_there = !may_lack || !is_submitted(source) || find_source(source, run_folder, project, original.run.harness.commit);
    if (!is_there && !source.variant.empty()) withheld.insert(source.variant);
    return is_there && is_of_the_run(source);
  }));
  const std::string config_name = fs::path(original.run.config.path).filename().string();
  if (config_name.empty() || config_name == "." || config_name == "..")
    return Error{fmt::format("run {}: its config is \"{}\", which is not the name of a file", original.run.id,
                             printable(original.run.config.path, 80))};
  const fs::path config_file = root / "configs" / config_name;
  TRY(make_folders(config_file.parent_path()));
  TRY(write_file(config_file, original.run.config.text));
  TRY_ASSIGN(const Config config, load_config(config_file.string()));
  if (!config.container.mounts.empty())
    return Error{fmt::format("{}: this config mounts folders of the machine into a container, which is not done for a run "
                             "from elsewhere; remove \"mounts\" and run it with \"harness run\"",
                             original.run.config.path)};
  TRY(reads_only_its_own(config, root, original.run.config.path));
  RunOptions options;
  options.config = config_file.string();
  options.root = root;
  options.results = how.results;
  options.budget_s = how.budget_s;
  options.known = Known::measure_again;
  options.sandbox = how.sandbox.empty() ? "bwrap" : how.sandbox;
  options.selection.set = pairs_of(original.run.settings);
  options.command = how.command;
  options.render = false;
  options.absent.assign(withheld.begin(), withheld.end());
  for (const CaseRecord& record : original.cases)
    if (!withheld.contains(record.variant) && did_run(record)) options.only.insert(record.id);
  if (options.only.empty())
    return Error{fmt::format("run {} has no case that can be run again{}", original.run.id,
                             withheld.empty() ? "" : ": its submitted sources are not in the bundle"),
                 ExitCode::nothing_selected};
  if (fs::exists(root / "submission")) options.submission = root / "submission";
  for (const VariantRecord& variant : original.variants)
    if (variant.from_submission) options.submitted.push_back(variant.name);
  options.device.emulates = false;  // this takes long and gives no times
  if (original.emulated) {
    const EmulatedDevice& device = *original.emulated;
    TRY_ASSIGN(options.device,
               parse_device_options("emulated", device.schedule == "in order" ? "in_order" : device.schedule,
                                    fmt::format("{}", device.lanes), device.diagnostics ? "on" : "off"));
  }
  MadeAgain made;
  for (const SourceFile& source : original.sources)
    if (!is_submitted(source) && is_of_the_run(source))
      if (const auto own = read_file(project / source.path), given = read_file(root / source.path); own && given && *own != *given)
        made.other_files.push_back(source.path);
  TRY(find_left_out(original, options, made));
  made.config = config;
  TRY_ASSIGN(made.run, run_lab(options, events));
  return made;
}

}  // namespace harness
