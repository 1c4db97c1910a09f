#include "harness/store/run_clock.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "harness/base/random.h"

namespace harness {
namespace {

std::string formatted(int64_t ms, const char* format) {
  const std::time_t seconds = ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &utc)};
}

}  // namespace

int64_t now_ms() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

std::string iso_time(int64_t ms) { return formatted(ms, "%Y-%m-%dT%H:%M:%SZ"); }
std::string readable_time(int64_t ms) { return formatted(ms, "%Y-%m-%d %H:%M:%S UTC"); }
std::string new_run_id(int64_t ms) {
  return fmt::format("{}-{:04x}", formatted(ms, "%Y%m%d-%H%M%S"), secret_bits() & 0xffff);
}

}  // namespace harness
