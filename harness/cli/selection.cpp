#include "harness/cli/selection.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/cli/command.h"

namespace harness {

void SelectionOptions::add_to(CLI::App& app) {
  app.add_option("config", config, "the lab's YAML file")->required();
  app.add_option("--variant", variants, "only variants that match this glob; may be repeated")
      ->type_name("GLOB");
  app.add_option("--sweep", sweeps, "only this sweep; may be repeated")->type_name("NAME");
  app.add_option("--set", set, "only this value of an axis, or this value instead; may be repeated")
      ->type_name("AXIS=VALUE");
  app.add_option("--submission", submission,
                 "a folder or file whose variants replace or join the lab's by name")
      ->type_name("PATH");
  app.add_option("--gpu-arch", gpu_architecture,
                 "build GPU variants for this architecture, for example sm_90; for HIP also several: gfx906,gfx90a")
      ->type_name("ARCH");
  app.add_option("--gpu", gpu,
                 "what GPU variants run on: auto (a GPU if there is one, else emulated), cuda, hip, emulated")
      ->type_name("DEVICE");
  app.add_option("--schedule", schedule,
                 "emulated device: order of a block's threads, in_order, random or random:SEED")
      ->type_name("ORDER");
  app.add_option("--lanes", lanes, "emulated device: lanes of a warp, 32 or 64")->type_name("N");
  app.add_option("--diagnostics", diagnostics,
                 "emulated device: on looks for races and such, off is faster and only checks results")
      ->type_name("on|off");
}

Result<RunOptions> SelectionOptions::options() const {
  RunOptions o;
  o.config = config;
  o.selection.variants = variants;
  o.selection.sweeps = sweeps;
  for (const std::string& word : set) {
    const size_t at = word.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == word.size())
      return Error{fmt::format("--set \"{}\" is not axis=value; write for example --set size=512", word)};
    o.selection.set.emplace_back(word.substr(0, at), word.substr(at + 1));
  }
  if (!submission.empty()) o.submission = submission;
  o.gpu_architecture = gpu_architecture;
  TRY_ASSIGN(o.device, parse_device_options(gpu, schedule, lanes, diagnostics));
  o.command = command_line();
  return o;
}

}  // namespace harness
