#include "harness/machine/gpu_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/machine/gpu.h"

namespace harness {

GpuWatch::GpuWatch(std::string uuid) : uuid_(std::move(uuid)) {
  if (!uuid_.empty()) thread_ = std::thread(&GpuWatch::watch, this);
}

GpuWatch::~GpuWatch() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void GpuWatch::watch() {
  constexpr int period_ms = 100;
  const auto loop = gpu_state_loop(uuid_, period_ms);
  int ends[2];
  if (!loop || pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t pid = start_process({.command = loop->command, .output = ends[1], .errors = ends[1]});
  close(ends[1]);
  std::string text;
  for (char chunk[512]; pid > 0 && !stop_;) {
    pollfd readable{ends[0], POLLIN, 0};
    if (poll(&readable, 1, period_ms) <= 0) continue;
    const ssize_t n = read(ends[0], chunk, sizeof chunk);
    if (n <= 0) break;
    text.append(chunk, static_cast<size_t>(n));
    const size_t whole = text.rfind('\n') + 1;  // 0: no line has ended
    for (const nlohmann::json& state : parse_nvidia_smi(std::string_view(text).substr(0, whole), loop->fields)) {
      sm_clock_mhz_ = state.value("clocks_sm_mhz", 0.0);
      reasons_ |= std::strtoull(state.value("throttle_reasons", "0").c_str(), nullptr, 16);
    }
    text.erase(0, whole);
  }
  close(ends[0]);
  if (pid <= 0) return;
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

std::optional<double> GpuWatch::sm_clock_mhz() const {
  const double mhz = sm_clock_mhz_;
  return mhz > 0 ? std::optional(mhz) : std::nullopt;
}

std::optional<std::string> GpuWatch::throttled() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  return slowing_reasons(reasons_);
}

std::optional<std::string> slowing_reasons(uint64_t bits) {
  // nvml.h, nvmlClocksEventReason*.
  constexpr struct {
    uint64_t bit;
    const char* text;
  } known[] = {{0x08, "hardware slowdown"},
               {0x20, "too hot (software)"},
               {0x40, "too hot (hardware)"},
               {0x80, "power brake of the machine"}};
  std::vector<std::string> found;
  for (const auto& reason : known)
    if (bits & reason.bit) found.emplace_back(reason.text);
  if (found.empty()) return std::nullopt;
  return join(found, ", ");
}

}  // namespace harness
