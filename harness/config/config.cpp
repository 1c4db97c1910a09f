#include "harness/config/config.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/config/config_table.h"
#include "harness/config/read.h"
#include "harness/config/scalars.h"

namespace harness {
void ExecutorSettings::take(const ExecutorSettings& newer) {
  if (!newer.partition.empty()) {
    partition = newer.partition;
    partition_from = newer.partition_from;
  }
  if (!newer.gres.empty()) gres = newer.gres;
  if (!newer.account.empty()) account = newer.account;
  if (!newer.constraint.empty()) constraint = newer.constraint;
  if (newer.time_s) time_s = newer.time_s;
  if (newer.per_job) per_job = newer.per_job;
  if (!newer.sbatch.empty()) sbatch = newer.sbatch;
}

namespace {

/// A config is written by hand, so a longer file is not a config.
constexpr size_t longest_file = 1 << 20;

void read_measure(const Yaml& node, MeasurePolicy& policy, Problems& problems) {
  if (const Yaml* y = node.find("precision")) policy.precision = *parse_ratio(y->text);
  if (const Yaml* y = node.find("max_time")) policy.max_time_s = *parse_duration(y->text);
  if (const Yaml* y = node.find("min_batch")) policy.min_batch_ms = *parse_duration(y->text) * 1e3;
  if (const Yaml* y = node.find("min_samples")) policy.min_samples = static_cast<int>(*parse_integer(y->text));
  if (const Yaml* y = node.find("max_samples")) policy.max_samples = static_cast<int>(*parse_integer(y->text));
  policy.drop_slower = text_or(node, "drop_slower", "false") == "true";
  if (text_or(node, "gpu_cache", "cold") == "hot") policy.gpu_cache = MeasurePolicy::Cache::hot;
  if (text_or(node, "cpu_cache", "fresh") == "cold") policy.cpu_cache = MeasurePolicy::CpuCache::cold;
  if (policy.min_samples > policy.max_samples)
    problems.add(node.position,
                 fmt::format("min_samples ({}) is more than max_samples ({})", policy.min_samples, policy.max_samples));
}

void read_resources(const Yaml& node, Resources& resources) {
  if (const Yaml* y = node.find("build_time")) resources.build_s = *parse_duration(y->text);
  if (const Yaml* y = node.find("case_time")) resources.case_s = *parse_duration(y->text);
  if (const Yaml* y = node.find("memory")) resources.memory_mib = *parse_bytes(y->text) >> 20;
  if (const Yaml* y = node.find("processes")) resources.processes = static_cast<int>(*parse_integer(y->text));
  if (const Yaml* y = node.find("file_size")) resources.file_mib = *parse_bytes(y->text) >> 20;
  if (const Yaml* y = node.find("output_size")) resources.output_kib = *parse_bytes(y->text) >> 10;
}

void read_container(const Yaml& root, Config& config, Problems& problems) {
  const Yaml* node = root.find("container");
  if (!node) return;
  config.container.program = "podman";
  if (node->kind == Yaml::Kind::scalar) {
    config.container.image = node->text;
  } else {
    config.container.program = text_or(*node, "program", "podman");
    config.container.image = text_or(*node, "image", "");
    config.container.mounts = words(node->find("mounts"));
  }
  if (config.sandbox.empty())
    config.sandbox = config.container.program;
  else if (config.sandbox != config.container.program)
    problems.add(config.sandbox_position,
                 fmt::format("sandbox \"{}\" and a container of {} do not go together; remove one of the two",
                             config.sandbox, config.container.program));
}

void read_sweeps(const Yaml& list, std::vector<Sweep>& sweeps, Problems& problems) {
  std::map<std::string, int> lines;
  for (const Yaml& node : list.items) {
    sweeps.push_back(read_sweep(node, problems));
    const Yaml& name = *node.find("name");
    const auto [first, is_new] = lines.emplace(name.text, name.position.line);
    if (!is_new)
      problems.add(name.position, fmt::format("duplicate sweep \"{}\" (first on line {})", name.text, first->second));
  }
}

ExecutorSettings read_executor(const Yaml& node) {
  ExecutorSettings settings;
  settings.partition = text_or(node, "partition", "");
  if (const Yaml* y = node.find("partition")) settings.partition_from = to_string(y->position);
  settings.gres = text_or(node, "gres", "");
  settings.account = text_or(node, "account", "");
  settings.constraint = text_or(node, "constraint", "");
  if (const Yaml* y = node.find("time")) settings.time_s = parse_duration(y->text);
  if (const Yaml* y = node.find("submissions_per_job")) settings.per_job = static_cast<int>(*parse_integer(y->text));
  settings.sbatch = words(node.find("sbatch"));
  return settings;
}

Position position_of(const Yaml& root, std::string_view key) {
  const Yaml* node = root.find(key);
  return node ? node->position : Position{};
}

Config read_config(const Yaml& root, Problems& problems) {
  Config config;
  config.lab = text_or(root, "lab", "");
  config.title = text_or(root, "title", config.lab);
  config.about = text_or(root, "about", "");
  config.kernel = text_or(root, "kernel", "");
  config.dtype = parse_enum<Dtype>(text_or(root, "dtype", "")).value_or(config.dtype);
  config.baseline = text_or(root, "baseline", "");
  config.vendors = words(root.find("vendor"));
  config.vendor_positions = positions(root.find("vendor"));
  config.forbid = words(root.find("forbid"));
  if (const Yaml* allowed = root.find("allowed_precisions")) config.allowed_precisions = words(allowed);
  config.sandbox = text_or(root, "sandbox", "");
  config.submissions = parse_enum<Submissions>(text_or(root, "submissions", "")).value_or(config.submissions);
  config.kernel_position = position_of(root, "kernel");
  config.baseline_position = position_of(root, "baseline");
  config.sandbox_position = position_of(root, "sandbox");
  read_container(root, config, problems);
  read_sweeps(*root.find("sweeps"), config.sweeps, problems);
  if (const Yaml* least = root.find("least_shapes")) config.least_shapes = *parse_ratio(least->text);
  if (const Yaml* measure = root.find("measure")) read_measure(*measure, config.measure, problems);
  if (const Yaml* resources = root.find("resources")) read_resources(*resources, config.resources);
  if (const Yaml* flags = root.find("flags")) {
    config.cxx_flags = words(flags->find("cxx"));
    config.gpu_flags = words(flags->find("gpu"));
  }
  if (const Yaml* device = root.find("device")) {
    config.device.max_warps = *parse_integer(device->find("max_warps")->text);
    config.device.lanes = static_cast<int>(*parse_integer(device->find("lanes")->text));
  }
  if (const Yaml* recorded = root.find("recorded_baseline"))
    config.recorded = read_recorded_baseline(*recorded, config.sweeps, problems);
  const Yaml* report = root.find("report");
  config.report =
      std::make_shared<const nlohmann::json>(read_report(report ? *report : Yaml{}, config.sweeps, problems));
  if (const Yaml* published = root.find("published"))
    for (const Yaml& entry : published->items)
      config.published.push_back(read_published(entry, config.sweeps, problems));
  if (const Yaml* claims = root.find("claims"))
    for (const Yaml& entry : claims->items) read_claim(entry, config.sweeps, config.claims, problems);
  if (const Yaml* grade = root.find("grade")) config.grade = read_grade(*grade, config, problems);
  if (const Yaml* executor = root.find("executor")) config.executor = read_executor(*executor);
  return config;
}

/// Keys and values, without positions and comments.
void add_to(Hash& hash, const Yaml& node) {
  hash.add(std::to_string(static_cast<int>(node.kind))).add(node.text).add(std::to_string(node.items.size()));
  for (size_t i = 0; i < node.items.size(); ++i) {
    if (!node.keys.empty()) hash.add(node.keys[i].text);
    add_to(hash, node.items[i]);
  }
}

std::string hash_without(const Yaml& map, const std::vector<std::string>& keys) {
  Hash hash;
  for (size_t i = 0; i < map.keys.size(); ++i)
    if (!contains(keys, map.keys[i].text)) add_to(hash.add(map.keys[i].text), map.items[i]);
  return hash.hex().substr(0, 16);
}

/// Puts the rules of another file in the place of `grade`.
Done take_rules(const std::string& file, Yaml& root) {
  TRY_ASSIGN(const std::string text, read_file(file));
  if (text.size() > longest_file)
    return Error{fmt::format("{}: {} are too much for rules; the limit is {}", file,
                             human_bytes(static_cast<double>(text.size())), human_bytes(longest_file))};
  TRY_ASSIGN(Yaml rules, parse_yaml(text, file));
  if (rules.kind != Yaml::Kind::map || root.kind != Yaml::Kind::map)
    return Error{
        fmt::format("{}: has no rules; it holds what is below \"grade\" in a config, for example rules: "
                    "[{{name: right, rule: correct, variant: cpu_avx, points: 10}}]",
                    file)};
  for (size_t i = 0; i < root.keys.size(); ++i)
    if (root.keys[i].text == "grade") {
      root.items[i] = std::move(rules);
      return ok();
    }
  Yaml key;
  key.kind = Yaml::Kind::scalar;
  key.text = "grade";
  key.position = rules.position;
  root.keys.push_back(std::move(key));
  root.items.push_back(std::move(rules));
  return ok();
}

/// Existing configs that are close to `path`.
std::vector<std::string> configs_near(const fs::path& path) {
  std::vector<std::string> found;
  for (const fs::path& folder : {path.parent_path(), fs::path("configs")}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
      if (const fs::path name = entry.path().filename(); name.extension() == ".yaml" || name.extension() == ".yml")
        found.push_back((folder / name).string());
    if (!found.empty()) break;
  }
  std::ranges::sort(found);
  return found;
}

Error no_such_file(const std::string& path) {
  const auto there = configs_near(path);
  // Names are compared without folder and extension: "lab5" means configs/lab5.yaml.
  std::vector<std::string> stems;
  for (const std::string& file : there) stems.push_back(fs::path(file).stem().string());
  const auto meant = closest(fs::path(path).stem().string(), stems);
  for (size_t i = 0; i < there.size(); ++i)
    if (there.size() == 1 || stems[i] == meant)
      return {fmt::format("{}: no such file (did you mean \"{}\"?)", path, there[i])};
  return {fmt::format("{}: no such file{}", path, there.empty() ? "" : "; there are " + join(there, ", "))};
}

}  // namespace

std::string to_string(const Position& position) {
  return fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

std::string text_or(const Yaml& map, std::string_view key, std::string otherwise) {
  const Yaml* node = map.find(key);
  return node ? node->text : otherwise;
}

std::vector<std::string> words(const Yaml* node) {
  std::vector<std::string> all;
  if (!node) return all;
  if (node->kind == Yaml::Kind::scalar) return {node->text};
  for (const Yaml& entry : node->items) all.push_back(entry.text);
  return all;
}

std::vector<Position> positions(const Yaml* node) {
  std::vector<Position> all;
  if (!node) return all;
  if (node->kind == Yaml::Kind::scalar) return {node->position};
  for (const Yaml& entry : node->items) all.push_back(entry.position);
  return all;
}

Value value_of(const Yaml& scalar) { return scalar.quoted ? Value(scalar.text) : parse_value(scalar.text); }

std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& what) {
  const std::string suggestion = did_you_mean(word, known);
  if (!suggestion.empty() || known.empty()) return suggestion;
  std::vector<std::string> once;
  for (const std::string& name : known)
    if (!contains(once, name)) once.push_back(name);
  return fmt::format("; {} {}", what, join(once, ", "));
}

Result<Config> parse_config(const std::string& text, const std::string& path, const std::string& rules_file) {
  if (text.size() > longest_file)
    return Error{fmt::format("{}: {} are too much for a config; the limit is {}", path,
                             human_bytes(static_cast<double>(text.size())), human_bytes(longest_file))};
  TRY_ASSIGN(Yaml root, parse_yaml(text, path));
  if (root.kind == Yaml::Kind::null)
    return Error{fmt::format("{}: is empty; a config starts with the keys lab, kernel and sweeps", path)};
  if (!rules_file.empty()) TRY(take_rules(rules_file, root));
  Problems problems;
  schema::validate(root, config_table(), "a config", problems);
  if (!problems.empty()) return problems.first();
  Config config = read_config(root, problems);
  if (!problems.empty()) return problems.first();
  config.path = path;
  config.text = text;
  config.run_hash = hash_without(root, {"grade", "executor"});
  if (config.grade) {
    config.grade->version = hash_without(*root.find("grade"), {});
    config.grade->intake_version = hash_without(*root.find("grade"), {"rules"});
  }
  return config;
}

// "lab5" is configs/lab5.yaml of the project, unless the working folder has such a file.
static std::string find_config(const std::string& name) {
  std::error_code error;
  if (fs::path(name).has_parent_path() || fs::path(name).has_extension() || fs::is_regular_file(name, error))
    return name;
  const auto root = project_root();
  const fs::path known = root ? *root / "configs" / (name + ".yaml") : fs::path();
  return fs::is_regular_file(known, error) ? known.string() : name;
}

Result<Config> load_config(const std::string& name, const std::string& rules_file) {
  const std::string path = find_config(name);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return no_such_file(path);
  if (fs::is_directory(status)) {
    const auto inside = configs_near(fs::path(path) / "x");
    return Error{
        fmt::format("{}: is a folder; name one file{}", path, inside.empty() ? "" : ": " + join(inside, ", "))};
  }
  if (const std::string kind = fs::path(path).extension(); kind == ".cpp" || kind == ".cu")
    return Error{fmt::format("{}: is a source; name a config, and choose its variant with --variant {}", path, fs::path(path).stem().string())};
  if (!error && !fs::is_regular_file(status)) return Error{fmt::format("{}: is not a file", path)};
  TRY_ASSIGN(const std::string text, read_file(path));
  return parse_config(text, path, rules_file);
}

fs::path beside(const Config& config, const std::string& path) { return fs::path(config.path).parent_path() / path; }

nlohmann::json config_schema() {
  nlohmann::json json = schema::to_json_schema(config_table());
  json["$schema"] = "http://json-schema.org/draft-07/schema#";
  json["title"] = "a lab for harness";
  return json;
}

bool glob_match(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace harness
