#include "harness/engine/gpu_probe.h"

#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double timeout_s = 60;

}  // namespace

Result<Worker> start_gpu_probe(const Context& context, Dtype dtype) {
  VariantInfo probe;
  probe.name = "limits of the GPU";
  probe.file = (context.build_files / "harness/machine/limits_gpu.cu").string();
  probe.gpu = true;
  Builder builder({context.root / "labs", context.build_files, context.cache, context.launcher, context.sandbox.get(), &context.machine,
                   context.architecture});
  TRY_ASSIGN(const Build build, builder.build(probe, {}, *context.gpu_toolchain));
  if (build.state == BuildState::failed) return Error{build.error, ExitCode::machine};
  WorkerSetup setup = gpu_setup(context);
  setup.object = build.object;
  setup.dtype = dtype;
  Opened opened;
  auto worker = Worker::start(setup, opened, timeout_s);
  if (!worker) return Error{worker.error().message, ExitCode::machine};
  return *std::move(worker);
}

}  // namespace harness
