#include "emulator/device/faults.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"
#include "emulator/device/processor.h"

namespace lab::emulated {
namespace {

constexpr size_t stack_bytes = 64 << 10;
constexpr int time_is_up = SIGURG;  // ignored by default
struct sigaction before[65];

/// What the signal handler saw, for end_thread(), which runs on its own stack.
struct Fault {
  int signal = 0;
  const void* address = nullptr;
  const void* stack = nullptr;  // where the stack of the thread ended
  uint64_t code = 0;
};
__attribute__((tls_model("initial-exec"))) thread_local Fault fault;
__attribute__((tls_model("initial-exec"))) thread_local char* rescue_stack = nullptr;

/// Do all threads of the block wait, so that none can arrive at the cuda::barrier of thread t?
bool waits_for_ever(Processor& p, const Thread& t) {
  const auto waits = [](const Thread& other) {
    return other.wait == Wait::ended || other.wait == Wait::barrier || other.wait == Wait::meeting ||
           (other.wait == Wait::nothing && other.barrier && (other.barrier->phase - other.barrier_phase) % 2 == 0);
  };
  if (!t.barrier) return false;
  for (unsigned i = 0; i < p.launch().threads(); ++i)
    if (!waits(p.thread(static_cast<int>(i)))) return false;
  return true;
}

[[noreturn]] void end_thread() {
  Thread& t = *current;
  Processor& p = *t.processor;
  const auto address = reinterpret_cast<uint64_t>(fault.address);
  lab_diagnostic f = {};
  f.count = 1;
  f.origin = p.origin_of(t, fault.code);
  cudaError_t error = cudaErrorIllegalAddress;
  switch (fault.signal) {
    case time_is_up:
      f.kind = lab_endless;
      f.other = p.origin_of(t, t.site);  // if it waits in a function of the device
      f.have = static_cast<int64_t>(p.launch().ended);
      f.ideal = static_cast<int64_t>(p.launch().blocks());
      f.offset = p.block_time().count();
      f.extent = static_cast<int64_t>(options().kernel_time_s * 1e3);
      error = cudaErrorLaunchTimeout;
      if (!waits_for_ever(p, t)) break;
      f.kind = lab_barrier_arrivals;
      f.origin = f.other;
      f.other = {};
      f.ideal = t.barrier->expected;
      f.have = int64_t{t.barrier->expected} - static_cast<int32_t>(t.barrier->missing);  // negative: too many have come
      break;
    case SIGFPE:
      f.kind = lab_division;
      error = cudaErrorLaunchFailure;
      break;
    case SIGILL:
    case SIGTRAP:
      f.kind = lab_trap;
      error = cudaErrorLaunchFailure;
      break;
    default:
      // Above the stack of this thread lie those of the next ones.
      f.kind = p.stacks().holds(fault.address) && !p.stacks().below_a_stack(fault.stack) && fault.address > fault.stack
                   ? lab_local_bounds
               : p.stacks().below_a_stack(fault.address) ? lab_stack_overflow
                                                         : lab_illegal_address;
      f.offset = static_cast<int64_t>(address);
      // The stack may have overflowed in a function of the device. Report the last access of the kernel
      // instead.
      if (f.kind == lab_stack_overflow && t.site) f.origin.code = t.site;
      if (f.kind != lab_illegal_address) error = cudaErrorLaunchFailure;
  }
  Diagnostics::get().add(f, p.launch().kernel);
  p.give_up(error);
}

/// A thread can be ended while it runs its own code on its own stack, but not in the scheduler, in the C
/// library or while it holds a lock. Then the clock tries again soon.
bool may_end(const Processor& p, const greg_t* registers) {
  return p.stacks().holds(reinterpret_cast<const void*>(registers[REG_RSP])) &&
         in_module(reinterpret_cast<const void*>(registers[REG_RIP])) && !Diagnostics::busy();
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (!current) {
    if (signal == time_is_up) return;
    // A fault of host code: restore the previous handler and let it decide.
    sigaction(signal, &before[signal], nullptr);
    if (before[signal].sa_flags & SA_SIGINFO && before[signal].sa_sigaction)
      before[signal].sa_sigaction(signal, info, context);
    else
      raise(signal);
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (signal == time_is_up && !may_end(*current->processor, registers)) return;
  fault = {signal, signal == time_is_up ? nullptr : info->si_addr, reinterpret_cast<const void*>(registers[REG_RSP]),
           in_module(reinterpret_cast<const void*>(registers[REG_RIP]))
               ? code_offset(reinterpret_cast<const void*>(registers[REG_RIP]))
               : 0};
  // The thread continues in end_thread, on a stack with enough space.
  registers[REG_RIP] = reinterpret_cast<greg_t>(&end_thread);
  registers[REG_RSP] = reinterpret_cast<greg_t>(rescue_stack + stack_bytes - 16 - 8);
}

void catch_signals() {
  static const bool once = [] {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, time_is_up})
      sigaction(s, &action, &before[s]);
    return true;
  }();
  (void)once;
}

void give_stacks() {
  if (rescue_stack) return;
  char* p = static_cast<char*>(
      mmap(nullptr, 2 * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (p == MAP_FAILED) return;
  rescue_stack = p;
  const stack_t alternative{p + stack_bytes, 0, stack_bytes};
  sigaltstack(&alternative, nullptr);
}

/// One thread that watches the clock for all processors.
class Clock {
 public:
  using Time = std::chrono::steady_clock;

  static Clock& get() {
    static Clock* clock = new Clock;  // never destroyed: its thread may outlive main
    return *clock;
  }
  uint64_t start() {
    const std::lock_guard lock(mutex_);
    running_[++last_] = {
        Time::now() + std::chrono::microseconds(static_cast<int64_t>(options().kernel_time_s * 1e6)),
        pthread_self()};
    wake_.notify_one();
    return last_;
  }
  void stop(uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    running_.erase(ticket);
  }

 private:
  struct Running {
    Time::time_point until;
    pthread_t thread;
  };
  Clock() {
    std::thread([this] { watch(); }).detach();
  }
  void watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (running_.empty()) {
        wake_.wait(lock);
        continue;
      }
      const auto first =
          running_.begin()->second.until;  // all have the same time limit, so the first one ends first
      if (wake_.wait_until(lock, first) == std::cv_status::no_timeout && Time::now() < first) continue;
      for (auto& [ticket, r] : running_)
        if (Time::now() >= r.until) {
          pthread_kill(r.thread, time_is_up);
          r.until = Time::now() + std::chrono::milliseconds(2);  // it may not be possible to end it right now
        }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<uint64_t, Running> running_;
  uint64_t last_ = 0;
};

}  // namespace

FaultGuard::FaultGuard(Processor&) {
  catch_signals();
  give_stacks();
  ticket_ = Clock::get().start();
}
FaultGuard::~FaultGuard() { Clock::get().stop(ticket_); }

}  // namespace lab::emulated
