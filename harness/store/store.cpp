#include "harness/store/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "harness/base/text.h"
#include "harness/store/json_text.h"
#include "harness/store/run_clock.h"
#include "harness/store/run_lock.h"
#include "harness/store/schema.h"
#include "harness/store/store_impl.h"

namespace harness {
Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const fs::path& results) {
  TRY(make_folders(results));
  const fs::path file = results / "harness.sqlite";
  TRY_ASSIGN(Database database, Database::open(file));
  TRY(prepare_schema(database, file));
  return Store(std::make_unique<Impl>(results, file, std::move(database)));
}

Result<int64_t> Store::Impl::row_of(const std::string& run_id) {
  TRY_ASSIGN(Query query, db.query("SELECT row FROM runs WHERE id = ?", run_id));
  TRY_ASSIGN(const bool found, query.step());
  if (found) return query.integer(0);
  return Error{fmt::format("no run \"{}\" in {}", printable(run_id, 200), file.string())};
}

Error Store::Impl::damaged(const std::string& what) const {
  return sqlite_error(file, SQLITE_CORRUPT, 0, fmt::format("damaged: {} cannot be read", printable(what, 500)));
}

Result<std::string> Store::Impl::lab_of(const std::string& run_id) {
  TRY_ASSIGN(const int64_t row, row_of(run_id));
  TRY_ASSIGN(Query query, db.query("SELECT lab FROM runs WHERE row = ?", row));
  TRY(query.step());
  if (!check_lab_name(run_id) || !check_lab_name(query.text(0))) return damaged("run " + run_id);
  return query.text(0);
}

Result<std::string> Store::begin_run(const RunRecord& record) {
  const std::lock_guard lock(impl_->mutex);
  TRY(check_lab_name(record.run.lab));
  const std::string text = to_text(to_json(record));
  for (;;) {  // until the id is new
    const int64_t now = now_ms();
    const std::string id = new_run_id(now);
    TRY_ASSIGN(Query query,
               impl_->db.query("INSERT INTO runs (id, lab, state, started_ms, header) VALUES (?, ?, 'running', ?, ?) "
                               "ON CONFLICT (id) DO NOTHING RETURNING row",
                               id, record.run.lab, now, text));
    TRY_ASSIGN(const bool is_new, query.step());
    if (!is_new) continue;
    TRY(query.step());  // to the end of the statement, which commits
    return id;
  }
}

Done Store::update_run(const std::string& run_id, const RunRecord& record) {
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const int64_t row, impl_->row_of(run_id));
  return impl_->db.execute("UPDATE runs SET header = ? WHERE row = ?", to_text(to_json(record)), row);
}

Done Store::end_run(const std::string& run_id, const std::string& state) {
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const int64_t row, impl_->row_of(run_id));
  return impl_->db.execute("UPDATE runs SET state = ?, finished_ms = ? WHERE row = ?", state, now_ms(), row);
}

Done Store::close_torn_runs(const std::string& lab) {
  const std::lock_guard lock(impl_->mutex);
  // A run that still goes on began after its process took the lock. Without a holder, all runs until now have ended.
  const int64_t looked_ms = now_ms();
  const auto holder = lock_holder(impl_->results, lab);
  return impl_->db.execute(
      "UPDATE runs SET state = 'interrupted' WHERE lab = ? AND state = 'running' AND started_ms < ?", lab,
      holder ? holder->since_ms : looked_ms + 1);
}

}  // namespace harness
