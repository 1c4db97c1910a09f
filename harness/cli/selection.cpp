#include "harness/cli/selection.h"

#include <fmt/format.h>

namespace harness {

std::vector<Option> SelectionOptions::options() {
  return {
      {"config", &config, "the lab's YAML file"},
      {"--variant", &variants, "only variants that match this glob; may be repeated", "GLOB"},
      {"--sweep", &sweeps, "only this sweep; may be repeated", "NAME"},
      {"--set", &set, "only this value of an axis, or this value instead; may be repeated", "AXIS=VALUE"},
      {"--submission", &submission, "a folder or file whose variants replace or join the lab's by name", "PATH"},
      {"--gpu-arch", &gpu_architecture,
       "build GPU variants for this architecture, for example sm_90; for HIP also several: gfx906,gfx90a", "ARCH"},
      {"--gpu", &gpu, "what GPU variants run on: auto (a GPU if there is one, else emulated), cuda, hip, emulated",
       "DEVICE"},
      {"--schedule", &schedule, "emulated device: order of blocks and threads: mixed (half of the launches by lot), in_order, random or random:SEED",
       "ORDER"},
      {"--lanes", &lanes, "emulated device: lanes of a warp, 32 or 64", "N"},
      {"--diagnostics", &diagnostics,
       "emulated device: on looks for races and such, off is faster and only checks results", "on|off"},
  };
}

Result<RunOptions> SelectionOptions::run_options() const {
  RunOptions o;
  o.config = config;
  o.selection.variants = variants;
  o.selection.sweeps = sweeps;
  for (const std::string& word : set) {
    const size_t at = word.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == word.size())
      return Error{fmt::format("--set \"{}\" is not axis=value; write for example --set size=512", word)};
    for (const auto& [name, value] : o.selection.set)
      if (word.substr(0, at) == name)
        return Error{
            fmt::format("--set {} is given twice, {} and {}; give one value", name, value, word.substr(at + 1))};
    o.selection.set.emplace_back(word.substr(0, at), word.substr(at + 1));
  }
  if (!submission.empty()) o.submission = submission;
  o.gpu_architecture = gpu_architecture;
  TRY_ASSIGN(o.device, parse_device_options(gpu, schedule, lanes, diagnostics));
  o.command = command_line();
  return o;
}

}  // namespace harness
