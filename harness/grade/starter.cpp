#include "harness/grade/starter.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/base/language.h"
#include "harness/base/project.h"
#include "harness/base/text.h"
#include "harness/build/toolchain.h"
#include "harness/config/visible_config.h"
#include "harness/engine/run.h"
#include "harness/grade/grades.h"
#include "harness/machine/machine.h"
#include "harness/plan/source.h"

namespace harness {
namespace {

struct Skeleton {
  std::string file;  // "cpu_mine.cpp"
  std::string text;
};

/// Where a text of the starter goes, and the text.
using StarterFiles = std::vector<std::pair<std::string, std::string>>;

bool is_gpu(const std::string& variant) { return starts_with(variant, "gpu"); }

std::vector<const Sweep*> sweeps_of(const Config& config, const std::string& variant) {
  std::vector<const Sweep*> found;
  for (const Sweep& sweep : config.sweeps)
    if (std::ranges::any_of(sweep.variants, [&](const std::string& glob) { return glob_match(glob, variant); }))
      found.push_back(&sweep);
  return found;
}

/// Macros that the sweeps set, each with its first value.
Axes macros_of(const Config& config, const std::string& variant) {
  Axes macros;
  for (const Sweep* sweep : sweeps_of(config, variant))
    for (const Axis& axis : sweep->axes)
      for (size_t i = 0; i < axis.names.size(); ++i) {
        const bool applies = axis.only.empty() || std::ranges::any_of(axis.only, [&](const std::string& glob) {
                               return glob_match(glob, variant);
                             });
        if (is_macro(axis.names[i]) && applies && !find(macros, axis.names[i]))
          macros.emplace_back(axis.names[i], axis.points[0][i]);
      }
  return macros;
}

bool has_threads(const Config& config, const std::string& variant) {
  return std::ranges::any_of(sweeps_of(config, variant),
                             [](const Sweep* sweep) { return contains(axis_names(*sweep), "threads"); });
}

/// The entry points of types that the lab does not use would only confuse.
bool is_for_other_type(const std::string& line, const Config& config, const std::string& variant) {
  const auto uses = [&](Dtype type) {
    return std::ranges::any_of(sweeps_of(config, variant),
                               [&](const Sweep* sweep) { return sweep->dtype.value_or(config.dtype) == type; });
  };
  return starts_with(line, "LAB_") && std::ranges::any_of(all_dtypes, [&](Dtype type) {
           return line.find(fmt::format("({})", source_name(type))) != std::string::npos && !uses(type);
         });
}

Result<Skeleton> make_skeleton(const fs::path& root, const Config& config, const std::string& variant) {
  const std::string ending = is_gpu(variant) ? ".cu" : ".cpp";
  const fs::path file = root / "labs/starter" / (config.kernel + ending);
  std::error_code error;
  if (!fs::exists(file, error))
    return Error{fmt::format("{}: there is no such file; the kernel \"{}\" has no skeleton for students", file.string(),
                             config.kernel)};
  TRY_ASSIGN(const std::string text, read_file(file));
  TRY_ASSIGN(const VariantInfo known, read_source(text, file.string(), *find_kernel(config.kernel)));
  std::string settings;
  for (const auto& [name, value] : macros_of(config, variant))
    if (std::ranges::none_of(known.macros, [&](const auto& macro) { return macro.first == name; }))
      settings += fmt::format(
          "\n// The lab builds this file with several values of {0}.\n#ifndef {0}\n#define {0} {1}\n#endif\n", name,
          to_string(value));
  if (has_threads(config, variant))
    settings += "\n// The axis \"threads\" of the lab says how many threads OpenMP uses.\nLAB_NEEDS(openmp);\n";
  Skeleton made{variant + ending, ""};
  for (const std::string& line : split(text.substr(0, text.size() - 1), '\n')) {
    if (is_for_other_type(line, config, variant)) continue;
    made.text += line + "\n";
    if (starts_with(line, "#include \"lab/")) made.text += settings;
  }
  return made;
}

nlohmann::ordered_json compile_command(const fs::path& root, const Config& config, const fs::path& folder,
                                       const std::string& file, const Machine& machine) {
  const std::string variant = fs::path(file).stem().string();
  const Toolchain& toolchain = *find_toolchain(is_gpu(variant) ? "cuda" : "cpu");
  std::vector<std::string> words;
  if (!toolchain.unable(machine)) {
    BuildInput input;
    input.labs = root / "labs";
    input.source = folder / file;
    input.macros = macros_of(config, variant);
    input.architecture = "sm_90";
    input.flags = is_gpu(variant) ? config.gpu_flags : config.cxx_flags;
    const Recipe recipe = toolchain.recipe(input, machine);
    words = recipe.steps[recipe.shown];
  } else {  // an editor can do with less
    words = {is_gpu(variant) ? "nvcc" : "g++", "-std=c++20", "-I" + (root / "labs").string()};
    for (const std::string& flag : definitions(macros_of(config, variant))) words.push_back(flag);
    for (const std::string& word : {std::string("-c"), (folder / file).string()}) words.push_back(word);
  }
  return {{"directory", folder.string()}, {"file", (folder / file).string()}, {"arguments", words}};
}

std::string compile_commands(const fs::path& root, const Config& config, const fs::path& folder,
                             const std::vector<std::string>& sources) {
  const Machine machine = inspect_machine((cache_folder(root) / "tools.json").string());
  nlohmann::ordered_json commands = nlohmann::ordered_json::array();
  for (const std::string& file : sources) commands.push_back(compile_command(root, config, folder, file, machine));
  return commands.dump(1) + "\n";
}

Done check_empty(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return ok();
  if (!fs::is_directory(folder, error)) return Error{fmt::format("{}: is not a folder", folder.string())};
  const fs::directory_iterator first(folder, error);
  if (error) return Error{fmt::format("{}: cannot read: {}", folder.string(), error.message())};
  if (first != fs::directory_iterator())
    return Error{fmt::format("{}: is not empty; name a new folder", folder.string())};
  return ok();
}

Result<Config> load_course(const std::string& path) {
  TRY_ASSIGN(Config config, load_graded(path));
  if (config.grade->submitted().empty())
    return Error{fmt::format("{}: no rule names a variant, so there is nothing that students write", path)};
  if (!find_kernel(config.kernel))
    return Error{fmt::format("{}: unknown kernel \"{}\"{}; there are {}", to_string(config.kernel_position),
                             config.kernel, did_you_mean(config.kernel, kernel_names()), join(kernel_names(), ", "))};
  return config;
}

Done add_tables(const Config& config, StarterFiles& files) {
  TRY_ASSIGN(const std::vector<fs::path> tables, tables_of(config));
  for (const fs::path& table : tables) {
    TRY_ASSIGN(std::string text, read_file(beside(config, table.string())));
    files.emplace_back(table.string(), std::move(text));
  }
  return ok();
}

}  // namespace

Result<Starter> make_starter(const StarterOptions& options) {
  TRY_ASSIGN(const Config config, load_course(options.config));
  TRY(check_empty(options.folder));
  TRY_ASSIGN(const fs::path root, project_root());
  TRY_ASSIGN(const std::string text, visible_config(config));
  TRY_ASSIGN(Config visible, parse_config(text, config.path));
  const std::string name = config.lab + ".yaml";
  StarterFiles files = {{name, "# Made by harness init. Rules that are hidden are not in it.\n" + text}};
  TRY(add_tables(visible, files));
  std::vector<std::string> sources;
  for (const std::string& variant : config.grade->submitted()) {
    TRY_ASSIGN(Skeleton skeleton, make_skeleton(root, visible, variant));
    sources.push_back(skeleton.file);
    files.emplace_back(skeleton.file, std::move(skeleton.text));
  }
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  TRY_ASSIGN(Catalogue catalogue, load_catalogue(visible.report->value("language", "en")));
  const Speaking speaking(std::move(catalogue));
  files.emplace_back("README.md", handout(config, visible, sources));
  files.emplace_back("compile_commands.json", compile_commands(root, visible, folder, sources));
  files.emplace_back(".gitignore", "# It names folders of one machine.\n/compile_commands.json\n/.cache/\n");
  files.emplace_back(".github/workflows/grade.yml", workflow(options, name));
  Starter made;
  for (const auto& [file, content] : files) {
    TRY(make_folders((folder / file).parent_path()));
    TRY(write_file(folder / file, content));
    made.files.push_back(file);
  }
  made.hidden_rules = config.grade->hidden();
  return made;
}

Done write_compile_commands(const StarterOptions& options) {
  TRY_ASSIGN(const Config config, load_course(options.config));
  TRY_ASSIGN(const fs::path root, project_root());
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  std::vector<std::string> sources;
  std::error_code error;
  for (const std::string& variant : config.grade->submitted())
    for (const char* ending : {".cpp", ".cu"})
      if (fs::exists(folder / (variant + ending), error)) sources.push_back(variant + ending);
  if (sources.empty())
    return Error{fmt::format("{}: has none of the sources that the rules name: {}", folder.string(),
                             join(config.grade->submitted(), ", "))};
  return write_file(folder / "compile_commands.json", compile_commands(root, config, folder, sources));
}

}  // namespace harness
