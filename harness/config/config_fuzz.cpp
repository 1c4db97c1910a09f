// A lab's YAML: a teacher is trusted, a typing error of hers must not crash or hang the harness.
#include <nlohmann/json.hpp>

#include "harness/base/fuzz.h"
#include "harness/config/config.h"

using namespace harness;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto config = parse_config(text, "a.yaml");
  if (!config) {
    fuzz::must(config.error().message.rfind("a.yaml:", 0) == 0, "an error names the position");
    return 0;
  }
  fuzz::must(!config->lab.empty() && !config->kernel.empty() && !config->sweeps.empty(), "a config is whole");
  for (const Sweep& sweep : config->sweeps) (void)axis_names(sweep);
  (void)config->report->dump(-1, ' ', false, nlohmann::json::error_handler_t::strict);
  return 0;
}
