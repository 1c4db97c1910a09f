#include <fmt/format.h>

#include <algorithm>

#include "harness/base/embedded.h"
#include "harness/base/text.h"
#include "harness/build/image.h"
#include "harness/engine/lab.h"
#include "harness/engine/session.h"
#include "harness/plan/tuned.h"

namespace harness {
namespace {

Done choose_sandbox(const std::string& name, PlacedLab& lab) {
  ContainerSpec spec;
  spec.image = lab.config.container.image;
  for (const std::string& mount : lab.config.container.mounts) {
    const fs::path folder = beside(lab.config, mount);
    if (std::error_code error; !fs::is_directory(folder, error))
      return Error{fmt::format("{}: there is no folder \"{}\" to mount into the container", lab.config.path, mount),
                   ExitCode::machine};
    spec.mounts.push_back(fs::absolute(folder).string());
  }
  TRY_ASSIGN(lab.sandbox, choose_sandbox(name, spec));
  TRY_ASSIGN(const fs::path programs, unpack("programs", lab.cache));
  lab.worker = programs / "harness-worker";
  lab.launcher = programs / "harness-launcher";
  TRY_ASSIGN(lab.build_files, unpack("build", lab.cache));
  if (!lab.sandbox->container()) return ok();
  TRY_ASSIGN(lab.machine, machine_inside(lab.machine, *lab.sandbox, spec, lab.launcher, lab.cache));
  return ok();
}

Done choose_gpu(PlacedLab& lab) {
  const std::vector<GpuInfo>& gpus = lab.machine.gpus;
  const std::string& wanted = lab.options.gpu_architecture;
  lab.gpu_toolchain = choose_gpu_toolchain(lab.options.device, gpus.empty() ? nullptr : &gpus.front());
  for (const GpuInfo& gpu : gpus)
    if (!lab.gpu && gpu.vendor == lab.gpu_toolchain->vendor()) lab.gpu = gpu;
  if (lab.gpu && lab.sandbox) TRY(lab.sandbox->reaches(gpu_setup(lab).devices));
  lab.architecture = !wanted.empty() ? wanted
                     : lab.gpu       ? lab.gpu->architecture
                                     : lab.gpu_toolchain->default_architecture();
  if (!wanted.empty() && !lab.gpu_toolchain->unable(lab.machine))
    TRY(lab.gpu_toolchain->check_architecture(wanted, lab.machine));
  return ok();
}

/// Parameters that the config does not set get the values that were fastest on this device.
void use_tuned(PlacedLab& lab) {
  for (Case& c : lab.plan.cases) {
    const auto variant = std::ranges::find(lab.variants, c.variant, &VariantInfo::name);
    const TunedValues* row = find_tuned(variant->tuned, lab.device_name(*variant), c.dtype);
    if (!row) continue;
    for (const auto& [name, value] : row->values)
      if (!find(c.macros, name)) c.macros.emplace_back(name, value);
  }
}

}  // namespace

bool PlacedLab::forbids(const VariantInfo& variant) const {
  return !config.forbid.empty() && (variant.from_submission || !contains(config.vendors, variant.name));
}

std::string PlacedLab::device_name(const VariantInfo& variant) const {
  if (emulates(variant)) return "emulated";
  if (!variant.gpu) return machine.cpu.model;
  return gpu ? gpu->name : "";
}

std::optional<std::string> PlacedLab::only_builds(const VariantInfo& variant) const {
  if (!variant.gpu || gpu || emulates(variant) || architecture.empty()) return std::nullopt;
  return fmt::format("built for {}; no {} GPU on this machine runs it", join(split(architecture, ','), ", "),
                     gpu_toolchain->vendor() == "amd" ? "AMD" : "NVIDIA");
}

Result<PlacedLab> place_lab(Lab loaded, Purpose purpose) {
  PlacedLab lab{std::move(loaded)};
  const std::string name = lab.options.sandbox.empty() ? lab.config.sandbox : lab.options.sandbox;
  lab.machine = inspect_machine((lab.cache / "tools.json").string());
  if (const auto found = find_sandbox(name); found && (*found)->takes_image()) TRY(choose_sandbox(name, lab));
  TRY(choose_gpu(lab));
  use_tuned(lab);
  if (purpose == Purpose::run && !lab.sandbox) TRY(choose_sandbox(name, lab));
  return lab;
}

}  // namespace harness
