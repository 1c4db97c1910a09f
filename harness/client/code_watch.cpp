#include "harness/client/code_watch.h"

#include <sched.h>

#include <condition_variable>
#include <utility>

#include "harness/base/random.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// A look takes about 0.1 ms. The worker cannot know when the next one comes.
std::chrono::microseconds until_next_look() { return std::chrono::microseconds(2000 + secret_bits() % 8000); }

void add_new(std::vector<std::string>& known, std::vector<std::string>&& names) {
  for (std::string& name : names)
    if (!contains(known, name)) known.push_back(std::move(name));
}

}  // namespace

CodeWatch::CodeWatch(pid_t pid, std::vector<int> cpus)
    : pid_(pid), cpus_(std::move(cpus)), thread_([this](const std::stop_token& stop) { look(stop); }) {}

Mapped CodeWatch::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void CodeWatch::look(const std::stop_token& stop) {
  constexpr size_t most_files = 10'000;  // to compare them all takes long
  cpu_set_t mine;
  CPU_ZERO(&mine);
  for (const int cpu : cpus_) CPU_SET(cpu, &mine);
  if (!cpus_.empty()) sched_setaffinity(0, sizeof mine, &mine);
  std::mutex waiting;
  std::condition_variable_any stopped;
  std::unique_lock lock(waiting);
  while (!stopped.wait_for(lock, stop, until_next_look(), [&] { return stop.stop_requested(); })) {
    if (!runs_) continue;
    auto now = mapped(pid_);
    if (!now || now->files.size() > most_files) continue;
    const std::lock_guard changing(mutex_);
    add_new(seen_.files, std::move(now->files));
    add_new(seen_.code, std::move(now->code));
  }
}

}  // namespace harness
