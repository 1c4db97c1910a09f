#include "harness/store/read_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/store/json_text.h"

namespace harness {

Result<RunRecord> read_run(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  TRY_ASSIGN(const std::string text, read_file(file));
  const auto json = json_from_text(text);
  if (!json || !json->is_object())
    return Error{fmt::format("{}: not JSON; \"harness report\" writes the file again from the store", file.string())};
  const auto schema = json->find("schema");
  const std::string known = RunRecord{}.schema;
  if (schema == json->end() || !schema->is_string() || *schema != known)
    return Error{fmt::format("{}: schema is \"{}\" but must be \"{}\"; use the harness that wrote the run", file.string(),
                             schema != json->end() && schema->is_string() ? schema->get<std::string>() : "", known)};
  auto record = run_from_json(*json);
  if (!record) return Error{fmt::format("{}: damaged: it is not a run as docs/run.schema.json describes it", file.string())};
  return *std::move(record);
}

}  // namespace harness
