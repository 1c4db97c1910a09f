#include "harness/store/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/text.h"
#include "harness/store/json_text.h"

namespace harness {
namespace {

// A run from elsewhere may have any text as a name, and commands print names within a line.
void keep_names_in_a_line(RunRecord& run) {
  Machine& machine = run.machine;
  std::vector<std::string*> names = {&run.run.id,        &run.run.lab,          &run.run.title,     &run.run.started, &run.run.config.path,
                                     &machine.os,        &machine.kernel,       &machine.cpu.model, &machine.cpu.vendor,
                                     &machine.cpu.turbo, &machine.cpu.governor, &machine.virtualization};
  for (std::string& feature : machine.cpu.features) names.push_back(&feature);
  for (Tool& tool : machine.tools) names.insert(names.end(), {&tool.name, &tool.version});
  for (CaseRecord& one : run.cases)
    names.insert(names.end(), {&one.id, &one.sweep, &one.variant, &one.label, &one.reused_from});
  for (SourceFile& source : run.sources) names.insert(names.end(), {&source.path, &source.variant});
  for (GpuInfo& gpu : machine.gpus) names.insert(names.end(), {&gpu.name, &gpu.driver});
  for (std::string* name : names) std::ranges::replace(*name, '\n', ' ');
}

const std::string* name_twice(const RunRecord& run) {
  std::set<std::string_view> seen;
  for (const CaseRecord& one : run.cases)
    if (!seen.insert(one.id).second) return &one.id;
  return nullptr;
}

}  // namespace

Result<RunRecord> read_run(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  TRY_ASSIGN(const std::string text, read_file(file));
  const auto json = json_from_text(text);
  if (!json || !json->is_object())
    return Error{fmt::format("{}{}: not JSON; \"harness report ID\", with the run's id in place of its folder, writes the file again "
                             "from the store",
                             file.string(), json_error_position(text))};
  const auto schema = json->find("schema");
  const std::string known = RunRecord{}.schema;
  if (schema == json->end() || !schema->is_string() || *schema != known)
    return Error{fmt::format("{}: schema is \"{}\" but must be \"{}\"; use the harness that wrote the run", file.string(),
                             schema != json->end() && schema->is_string() ? schema->get<std::string>() : "", known)};
  auto record = run_from_json(*json);
  if (!record) return Error{fmt::format("{}: damaged: it is not a run as docs/run.schema.json describes it", file.string())};
  keep_names_in_a_line(*record);
  if (const std::string* twice = name_twice(*record))
    return Error{fmt::format("{}: damaged: the case \"{}\" is in it twice", file.string(), printable(*twice, 200))};
  return *std::move(record);
}

}  // namespace harness
