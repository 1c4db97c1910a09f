#include "harness/store/json_text.h"
#include "harness/store/run_clock.h"
#include "harness/store/run_lock.h"
#include "harness/store/store_impl.h"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

Json run_part(const Json& header, const std::string& id, const std::string& lab, const std::string& state,
              int64_t started_ms, std::optional<int64_t> finished_ms) {
  Json run = {{"id", id}, {"lab", lab}};
  run.update(header);
  run["started"] = iso_time(started_ms);
  if (finished_ms) run["finished"] = iso_time(*finished_ms);
  run["state"] = state;
  // The clock may have been set back meanwhile: no duration then.
  if (finished_ms && *finished_ms >= started_ms && !run.contains("seconds"))
    run["seconds"] = static_cast<double>(*finished_ms - started_ms) / 1000;
  return run;
}

}  // namespace

Result<Json> Store::Impl::run_json(const std::string& run_id) {
  // One transaction, so that a run that is still being written is seen at one moment.
  TRY(db.execute("BEGIN"));
  struct Ended {
    Database& db;
    ~Ended() { (void)db.execute("ROLLBACK"); }
  } const ended{db};

  TRY_ASSIGN(const int64_t row, row_of(run_id));
  TRY_ASSIGN(Query run,
             db.query("SELECT lab, state, started_ms, finished_ms, header FROM runs WHERE row = ?", row));
  TRY(run.step());
  // Both name folders, and the file may come from someone else.
  if (!check_lab_name(run_id) || !check_lab_name(run.text(0))) return damaged("run " + run_id);
  const auto header = json_from_text(run.text(4));
  if (!header || !header->is_object() || !header->contains("run") || !(*header)["run"].is_object())
    return damaged("run " + run_id);
  Json document = {{"schema", "harness/run/2"}};
  document["run"] =
      run_part((*header)["run"], run_id, run.text(0), run.text(1), run.integer(2), run.maybe_integer(3));
  for (const auto& [name, part] : header->items())
    if (name != "run") document[name] = part;

  Json& builds = document["builds"] = Json::array();
  TRY_ASSIGN(Query build, db.query("SELECT record FROM builds WHERE run = ? ORDER BY rowid", row));
  for (;;) {
    TRY_ASSIGN(const bool more, build.step());
    if (!more) break;
    auto record = json_from_text(build.text(0));
    if (!record) return damaged("a build of run " + run_id);
    builds.push_back(std::move(*record));
  }

  Json& cases = document["cases"] = Json::array();
  TRY_ASSIGN(Query found,
             db.query("SELECT id, record, samples_ms, rounds, warmup_ms FROM cases "
                      "JOIN samples ON of_case = row WHERE run = ? ORDER BY plan_order IS NULL, plan_order, row",
                      row));
  for (;;) {
    TRY_ASSIGN(const bool more, found.step());
    if (!more) break;
    const auto record = stored_case(found.text(1), found.text(2), found.text(3), found.text(4));
    if (!record) return damaged("case " + found.text(0) + " of run " + run_id);
    cases.push_back(to_json(*record));
  }
  return document;
}

Result<Json> Store::run_json(const std::string& run_id) {
  const std::lock_guard lock(impl_->mutex);
  return impl_->run_json(run_id);
}

}  // namespace harness
