#include "harness/engine/device_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/base/random.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// Seeds are short, so that they are easy to type.
constexpr uint64_t seeds = 1000000;

Done parse_gpu(const std::string& word, DeviceOptions& options) {
  if (word.empty()) return ok();
  std::vector<std::string> names;
  for (const Toolchain* toolchain : registry<Toolchain>())
    if (toolchain->gpu()) names.push_back(toolchain->name());
  std::ranges::sort(names);
  names.insert(names.begin(), "auto");
  options.gpu = word;
  if (contains(names, word)) return ok();
  return Error{
      fmt::format("--gpu \"{}\" is no device{}; there are {}", word, did_you_mean(word, names), join(names, ", "))};
}

Done parse_schedule(const std::string& word, DeviceOptions& options) {
  if (word.empty()) return ok();
  options.schedule = word == "random" ? fmt::format("random:{}", secret_bits() % seeds) : word;
  if (word == "mixed" || word == "in_order" || word == "random") return ok();
  const std::string name = word.substr(0, word.find(':'));
  if (name == "random") {
    uint64_t seed = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + name.size() + 1, end, seed);
    if (error != std::errc() || stop != end)
      return Error{fmt::format("--schedule \"{}\": the seed is not a number; write for example random:7", word)};
    return ok();
  }
  return Error{fmt::format("--schedule \"{}\" is unknown{}; there are mixed, in_order, random, random:SEED", word,
                           did_you_mean(name, {"mixed", "in_order", "random"}))};
}

}  // namespace

Result<DeviceOptions> parse_device_options(const std::string& gpu, const std::string& schedule,
                                           const std::string& lanes, const std::string& diagnostics) {
  DeviceOptions options;
  TRY(parse_gpu(gpu, options));
  TRY(parse_schedule(schedule, options));
  if (lanes == "64")
    options.lanes = 64;
  else if (!lanes.empty() && lanes != "32")
    return Error{fmt::format("--lanes \"{}\": a warp has 32 lanes (NVIDIA) or 64 (AMD)", lanes)};
  if (diagnostics == "off")
    options.watch = Watch::nothing;
  else if (!diagnostics.empty() && diagnostics != "on")
    return Error{fmt::format("--diagnostics \"{}\" is neither on nor off", diagnostics)};
  return options;
}

const Toolchain* choose_gpu_toolchain(const DeviceOptions& options, const GpuInfo* gpu) {
  if (options.gpu != "auto") return find_toolchain(options.gpu);
  const Toolchain* real = gpu ? find_toolchain(gpu->vendor == "amd" ? "hip" : "cuda") : nullptr;
  return real ? real : find_toolchain(options.emulates ? "emulated" : "cuda");
}

std::string schedule_name(const DeviceOptions& options) {
  return options.schedule == "in_order" ? "in order" : options.schedule;
}

std::string emulated_options(const DeviceOptions& options) {
  return fmt::format("schedule={},lanes={},diagnostics={}", options.schedule, options.lanes, options.watch == Watch::diagnostics ? "on" : "off");
}

}  // namespace harness
