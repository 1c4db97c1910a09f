#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/client/program.h"
#include "harness/engine/published.h"
#include "harness/engine/run.h"
#include "harness/plan/variants.h"

namespace harness {

int Context::done() const {
  int count = 0;
  for (const CaseState& c : cases) count += c.finished;
  return count;
}

Done set_up(Context& context) {
  const RunOptions& options = *context.options;
  TRY_ASSIGN(context.root, project_root());
  context.results = options.results.empty() ? context.root / "results" : options.results;
  context.cache = context.root / "build/cache";
  TRY_ASSIGN(context.config, load_config(options.config));
  context.kind = find_kind(context.config.kernel);
  if (!context.kind)
    return Error{fmt::format("{}: unknown kernel \"{}\"{}; there are {}",
                             to_string(context.config.kernel_place), context.config.kernel,
                             did_you_mean(context.config.kernel, kind_names()), join(kind_names(), ", "))};
  if (!context.config.sandbox.empty())
    if (const auto found = find_sandbox(context.config.sandbox); !found)
      return Error{fmt::format("{}: {}", to_string(context.config.sandbox_place), found.error().message)};
  TRY_ASSIGN(context.published, read_published(context));
  TRY_ASSIGN(context.frozen, read_frozen_table(context.root, context.config));
  TRY_ASSIGN(context.variants, scan_variants(context.root / "labs" / context.kind->name(), *context.kind));
  if (options.submission) TRY(add_submission(context.variants, *options.submission, *context.kind));
  TRY_ASSIGN(context.plan, make_plan(context.config, *context.kind, context.variants, options.selection));
  context.machine = inspect_machine((context.cache / "tools.json").string());
  if (!context.machine.gpus.empty()) context.gpu = &context.machine.gpus.front();
  context.gpu_backend = choose_gpu_backend(options.device, context.gpu);
  if (context.gpu_backend->name() == "emulated") context.gpu = nullptr;
  context.architecture = !options.gpu_architecture.empty() ? options.gpu_architecture
                         : context.gpu                     ? context.gpu->architecture
                                                           : "";
  return ok();
}

}  // namespace harness
