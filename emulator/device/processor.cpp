#include "emulator/device/processor.h"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "emulator/device/arena.h"
#include "emulator/device/options.h"
#include "emulator/device/watch.h"

namespace lab::emulated {

namespace context = boost::context::detail;

thread_local Thread* current = nullptr;
thread_local Processor* current_processor = nullptr;

// threadIdx, blockIdx, blockDim, gridDim (kernel.h). Outside a launch the extents are 1: a kernel that is called without <<<>>> may step
// by them through its data, and with a step of 0 it would never end.
constexpr uint3 no_launch = {1, 1, 1};
extern "C" {
__attribute__((visibility("hidden"), tls_model("initial-exec"))) __thread uint3 lab_thread_index, lab_block_index,
    lab_block_extent = no_launch, lab_grid_extent = no_launch;
}

void set_current(Thread* t) {
  current = t;
  lab_thread_index = t ? t->id : uint3{};
}

namespace {

uint3 unflatten(uint64_t i, dim3 extent) {
  return {static_cast<unsigned>(i % extent.x), static_cast<unsigned>(i / extent.x % extent.y),
          static_cast<unsigned>(i / extent.x / extent.y)};
}

}  // namespace

Processor::Processor() {
  void* p = mmap(nullptr, shared_capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  shared_ = p == MAP_FAILED ? nullptr : static_cast<char*>(p);
  if (options().diagnostics) watch_ = std::make_unique<Watch>(*this);
}

Processor::~Processor() {
  if (shared_) munmap(shared_, shared_capacity);
}

// Sets up what is the same for all blocks of a launch.
void Processor::prepare_for(const Launch& launch) {
  launch_ = &launch;
  prepared_for_ = launch.number;
  count_ = launch.threads();
  threads_.clear();
  order_.resize(count_);
  std::iota(order_.begin(), order_.end(), uint16_t{0});
  if (watch_) watch_->begin_launch(shared_used_);
  variables_.clear();
  shared_static_ = 0;
  shared_used_ = shared_lead + launch.dynamic_bytes;
  if (watch_) watch_->shared_usable(shared_lead, launch.dynamic_bytes);
}

void Processor::make_threads(const Launch& launch) {
  const auto lanes = static_cast<unsigned>(options().lanes);
  threads_.assign(count_, {});
  warps_.resize((count_ + lanes - 1) / lanes);
  for (unsigned i = 0; i < count_; ++i) {
    Thread& t = threads_[i];
    t.index = static_cast<uint16_t>(i);
    t.warp = static_cast<uint16_t>(i / lanes);
    t.lane = static_cast<uint16_t>(i % lanes);
    t.id = unflatten(i, launch.block);
    t.processor = this;
  }
}

void Processor::prepare(const Launch& launch, uint64_t block) {
  if (prepared_for_ != launch.number) prepare_for(launch);
  if (threads_.empty()) make_threads(launch);
  const auto lanes = static_cast<unsigned>(options().lanes);
  block_ = unflatten(block, launch.grid);
  for (Thread& t : threads_) {
    t.wait = Wait::not_started;
    t.sync = 0;
    t.lock = 0;
    t.taken = nullptr;
    t.site = 0;
    t.meeting = -1;
  }
  for (size_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    const unsigned here = std::min(lanes, count_ - static_cast<unsigned>(w) * lanes);
    warp.exists = warp.alive = here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1;
    warp.running = static_cast<int>(here);
    warp.yielding = 0;
    warp.meetings = 0;
    for (Meeting& m : warp.meeting) m.open = false;
  }
  if (launch.seed) {
    std::mt19937_64 random(*launch.seed * 0x9e3779b97f4a7c15u + block);
    std::shuffle(order_.begin(), order_.end(), random);
  }
  next_ = 0;
  live_ = count_;
  at_barrier_ = at_grid_ = said_yes_ = 0;
  unset(shared_ + shared_lead, shared_used_ - shared_lead);
  pipeline_.begin_block(watch_.get());
  if (watch_) watch_->begin_block(block);
}

void* Processor::shared_variable(const void* tag, size_t bytes, size_t alignment) {
  for (const Variable& v : variables_)
    if (v.tag == tag) return shared_ + v.offset;
  // The first use in this block: behind the other variables, with a gap between them.
  const size_t wanted = std::max<size_t>(alignment, 16);
  const size_t offset = (shared_used_ + shared_lead + wanted - 1) / wanted * wanted;
  shared_static_ += bytes;
  const size_t all = shared_static_ + launch_->dynamic_bytes, most = launch_->most_shared_bytes;
  if (shared_static_ > static_shared_bytes || all > most || offset + bytes + shared_lead > shared_capacity) {
    const bool alone = shared_static_ > static_shared_bytes;
    lose_context(cudaErrorInvalidConfiguration,
                 std::string("kernel ") + launch_->kernel + ": " + std::to_string(alone ? shared_static_ : all) +
                     (alone ? " bytes of __shared__ variables" : " bytes of static and dynamic shared memory") + "; a block has " +
                     std::to_string(alone ? static_shared_bytes : most) +
                     (alone || most > static_shared_bytes ? "" : " (more with cudaFuncSetAttribute)"));
    give_up(cudaErrorInvalidConfiguration);
  }
  variables_.push_back({tag, offset, bytes});
  shared_used_ = offset + bytes;
  unset(shared_ + offset, bytes);
  if (watch_) watch_->shared_usable(offset, bytes);
  return shared_ + offset;
}

bool Processor::shared_extent(size_t offset, size_t& start, size_t& bytes) const {
  // Dynamic memory comes first, then the variables in the order of their addresses: of two that are equally far, the one before counts.
  size_t least = shared_lead;
  const auto compare = [&](size_t from, size_t size) {
    const size_t distance = offset < from ? from - offset : offset < from + size ? 0 : offset - (from + size);
    if (size == 0 || distance >= least) return;
    least = distance;
    start = from;
    bytes = size;
  };
  compare(shared_lead, launch_->dynamic_bytes);
  for (const Variable& v : variables_) compare(v.offset, v.bytes);
  return least < shared_lead;
}

Thread* Processor::take() {
  if (next_ >= count_ || abandoned_) return nullptr;
  Thread& t = threads_[order_[next_++]];
  t.wait = Wait::nothing;
  return &t;
}

// The fiber that continues stores the context of the one that stopped, at the address that it received.
void Processor::switch_to(context::fcontext_t to, context::fcontext_t& stopped_here) {
  const context::transfer_t back = context::jump_fcontext(to, &stopped_here);
  *static_cast<context::fcontext_t*>(back.data) = back.fctx;
}

// A fiber runs one thread after the other until a thread waits. Then another fiber runs the threads that have
// not begun. A kernel without barriers needs only one fiber.
void Processor::fiber_main(context::transfer_t from) {
  *static_cast<context::fcontext_t*>(from.data) = from.fctx;
  Processor& p = *current_processor;
  Fiber& self = *p.starting_;
  for (;;) {
    while (Thread* t = p.take()) {
      t->fiber = &self;
      set_current(t);
      p.launch_->body(p.launch_->data);
      p.ended(*t);
    }
    p.idle_.push_back(&self);
    p.switch_to(p.next_context(), self.context);
  }
}

/// What runs next if a thread has to wait: a fiber for threads that have not begun, the next fiber that is
/// ready, or the scheduler.
context::fcontext_t Processor::next_context() {
  if (abandoned_) return scheduler_;
  if (next_ < count_) {
    starting_ = idle_fiber();
    return starting_ ? starting_->context : scheduler_;
  }
  while (position_ + 1 < count_) {
    const Thread& t = threads_[order_[++position_]];
    if (t.wait == Wait::nothing) return t.fiber->context;
  }
  return scheduler_;
}

Fiber* Processor::idle_fiber() {
  if (idle_.empty()) {
    auto fiber = std::make_unique<Fiber>();
    char* top = stacks_.top(fibers_.size());
    if (!top) {
      lose_context(cudaErrorMemoryAllocation, "no memory for the stacks of a block's threads");
      abandoned_ = true;
      return nullptr;
    }
    fiber->context = context::make_fcontext(top, Stacks::bytes - 4096, fiber_main);
    idle_.push_back(fiber.get());
    fibers_.push_back(std::move(fiber));
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void Processor::suspend(Thread& t) {
  stops(t);
  switch_to(next_context(), t.fiber->context);
  set_current(&t);
}

/// A lane waits, lets others run or has ended. When all lanes of its warp wait or have ended, the requests of the warp are complete.
void Processor::stops(Thread& t) {
  Warp& warp = warps_[t.warp];
  if (watch_) watch_->settle();
  if (--warp.running == 0 && warp.yielding == 0 && watch_) watch_->warp_stopped(t.warp);
}

void Processor::ended(Thread& t) {
  t.wait = Wait::ended;
  --live_;
  warps_[t.warp].alive &= ~(uint64_t{1} << t.lane);
  stops(t);
}

bool Processor::run_block(const Launch& launch, uint64_t block) {
  if (!shared_) {
    lose_context(cudaErrorMemoryAllocation, "no memory for the shared memory of a block");
    return false;
  }
  prepare(launch, block);
  run_until_all_wait();
  return !abandoned_;
}

/// Until all threads of the block have ended, or wait for the other blocks.
void Processor::run_until_all_wait() {
  current_processor = this;
  block_began_ = std::chrono::steady_clock::now();
  lab_block_index = block_;
  lab_block_extent = launch_->block;
  lab_grid_extent = launch_->grid;
  position_ = count_;  // all threads have to begin first
  while (next_ < count_ && !abandoned_) switch_to(next_context(), scheduler_);
  while (live_ > at_grid_ && !abandoned_) {
    if (!open_barrier() && !open_meetings()) unblock();
    position_ = ~0u;
    switch_to(next_context(), scheduler_);
  }
  if (live_ == 0) ++launch_->ended;
  set_current(nullptr);
  lab_block_index = {};
  lab_block_extent = lab_grid_extent = no_launch;
  if (watch_) watch_->end_block();
}

std::chrono::milliseconds Processor::block_time() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - block_began_);
}

void Processor::yield() {
  Thread& t = *current;
  // A lane that lets others run, as in a loop that waits for a value, will continue. If its requests were counted now, the same
  // instruction of the other lanes would count as a separate request.
  ++warps_[t.warp].yielding;
  suspend(t);
  --warps_[t.warp].yielding;
  ++warps_[t.warp].running;
}

void Processor::give_up(cudaError_t error) {
  Thread& t = *current;
  lose_context(error, describe(launch_->kernel, origin_of(t, 0)));
  abandoned_ = true;
  // Fibers in the middle of a kernel are dropped without resuming them.
  context::fcontext_t nowhere;
  context::jump_fcontext(scheduler_, &nowhere);
  __builtin_unreachable();
}

lab_origin Processor::origin_of(const Thread& t, uint64_t code, lab_access access) const {
  return {code, {block_.x, block_.y, block_.z}, {t.id.x, t.id.y, t.id.z}, static_cast<uint32_t>(access), 0};
}

}  // namespace lab::emulated
