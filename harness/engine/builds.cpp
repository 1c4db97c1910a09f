#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

BuildRecord record_of(const Target& target) {
  const Build& b = target.build;
  return {b.key,     target.variant->name, target.macros, b.state,      b.seconds,
          b.command, b.compiler,           b.log,         b.source_hash};
}

}  // namespace

Done build_targets(Context& context) {
  Builder builder({context.root / "labs", context.build_files, context.cache, context.launcher, context.sandbox.get(), &context.machine,
                   context.architecture, context.config.resources.build_s, context.config.cxx_flags,
                   context.config.gpu_flags, context.options->device.watch});
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<Error> failed;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < context.targets.size();) {
      Target& target = *context.targets[i];
      const VariantInfo& variant = *target.variant;
      auto build = variant.defect.empty() ? builder.build(variant, target.macros, context.toolchain(variant))
                                          : Result<Build>(Error{variant.defect});
      const std::lock_guard lock(mutex);
      if (failed || interrupted()) return;
      if (!build && build.error().exit == ExitCode::machine) {
        failed = build.error();
        return;
      }
      if (build) {
        target.build = *std::move(build);
      } else {  // the source's fault: an unreadable file, an unknown need
        target.build.state = BuildState::failed;
        target.build.error = build.error().message;
      }
      nlohmann::json macros = nlohmann::json::object();
      for (const auto& [name, value] : target.macros) macros[name] = to_string(value);
      context.emit("build", {{"variant", target.variant->name},
                             {"macros", macros},
                             {"state", to_string(target.build.state)},
                             {"seconds", target.build.seconds},
                             {"error", target.build.error},
                             {"done", ++done},
                             {"of", context.targets.size()}});
    }
  };
  // Each build's children die with the thread that started them, so threads last until all is built.
  const int jobs = context.options->jobs > 0 ? context.options->jobs : usable_cores();
  std::vector<std::thread> threads;
  for (int i = 1; i < std::min<int>(jobs, static_cast<int>(context.targets.size())); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (failed) return *failed;
  if (interrupted()) return ok();
  for (const auto& target : context.targets)
    TRY(context.store->record_build(context.run_id, record_of(*target)));
  return ok();
}

}  // namespace harness
