#include "harness/engine/recorder.h"

#include "harness/base/draft.h"

namespace harness {

Result<Recorder> Recorder::begin(const PlacedLab& lab, const Cases& cases, EventSink& events) {
  const fs::path home = lab.results / lab.config.lab;
  TRY(make_folders(home));
  TRY_ASSIGN(RunLock lock, RunLock::take(lab.results, lab.config.lab));
  remove_abandoned_drafts(home, Depth::below);
  remove_abandoned_drafts(lab.results / "sources", Depth::this_folder);
  remove_abandoned_drafts(lab.cache, Depth::this_folder);
  TRY_ASSIGN(Store store, Store::open(lab.results));
  TRY(store.close_torn_runs(lab.config.lab));
  Recorder recorder(std::move(lock), std::move(store), events);
  recorder.run_ = run_header(lab, cases);
  TRY_ASSIGN(recorder.run_id_, recorder.store_.begin_run(recorder.run_));
  recorder.folder_ = home / recorder.run_id_;
  return recorder;
}

Done Recorder::record(CaseState& state) {
  TRY(store_.record_case(run_id_, state.record));
  state.recorded = true;
  return ok();
}

Done Recorder::finish(CaseState& state, const Cases& cases) {
  TRY(record(state));
  emit(event::CaseEnded{state.record, cases.recorded(), cases.all.size()});
  return ok();
}

Done Recorder::end(const PlacedLab& lab, const Cases& cases, bool interrupted) {
  run_.variants = variant_records(lab, cases);
  run_.noise.after = noise_snapshot(lab.machine);
  TRY(save());
  TRY(store_.end_run(run_id_, interrupted ? "interrupted" : "complete"));
  TRY(store_.write_run_folder(lab.results, run_id_));
  return ok();
}

}  // namespace harness
