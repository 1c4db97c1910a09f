#include "harness/watch/code_watch.h"

#include <condition_variable>
#include <utility>

#include "harness/base/parallel.h"
#include "harness/base/random.h"

namespace harness {
namespace {

// A look takes about 0.1 ms. The worker cannot know when the next one comes.
std::chrono::microseconds until_next_look() { return std::chrono::microseconds(2000 + secret_bits() % 8000); }

}  // namespace

CodeWatch::CodeWatch(pid_t pid, std::vector<int> cpus)
    : pid_(pid), cpus_(std::move(cpus)), thread_([this](const std::stop_token& stop) { look(stop); }) {}

std::set<std::string> CodeWatch::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void CodeWatch::look(const std::stop_token& stop) {
  stay_on(cpus_);
  std::mutex waiting;
  std::condition_variable_any stopped;
  std::unique_lock lock(waiting);
  while (!stopped.wait_for(lock, stop, until_next_look(), [&] { return stop.stop_requested(); })) {
    const std::lock_guard looking(mutex_);
    if (!runs_) continue;
    if (auto now = mapped(pid_)) seen_.merge(now->code);
  }
}

}  // namespace harness
