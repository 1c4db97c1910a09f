// Makes run.json from the rows of a run. The texts of builds and cases are copied without parsing.
#include <nlohmann/json.hpp>

#include "harness/store/json_text.h"
#include "harness/store/run_clock.h"
#include "harness/store/run_lock.h"
#include "harness/store/store_impl.h"

namespace harness {

// `sql` selects a text, whether it is valid JSON, and what it is.
Result<std::string> Store::Impl::list(const std::string& sql, int64_t run, const std::string& run_id) {
  TRY_ASSIGN(Query query, db.query(sql, run));
  std::string text = "[";
  for (;;) {
    TRY_ASSIGN(const bool more, query.step());
    if (!more) return text + "\n]";
    if (query.integer(1) == 0) return damaged(query.text(2) + " of run " + run_id);
    text += (text.size() == 1 ? "\n" : ",\n") + query.text(0);
  }
}

Result<std::string> Store::Impl::run_json(const std::string& run_id) {
  // One transaction, so that a run that is still being written is seen at one moment.
  TRY(db.execute("BEGIN"));
  struct Ended {
    Database& db;
    ~Ended() { (void)db.execute("ROLLBACK"); }
  } const ended{db};

  TRY_ASSIGN(const int64_t row, row_of(run_id));
  TRY_ASSIGN(Query query, db.query("SELECT lab, state, started_ms, finished_ms, header FROM runs WHERE row = ?", row));
  TRY(query.step());
  const auto json = json_from_text(query.text(4));
  auto record = json ? run_from_json(*json) : std::nullopt;
  if (!record) return damaged("run " + run_id);
  const int64_t started_ms = query.integer(2);
  const std::optional<int64_t> finished_ms = query.maybe_integer(3);
  RunInfo& run = record->run;
  run.id = run_id;
  run.lab = query.text(0);
  run.state = query.text(1);
  run.started = iso_time(started_ms);
  if (finished_ms) run.finished = iso_time(*finished_ms);
  // No duration if the clock was set back meanwhile.
  if (finished_ms && *finished_ms >= started_ms) run.seconds = static_cast<double>(*finished_ms - started_ms) / 1000;

  // One line per part, build and case, so that a diff of two runs is readable.
  const nlohmann::ordered_json document = to_json(*record);
  std::string text;
  for (const auto& [name, part] : document.items()) {
    text += (text.empty() ? "{\n" : ",\n") + to_text(name) + ": ";
    const char* sql = name == "builds"
                          ? "SELECT record, json_valid(record), 'a build' FROM builds WHERE run = ? ORDER BY rowid"
                      : name == "cases" ? "SELECT record, json_valid(record), 'case ' || id FROM cases WHERE run = ? "
                                          "ORDER BY plan_order IS NULL, plan_order, row"
                                        : nullptr;
    TRY_ASSIGN(const std::string value, sql ? list(sql, row, run_id) : to_text(part));
    text += value;
  }
  return text + "\n}\n";
}

Result<std::string> Store::run_json(const std::string& run_id) {
  const std::lock_guard lock(impl_->mutex);
  return impl_->run_json(run_id);
}

}  // namespace harness
