// Builds and cases: each is a row with its text in run.json.
#include <fmt/format.h>

#include "harness/store/json_text.h"
#include "harness/store/store_impl.h"

namespace harness {

Done Store::record_build(const std::string& run_id, const BuildRecord& build) {
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const int64_t run, impl_->row_of(run_id));
  const auto json = to_json(build);
  return impl_->db.execute(
      "INSERT INTO builds (run, key, variant, macros, record) VALUES (?, ?, ?, ?, ?) "
      "ON CONFLICT (run, key, variant, macros) DO UPDATE SET record = excluded.record",
      run, build.key, build.variant, to_text(json["macros"]), to_text(json));
}

Done Store::record_case(const std::string& run_id, const CaseRecord& record) {
  const std::string text = to_text(to_json(record));
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const int64_t run, impl_->row_of(run_id));
  return impl_->db.execute(
      "INSERT INTO cases (run, id, plan_order, run_key, status, record) VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (run, id) DO UPDATE SET plan_order = excluded.plan_order, run_key = excluded.run_key, "
      "status = excluded.status, record = excluded.record",
      run, record.id, record.order, record.run_key, to_string(record.status), text);
}

Result<std::optional<CaseRecord>> Store::find_case(const std::string& run_key) {
  if (run_key.empty()) return std::optional<CaseRecord>();
  static const std::string newest_finished = fmt::format(
      "SELECT cases.record, runs.id FROM cases JOIN runs ON runs.row = cases.run "
      "WHERE run_key = ? AND status NOT IN ('{}', '{}') ORDER BY cases.row DESC LIMIT 1",
      to_string(Status::SKIPPED), to_string(Status::CANCELLED));
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(Query query, impl_->db.query(newest_finished, run_key));
  TRY_ASSIGN(const bool found, query.step());
  if (!found) return std::optional<CaseRecord>();
  const auto json = json_from_text(query.text(0));
  auto record = json ? case_from_json(*json) : std::nullopt;
  if (record && record->reused_from.empty()) record->reused_from = query.text(1);
  return record;
}

}  // namespace harness
