// One core of the host that runs blocks, one after the other. A block's threads are fibers: each runs until
// it waits or ends, in an order that is the same every time, or drawn from a seed.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <optional>
#include <vector>

#include "emulator/device/barrier_state.h"
#include "emulator/device/cell.h"
#include "emulator/device/device.h"
#include "emulator/device/kernel.h"
#include "emulator/device/pipeline.h"
#include "emulator/device/stacks.h"
#include "emulator/device/warp.h"

namespace lab::emulated {

class Watch;
class Processor;

/// One launch, as all processors see it.
struct Launch {
  uint32_t number = 0;  // counts launches, from 1
  const char* kernel = "";
  void (*body)(void*) = nullptr;
  void* data = nullptr;
  dim3 grid, block;
  size_t dynamic_bytes = 0;
  bool is_cooperative = false;
  std::optional<uint64_t> seed;  // of a random order of blocks and threads
  size_t most_shared_bytes = static_shared_bytes;  // variables and dynamic memory together
  mutable std::atomic<uint64_t> ended = 0;         // blocks
  uint64_t blocks() const { return uint64_t{grid.x} * grid.y * grid.z; }
  unsigned threads() const { return block.x * block.y * block.z; }
};

enum class Wait : uint8_t { nothing, barrier, meeting, grid, ended, not_started };

struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
};

struct Thread {
  Wait wait = Wait::not_started;
  uint16_t index = 0, warp = 0, lane = 0;
  uint16_t sync = 0;  // meetings of its warp so far
  uint8_t lock = 0;   // the number of the lock that it has; 0: none (locks.cpp)
  bool is_lock_fenced = false;
  const void* taken = nullptr;  // that lock, or what may be one after a fence
  uint3 id{};
  Fiber* fiber = nullptr;
  Processor* processor = nullptr;
  uint64_t site = 0;  // code offset where it waits, or of its last access when it ended
  int line = 0;        // of the barrier where it waits
  int meeting = -1;
  const BarrierState* barrier = nullptr;  // the cuda::barrier where it waits
  unsigned barrier_phase = 0;             // for the end of this phase
};

/// Lanes that came together in one warp function.
struct Meeting {
  lab_meeting kind = lab_sync;
  uint64_t mask = 0, joined = 0, read = 0;
  bool open = false, complete = false;
  uint64_t value[64];
};

struct Warp {
  uint64_t exists = 0, alive = 0;
  int running = 0;        // lanes that neither wait, nor let others run, nor have ended
  int yielding = 0;       // lanes that let others run
  uint16_t meetings = 0;  // completed
  std::vector<Meeting> meeting;
};

class Processor {
 public:
  Processor();
  ~Processor();

  /// False: the launch was given up, see lose_context.
  bool run_block(const Launch& launch, uint64_t block);
  /// A cooperative launch: its blocks can wait for each other.
  bool run_together(const Launch& launch);

  // What a thread of the block calls, on its own stack.
  int barrier(lab_vote vote, int predicate, uint64_t site, int line);
  void grid_barrier(uint64_t site, int line);
  void yield();
  uint64_t meet(lab_meeting kind, uint64_t mask, uint64_t value, int argument, int width, uint64_t site);
  void* shared_variable(const void* tag, size_t bytes, size_t alignment);
  void* dynamic_shared() { return shared_ + shared_lead; }
  /// The shared memory in or nearest to which an offset from shared_base() lies.
  bool shared_extent(size_t offset, size_t& start, size_t& bytes) const;
  /// Ends the launch with this error; the thread never goes on.
  [[noreturn]] void give_up(cudaError_t error);

  Watch* watch() const { return watch_.get(); }
  Pipeline& pipeline() { return pipeline_; }
  const Launch& launch() const { return *launch_; }
  uint3 block() const { return block_; }
  /// For how long the block has run; in a cooperative launch, since it last waited for the others.
  std::chrono::milliseconds block_time() const;
  const Stacks& stacks() const { return stacks_; }
  Thread& thread(int i) { return threads_[static_cast<size_t>(i)]; }
  const char* shared_base() const { return shared_; }
  bool is_shared(const void* p) const { return static_cast<size_t>(static_cast<const char*>(p) - shared_) < shared_capacity; }
  lab_origin origin_of(const Thread& t, uint64_t code, lab_access access = lab_access_none) const;
  bool abandoned() const { return abandoned_; }

  static constexpr size_t shared_lead = 1024;  // before and behind each shared variable
  static constexpr size_t shared_capacity = 512 << 10;

 private:
  /// A block of a cooperative launch that waits for the other blocks.
  struct Waiting {
    uint3 block{};
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::vector<char> shared;
    std::vector<Cell> cells;
    Pipeline pipeline;
    unsigned live = 0;
  };
  static void fiber_main(boost::context::detail::transfer_t from);
  Thread* take();
  void prepare_for(const Launch& launch);
  void make_threads(const Launch& launch);
  void prepare(const Launch& launch, uint64_t block);
  void switch_to(boost::context::detail::fcontext_t to, boost::context::detail::fcontext_t& stopped_here);
  boost::context::detail::fcontext_t next_context();
  Fiber* idle_fiber();
  void suspend(Thread& t);
  void ended(Thread& t);
  void run_until_all_wait();
  void report_missing(const std::vector<Waiting>& blocks);
  void leave(Waiting& w);
  void enter(Waiting& w);
  bool open_barrier();
  bool open_meetings();
  void unblock();
  void complete(Warp& warp, Meeting& meeting);
  void stops(Thread& t);
  uint64_t result(const Meeting& m, lab_meeting kind, const Thread& t, int argument, int width,
                  uint64_t site);

  const Launch* launch_ = nullptr;
  uint32_t prepared_for_ = 0;  // number of the launch
  uint3 block_{};
  std::chrono::steady_clock::time_point block_began_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<uint16_t> order_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Fiber* starting_ = nullptr;  // which fiber is being started
  boost::context::detail::fcontext_t scheduler_ = nullptr;
  Stacks stacks_;
  unsigned position_ = 0;  // in order_, of the pass over the threads
  unsigned count_ = 0, next_ = 0, live_ = 0, at_barrier_ = 0, at_grid_ = 0, said_yes_ = 0;
  unsigned last_arrived_ = 0, last_yes_ = 0;
  bool abandoned_ = false;

  struct Variable {
    const void* tag;
    size_t offset, bytes;
  };
  std::vector<Variable> variables_;
  char* shared_ = nullptr;
  size_t shared_used_ = 0, shared_static_ = 0;
  Pipeline pipeline_;
  std::unique_ptr<Watch> watch_;
};

/// The thread that runs on this core, or null: host code.
extern __attribute__((tls_model("initial-exec"))) thread_local Thread* current;
extern __attribute__((tls_model("initial-exec"))) thread_local Processor* current_processor;
/// From now on this thread runs on this core. Null: host code.
void set_current(Thread* t);

}  // namespace lab::emulated
