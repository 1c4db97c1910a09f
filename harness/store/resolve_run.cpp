#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/store/store_impl.h"

namespace harness {
namespace {

constexpr size_t most_shown = 5;

Error ambiguous(const std::string& spec, std::vector<std::string> fitting) {
  const size_t count = fitting.size();
  std::string rest;
  if (count > most_shown) {
    fitting.resize(most_shown);
    rest = fmt::format(" and {} more", count - most_shown);
  }
  return Error{fmt::format("\"{}\" fits {} runs: {}{}; give more of it", spec, count, join(fitting, ", "), rest)};
}

}  // namespace

Result<std::string> Store::resolve_run(const std::string& spec) {
  const std::lock_guard lock(impl_->mutex);
  std::vector<std::string> ids, fitting, names = {"latest"};
  std::string newest_of_lab;
  TRY_ASSIGN(Query query, impl_->db.query("SELECT id, lab FROM runs ORDER BY row DESC"));
  for (;;) {
    TRY_ASSIGN(const bool more, query.step());
    if (!more) break;
    const std::string id = query.text(0), lab = query.text(1);
    if (id == spec) return id;
    if (lab == spec && newest_of_lab.empty()) newest_of_lab = id;
    if (!spec.empty() && starts_with(id, spec)) fitting.push_back(id);
    if (!contains(names, lab)) names.push_back(lab);
    ids.push_back(id);
  }
  if (ids.empty())
    return Error{fmt::format("no run is kept in {} yet; make one with \"harness run configs/<lab>.yaml\"",
                             impl_->file.string())};
  if (spec == "latest") return ids.front();
  if (!newest_of_lab.empty()) return newest_of_lab;
  if (fitting.size() == 1) return fitting.front();
  if (fitting.size() > 1) return ambiguous(spec, fitting);
  names.insert(names.end(), ids.begin(), ids.end());
  const std::string meant = did_you_mean(spec, names);
  return Error{fmt::format("no run \"{}\" in {}{}", spec, impl_->file.string(),
                           meant.empty() ? "; give a run id, the start of one, a lab, or \"latest\"" : meant)};
}

}  // namespace harness
