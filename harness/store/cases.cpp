#include <fmt/format.h>

#include "harness/store/json_text.h"
#include "harness/store/samples.h"
#include "harness/store/store_impl.h"

namespace harness {
namespace {

const std::string& newest_finished_sql() {
  static const std::string sql = fmt::format(
      "SELECT cases.record, samples_ms, rounds, warmup_ms, runs.id FROM cases "
      "JOIN runs ON runs.row = cases.run JOIN samples ON of_case = cases.row "
      "WHERE run_key = ? AND status NOT IN ('{}', '{}') ORDER BY cases.row DESC LIMIT 1",
      to_string(Status::SKIPPED), to_string(Status::CANCELLED));
  return sql;
}

}  // namespace

std::optional<CaseRecord> stored_case(const std::string& record, const std::string& samples_ms,
                                      const std::string& rounds, const std::string& warmup_ms) {
  const auto json = json_from_text(record);
  if (!json) return std::nullopt;
  auto result = case_from_json(*json);
  auto samples = doubles_from_blob(samples_ms), warmup = doubles_from_blob(warmup_ms);
  auto numbers = integers_from_blob(rounds);
  if (!result || !samples || !warmup || !numbers) return std::nullopt;
  result->samples_ms = std::move(*samples);
  result->rounds = std::move(*numbers);
  result->warmup_ms = std::move(*warmup);
  return result;
}

Done Store::record_build(const std::string& run_id, const BuildRecord& build) {
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const int64_t run, impl_->row_of(run_id));
  return impl_->db.execute(
      "INSERT INTO builds (run, key, variant, macros, record) VALUES (?, ?, ?, ?, ?) "
      "ON CONFLICT (run, key, variant, macros) DO UPDATE SET record = excluded.record",
      run, build.key, build.variant, to_string(build.macros), to_text(to_json(build)));
}

Done Store::record_case(const std::string& run_id, const CaseRecord& record) {
  const std::string text = to_text(to_json_without_samples(record));
  const SampleSet samples = measured(record);

  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  TRY_ASSIGN(Transaction transaction, Transaction::begin(db));
  TRY_ASSIGN(const int64_t run, impl_->row_of(run_id));
  int64_t row = 0;
  {
    TRY_ASSIGN(
        Query query,
        db.query("INSERT INTO cases (run, id, plan_order, run_key, status, record) VALUES (?, ?, ?, ?, ?, ?) "
                 "ON CONFLICT (run, id) DO UPDATE SET plan_order = excluded.plan_order, run_key = excluded.run_key, "
                 "status = excluded.status, record = excluded.record RETURNING row",
                 run, record.id, record.order, record.run_key, to_string(record.status), text));
    TRY(query.step());
    row = query.integer(0);
    TRY(query.step());
  }
  TRY(db.execute(
      "INSERT OR REPLACE INTO samples (of_case, samples_ms, rounds, warmup_ms) VALUES (?, ?, ?, ?)", row,
      Blob{to_blob(samples.samples_ms)}, Blob{to_blob(samples.rounds)}, Blob{to_blob(samples.warmup_ms)}));
  return transaction.commit();
}

Result<std::optional<CaseRecord>> Store::find_case(const std::string& run_key) {
  if (run_key.empty()) return std::optional<CaseRecord>();
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(Query query, impl_->db.query(newest_finished_sql(), run_key));
  TRY_ASSIGN(const bool found, query.step());
  if (!found) return std::optional<CaseRecord>();
  auto record = stored_case(query.text(0), query.text(1), query.text(2), query.text(3));
  if (record && record->reused_from.empty()) record->reused_from = query.text(4);
  return record;
}

}  // namespace harness
