#include "harness/engine/build_all.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/sanitize/sanitize.h"

namespace harness {

Builder make_builder(const PlacedLab& lab) {
  std::vector<std::string> cxx_flags = lab.config.cxx_flags;
  for (const std::string& flag : sanitizer_flags(lab.options.sanitize)) cxx_flags.push_back(flag);
  if (lab.options.debugs) cxx_flags.insert(cxx_flags.end(), {"-g", "-O1"});
  return Builder({lab.root / "labs", lab.build_files, lab.cache, lab.launcher, lab.sandbox.get(), &lab.machine,
                  lab.architecture, lab.config.resources.build_s, cxx_flags, lab.config.gpu_flags,
                  lab.options.device.watch});
}

std::optional<Build> build_again(const PlacedLab& there, const Build& build) {
  auto built = make_builder(there).build(*build.variant, build.macros, there.toolchain(*build.variant));
  if (!built || !built->error.empty()) return std::nullopt;
  return Build{build.variant,   build.macros,        build.dtype,   build.threads,
               build.precision, build.largest_bytes, build.scalars, *std::move(built)};
}

Done build_all(const PlacedLab& lab, Cases& cases, Recorder& recorder) {
  Builder builder = make_builder(lab);
  const size_t count = cases.builds.size();
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<Error> failed;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < count;) {
      Build& build = *cases.builds[i];
      const VariantInfo& variant = *build.variant;
      auto result = variant.defect.empty() ? builder.build(variant, build.macros, lab.toolchain(variant))
                                           : Result<BuildResult>(Error{variant.defect});
      const std::lock_guard lock(mutex);
      std::error_code error;
      if (failed || interrupted()) return;
      if (!result && result.error().exit == ExitCode::machine) {
        failed = result.error();
        return;
      }
      if (result)
        build.result = *std::move(result);
      else  // a mistake in the source: an unreadable file, an unknown need
        build.result.error = result.error().message;
      build.warnings = first_warnings(build.result.log, fs::weakly_canonical(variant.file, error));
      recorder.emit(event::BuildEnded{variant.name, build.macros, build.result.state, build.result.seconds,
                                      build.result.error, build.warnings, ++done, count});
    }
  };
  // The processes of a build end with the thread that started them, so the threads end last.
  const int jobs = lab.options.jobs > 0 ? lab.options.jobs : usable_cores();
  std::vector<std::thread> threads;
  for (int i = 1; i < std::min<int>(jobs, static_cast<int>(count)); ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (failed) return *failed;
  if (interrupted()) return ok();
  for (const auto& build : cases.builds) {
    const BuildResult& r = build->result;
    std::vector<std::pair<std::string, std::string>> macros;  // text, as the compiler gets them
    for (const auto& [name, value] : build->macros) macros.emplace_back(name, to_string(value));
    TRY(recorder.store().record_build(recorder.run_id(), {r.key, build->variant->name, std::move(macros), r.state,
                                                          r.seconds, r.command, r.compiler, r.log, r.source_hash,
                                                          build->warnings, r.kernel_functions}));
  }
  return ok();
}

}  // namespace harness
