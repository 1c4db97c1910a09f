#include "emulator/device/options.h"

#include <cstdlib>
#include <string>
#include <thread>

// warpSize (kernel.h). A program may define one of its own, which the linker then takes.
extern "C" {
__attribute__((visibility("hidden"))) int lab_lanes_of_a_warp = 32;
extern int lab_lanes __attribute__((weak, alias("lab_lanes_of_a_warp"), visibility("hidden")));
}

namespace lab::emulated {
namespace {

void set(Options& o, const std::string& name, const std::string& value) {
  const auto number = [](const std::string& text) { return std::strtod(text.c_str(), nullptr); };
  if (name == "schedule") {
    o.schedule = value.rfind("random", 0) == 0 ? Schedule::random : value == "mixed" ? Schedule::mixed : Schedule::in_order;
    if (const size_t colon = value.find(':'); colon != std::string::npos)
      o.seed = std::strtoull(value.c_str() + colon + 1, nullptr, 10);
  } else if (name == "lanes") {
    o.lanes = value == "64" ? 64 : 32;
  } else if (name == "diagnostics") {
    o.diagnostics = value != "off";
  } else if (name == "kernel_time_s" && number(value) > 0) {
    o.kernel_time_s = number(value);
  } else if (name == "processors" && number(value) >= 1 && number(value) <= 1024) {
    o.processors = static_cast<int>(number(value));
  }
}

Options read(std::string rest) {
  Options o;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string part = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    if (const size_t equals = part.find('='); equals != std::string::npos)
      set(o, part.substr(0, equals), part.substr(equals + 1));
  }
  if (o.processors == 0)
    o.processors = o.diagnostics ? 1 : static_cast<int>(std::thread::hardware_concurrency());
  if (o.processors < 1 || o.diagnostics) o.processors = 1;
  return o;
}

Options& all() {
  static Options options = read("");
  return options;
}

}  // namespace

const Options& options() { return all(); }
void configure(const char* text) {
  all() = read(text);
  lab_lanes_of_a_warp = all().lanes;
}

}  // namespace lab::emulated
