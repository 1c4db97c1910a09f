#include <fmt/format.h>

#include "harness/base/embedded.h"
#include "harness/base/text.h"
#include "harness/build/image.h"
#include "harness/engine/published.h"
#include "harness/engine/run.h"
#include "harness/engine/session.h"
#include "harness/plan/variants.h"

namespace harness {

void CaseState::conclude() {
  const Verdict verdict = decide(evidence);
  record.status = verdict.status;
  record.reason = verdict.reason;
  if (evidence.build_error || evidence.failure) record.check.message = verdict.reason;
}

int Context::done() const {
  int count = 0;
  for (const CaseState& c : cases) count += c.finished;
  return count;
}

std::optional<std::string> Context::only_builds(const VariantInfo& variant) const {
  if (!variant.gpu || gpu || emulates(variant) || architecture.empty()) return std::nullopt;
  return fmt::format("built for {}; no {} GPU on this machine runs it", join(split(architecture, ','), ", "),
                     gpu_toolchain->vendor() == "amd" ? "AMD" : "NVIDIA");
}

Done choose_sandbox(Context& context) {
  if (context.sandbox) return ok();
  const std::string& name =
      context.options->sandbox.empty() ? context.config.sandbox : context.options->sandbox;
  ContainerSpec spec;
  spec.image = context.config.container.image;
  for (const std::string& mount : context.config.container.mounts) {
    if (std::error_code error; !fs::is_directory(mount, error))
      return Error{fmt::format("{}: there is no folder \"{}\" to mount into the container", context.config.path,
                               mount),
                   ExitCode::machine};
    spec.mounts.push_back(mount);
  }
  TRY_ASSIGN(context.sandbox, choose_sandbox(name, spec));
  TRY_ASSIGN(const fs::path programs, unpack("programs", context.cache));
  context.launcher = programs / "harness-launcher";
  context.worker = programs / "harness-worker";
  TRY_ASSIGN(context.build_files, unpack("build", context.cache));
  if (!context.sandbox->container()) return ok();
  TRY_ASSIGN(context.machine,
             machine_inside(context.machine, *context.sandbox, spec, context.launcher, context.cache));
  return ok();
}

Done set_up(Context& context) {
  const RunOptions& options = *context.options;
  TRY_ASSIGN(context.root, project_root());
  context.results = options.results.empty() ? context.root / "results" : options.results;
  context.cache = context.root / "build/cache";
  TRY_ASSIGN(context.config, load_config(options.config));
  context.kernel = find_kernel(context.config.kernel);
  if (!context.kernel)
    return Error{fmt::format("{}: unknown kernel \"{}\"{}; there are {}",
                             to_string(context.config.kernel_position), context.config.kernel,
                             did_you_mean(context.config.kernel, kernel_names()), join(kernel_names(), ", "))};
  const std::string& place = options.sandbox.empty() ? context.config.sandbox : options.sandbox;
  if (!context.config.sandbox.empty())
    if (const auto found = find_sandbox(context.config.sandbox); !found)
      return Error{fmt::format("{}: {}", to_string(context.config.sandbox_position), found.error().message)};
  TRY_ASSIGN(context.published, read_published(context));
  TRY_ASSIGN(context.recorded, read_recorded_table(context.root, context.config));
  TRY_ASSIGN(context.variants, scan_variants(context.root / "labs" / context.kernel->name(), *context.kernel));
  if (options.submission) TRY(add_submission(context.variants, *options.submission, *context.kernel));
  TRY_ASSIGN(context.plan, make_plan(context.config, *context.kernel, context.variants, options.selection));
  context.machine = inspect_machine((context.cache / "tools.json").string());
  // What can be built and run depends on the image; without one it does not.
  if (const auto found = find_sandbox(place); found && (*found)->takes_image()) TRY(choose_sandbox(context));
  const std::vector<GpuInfo>& gpus = context.machine.gpus;
  context.gpu_toolchain = choose_gpu_toolchain(options.device, gpus.empty() ? nullptr : &gpus.front());
  for (const GpuInfo& gpu : gpus)
    if (!context.gpu && gpu.vendor == context.gpu_toolchain->vendor()) context.gpu = &gpu;
  if (context.gpu && context.sandbox) TRY(context.sandbox->reaches(gpu_setup(context).devices));
  context.architecture = !options.gpu_architecture.empty() ? options.gpu_architecture
                         : context.gpu                     ? context.gpu->architecture
                                                           : context.gpu_toolchain->default_architecture();
  if (!options.gpu_architecture.empty() && !context.gpu_toolchain->unable(context.machine))
    TRY(context.gpu_toolchain->check_architecture(options.gpu_architecture, context.machine));
  return ok();
}

}  // namespace harness
