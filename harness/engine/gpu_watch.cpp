#include "harness/engine/gpu_watch.h"

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

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
  using namespace std::chrono_literals;
  while (!stop_) {
    for (const nlohmann::json& gpu : gpu_state())
      if (gpu.value("uuid", "") == uuid_)
        reasons_ |= std::strtoull(gpu.value("throttle_reasons", "0").c_str(), nullptr, 16);
    for (int i = 0; i < 20 && !stop_; ++i) std::this_thread::sleep_for(50ms);
  }
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
