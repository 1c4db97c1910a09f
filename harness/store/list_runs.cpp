#include <fmt/format.h>

#include <map>

#include "harness/store/run_clock.h"
#include "harness/store/store_impl.h"

namespace harness {

Result<std::vector<RunRow>> Store::runs() {
  const std::lock_guard lock(impl_->mutex);
  std::map<int64_t, RunRow> counted;
  {
    TRY_ASSIGN(Query query, impl_->db.query("SELECT run, status, count(*), sum(length(record)) FROM cases "
                                            "GROUP BY run, status ORDER BY run, count(*) DESC, status"));
    for (;;) {
      TRY_ASSIGN(const bool more, query.step());
      if (!more) break;
      RunRow& row = counted[query.integer(0)];
      row.verdicts.emplace_back(query.text(1), query.integer(2));
      row.bytes += query.integer(3);
    }
  }
  TRY_ASSIGN(Query query, impl_->db.query("SELECT row, id, lab, state, started_ms, length(header), CASE json_valid(header) "
                                          "WHEN 1 THEN json_extract(header, '$.machine.cpu.model') END, "
                                          "CASE json_valid(header) WHEN 1 THEN json_extract(header, '$.machine.cpu.cores') "
                                          "END, CASE json_valid(header) WHEN 1 THEN "
                                          "json_extract(header, '$.machine.gpus[0].name') END FROM runs ORDER BY row DESC"));
  std::vector<RunRow> all;
  for (;;) {
    TRY_ASSIGN(const bool more, query.step());
    if (!more) return all;
    RunRow row = std::move(counted[query.integer(0)]);
    row.id = query.text(1);
    row.lab = query.text(2);
    row.state = query.text(3);
    row.started = iso_time(query.integer(4));
    row.bytes += query.integer(5);
    if (const auto cores = query.maybe_integer(7)) {
      row.machine = fmt::format("{}, {} core{}", query.text(6), *cores, *cores == 1 ? "" : "s");
      if (const std::string gpu = query.text(8); !gpu.empty()) row.machine += "; " + gpu;
    }
    all.push_back(std::move(row));
  }
}

}  // namespace harness
