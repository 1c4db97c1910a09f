// Copies the runs of another store, row by row: the parts of a class that other machines ran.
#include "harness/store/store_impl.h"

namespace harness {
namespace {

// Rows of runs that are here already stay as they are.
constexpr const char* copy_rows = R"(
INSERT INTO runs (id, lab, state, started_ms, finished_ms, header)
  SELECT id, lab, state, started_ms, finished_ms, header FROM other.runs WHERE state != 'running' ORDER BY row
  ON CONFLICT (id) DO NOTHING;
INSERT INTO builds (run, key, variant, macros, record)
  SELECT ours.row, b.key, b.variant, b.macros, b.record
  FROM other.builds b JOIN other.runs theirs ON theirs.row = b.run JOIN main.runs ours ON ours.id = theirs.id
  WHERE true ON CONFLICT DO NOTHING;
INSERT INTO cases (run, id, plan_order, run_key, status, record)
  SELECT ours.row, c.id, c.plan_order, c.run_key, c.status, c.record
  FROM other.cases c JOIN other.runs theirs ON theirs.row = c.run JOIN main.runs ours ON ours.id = theirs.id
  WHERE true ORDER BY c.row ON CONFLICT DO NOTHING;
)";

}  // namespace

Done Store::add_runs(const fs::path& other) {
  const std::lock_guard lock(impl_->mutex);
  TRY(impl_->db.execute("ATTACH ? AS other", (other / "harness.sqlite").string()));
  const auto copy = [&]() -> Done {
    TRY_ASSIGN(Transaction transaction, Transaction::begin(impl_->db));
    TRY(impl_->db.run_script(copy_rows));
    return transaction.commit();
  };
  const Done copied = copy();
  TRY(impl_->db.execute("DETACH other"));
  return copied;
}

}  // namespace harness
