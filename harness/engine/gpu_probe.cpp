#include "harness/engine/gpu_probe.h"

#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double start_timeout_s = 60;

GpuCapacity capacity_of(const lab_device_info& device) {
  return {device.multiprocessors,
          device.warp_size,
          device.max_threads_per_block,
          device.max_threads_per_multiprocessor,
          device.registers_per_block,
          device.shared_memory_per_block,
          device.shared_memory_per_multiprocessor,
          device.l2_bytes,
          {std::begin(device.max_grid), std::end(device.max_grid)}};
}

}  // namespace

Result<GpuProbe> start_gpu_probe(const PlacedLab& lab) {
  VariantInfo probe;
  probe.name = "limits of the GPU";
  probe.file = (lab.build_files / "harness/machine/limits_gpu.cu").string();
  probe.gpu = true;
  Builder builder(
      {lab.root / "labs", lab.build_files, lab.cache, lab.launcher, lab.sandbox.get(), &lab.machine, lab.architecture});
  TRY_ASSIGN(const BuildResult build, builder.build(probe, {}, *lab.gpu_toolchain));
  if (build.state == BuildState::failed) return Error{build.error, ExitCode::machine};
  WorkerSetup setup = gpu_setup(lab);
  setup.object = build.object;
  auto worker = Worker::start(setup);
  const auto opened = worker ? worker->open(setup, start_timeout_s) : Tried<Opened>(worker.error());
  if (!opened) return Error{opened.error().message, ExitCode::machine};
  return GpuProbe{*std::move(worker), capacity_of(opened->device)};
}

}  // namespace harness
