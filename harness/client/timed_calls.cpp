// Single timed calls of a worker, by the clock of the harness (harness/worker/turns.h, docs/trust.md).
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "harness/base/parallel.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/client/client.h"

namespace harness {
namespace {

using namespace protocol;
using Clock = std::chrono::steady_clock;
using Ms = std::chrono::duration<double, std::milli>;

// Keeps this thread on some cores, so that it does not take the worker's.
class OnCores {
 public:
  explicit OnCores(const std::vector<int>& cpus) { stay_on(cpus); }
  OnCores(const OnCores&) = delete;
  ~OnCores() { stay_on(before_); }

 private:
  std::vector<int> before_ = usable_cpus();
};

}  // namespace

Tried<Unit> Worker::await(Turns::Word& word, double timeout_s) {
  const Waiting waiting = spare_cpus_.empty() ? Waiting::sleeps : Waiting::spins;
  const Wait waited = wait_for_turn(word, turn_, waiting, channel_->fd, timeout_s);
  if (waited == Wait::ready) return Unit{};
  in_turns_ = false;
  if (waited != Wait::replied) return no_answer(waited, timeout_s, Op::take_turns);
  const auto reply = receive_end_of_turns();
  pause();
  TRY(wait_until_paused());  // it may have answered itself, and go on
  TRY(reply);
  return Failure{Status::CRASHED, "its turns ended before the harness ended them"};
}

void Worker::pause() {
  if (!pauses_ || !process_) return;
  syscall(SYS_pidfd_send_signal, process_->fd, SIGSTOP, nullptr, 0);
  if (code_watch_) code_watch_->pause();
}

Tried<Unit> Worker::wait_until_paused() const {
  constexpr double longest_s = 5;  // on a busy machine a thread gets a core now and then only, and it stops there
  constexpr std::chrono::microseconds step{50};
  if (!pauses_ || !process_) return Unit{};
  for (const Stopwatch watch; !is_stopped(pid_);) {
    if (watch.s() > longest_s)
      return Failure{Status::MISTRUSTED, fmt::format("it does not stop after its call: {} later a thread is still in a system call",
                                                     human_time(longest_s))};
    std::this_thread::sleep_for(step);
  }
  return Unit{};
}

void Worker::go_on() {
  if (!pauses_ || !process_) return;
  if (code_watch_) code_watch_->go_on();
  syscall(SYS_pidfd_send_signal, process_->fd, SIGCONT, nullptr, 0);
}

Tried<TimedCall> Worker::timed_call(const AroundCall& around, double timeout_s) {
  ++turn_;
  TimedCall timed;
  const auto wake = [&] {
    timed.processor_ms = processor_ms();  // exact, because it does not run
    turns().wake = turn_;
    go_on();
    wake_sleeper(turns().wake);
  };
  // `ready`: since when the worker is awake. Without it, the release wakes it.
  const auto call = [&](std::optional<Clock::time_point> ready) -> Tried<TimedCall> {
    const auto start = Clock::now();
    turns().release = turn_;
    if (!ready) wake();
    TRY(await(turns().done, timeout_s));
    const auto answered = Clock::now();
    around.read();
    timed.read_ms = Ms(Clock::now() - answered).count();
    timed.call_ms = Ms(answered - start).count();
    timed.awake_ms = Ms(answered - ready.value_or(start)).count();
    return timed;
  };
  const bool writes_first = spare_cpus_.empty() || around.when == WriteData::worker_sleeps;
  if (writes_first) around.write();
  if (spare_cpus_.empty()) {
    around.write_last();
    return call({});
  }
  const OnCores on(spare_cpus_);
  const auto woken = Clock::now();
  wake();
  TRY(await(turns().ready, timeout_s));
  const auto ready = Clock::now();
  timed.wake_ms = Ms(ready - woken).count();
  if (!writes_first) {
    around.write();
    if (around.when == WriteData::worker_reads) {
      const auto shown = Clock::now();
      turns().shown = turn_;
      TRY(await(turns().touched, timeout_s));
      timed.touch_ms = Ms(Clock::now() - shown).count();
    }
  }
  around.write_last();
  return call(ready);
}

void Worker::stop_turns() {
  if (!std::exchange(in_turns_, false)) return;
  turns().wake = no_more_turns;
  go_on();
  wake_sleeper(turns().wake);
}

Tried<Unit> Worker::end_turns(double timeout_s) {
  if (!in_turns_) return Unit{};
  stop_turns();
  const Wait waited = wait_for_reply(channel_->fd, timeout_s);
  if (waited != Wait::ready) return no_answer(waited, timeout_s, Op::take_turns);
  TRY(receive_end_of_turns());
  turns().wake = turn_;
  pause();
  return wait_until_paused();
}

}  // namespace harness
