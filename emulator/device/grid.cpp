// A cooperative launch: each block runs until it ends or waits for the others. What it has in shared memory is kept
// until it goes on.
#include <algorithm>
#include <cstring>

#include "emulator/device/diagnostics.h"
#include "emulator/device/processor.h"
#include "emulator/device/watch.h"

namespace lab::emulated {

void Processor::grid_barrier(uint64_t site, int line) {
  Thread& t = *current;
  barrier(lab_vote_count, 0, site, line);
  if (!launch_->is_cooperative) {
    lab_diagnostic f = {};
    f.kind = lab_grid_launch;
    f.count = 1;
    f.origin = origin_of(t, site);
    Diagnostics::get().add(f, launch_->kernel);
    give_up(cudaErrorLaunchFailure);
  }
  t.wait = Wait::grid;
  ++at_grid_;
  suspend(t);
}

void Processor::leave(Waiting& w) {
  w.block = block_;
  w.live = live_;
  if (live_ == 0) return;
  w.threads.swap(threads_);
  w.warps.swap(warps_);
  std::swap(w.pipeline, pipeline_);
  w.shared.assign(shared_, shared_ + shared_used_);
  if (watch_) w.cells = watch_->shared_cells(shared_used_);
}

void Processor::enter(Waiting& w) {
  block_ = w.block;
  live_ = w.live;
  threads_.swap(w.threads);
  warps_.swap(w.warps);
  std::swap(w.pipeline, pipeline_);
  std::memcpy(shared_, w.shared.data(), w.shared.size());
  const dim3 grid = launch_->grid;
  if (watch_) watch_->enter_block(block_.x + uint64_t{grid.x} * (block_.y + uint64_t{grid.y} * block_.z), w.cells);
  next_ = count_;
  at_barrier_ = at_grid_ = said_yes_ = 0;
  for (Thread& t : threads_) {
    if (t.wait != Wait::grid) continue;
    t.wait = Wait::nothing;
    ++warps_[t.warp].running;
  }
}

// All blocks have ended or wait for the others.
void Processor::report_missing(const std::vector<Waiting>& blocks) {
  const auto gone = std::ranges::find_if(blocks, [](const Waiting& w) { return w.live == 0; });
  const auto waits = std::ranges::find_if(blocks, [](const Waiting& w) { return w.live > 0; });
  if (gone == blocks.end() || waits == blocks.end()) return;
  const auto thread = std::ranges::find_if(waits->threads, [](const Thread& t) { return t.wait == Wait::grid; });
  if (thread == waits->threads.end()) return;
  block_ = waits->block;
  lab_diagnostic f = {};
  f.kind = lab_grid_exited;
  f.count = 1;
  f.origin = origin_of(*thread, thread->site);
  block_ = gone->block;
  f.other = origin_of(*thread, 0);
  Diagnostics::get().add(f, launch_->kernel);
}

bool Processor::run_together(const Launch& launch) {
  std::vector<Waiting> blocks(launch.blocks());
  for (uint64_t i = 0; i < blocks.size(); ++i) {
    if (!run_block(launch, i)) return false;
    leave(blocks[i]);
  }
  for (bool waits = true; waits;) {
    waits = false;
    report_missing(blocks);
    if (watch_) watch_->grid_met();
    for (Waiting& w : blocks) {
      if (w.live == 0) continue;
      enter(w);
      run_until_all_wait();
      if (abandoned_) return false;
      leave(w);
      waits = waits || w.live > 0;
    }
  }
  return true;
}

}  // namespace lab::emulated
