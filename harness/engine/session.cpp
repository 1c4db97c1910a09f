#include "harness/engine/session.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/machine/openblas.h"

namespace harness {
namespace {

// Creating a GPU context takes seconds on some machines, and so does copying the largest problems.
constexpr double gpu_start_s = 60, transfer_s = 60;
// A container starts in half a second, and in many on a machine that is busy.
constexpr double container_start_s = 30;

std::vector<int> usable_cpus() {
  cpu_set_t set;
  std::vector<int> all;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set)) all.push_back(i);
  return all;
}

std::vector<std::string> gpu_nodes() {
  std::vector<std::string> nodes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev", error))
    if (entry.path().filename().string().rfind("nvidia", 0) == 0) nodes.push_back(entry.path().string());
  for (const char* path : {"/dev/kfd", "/dev/dri"})
    if (fs::exists(path)) nodes.push_back(path);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

protocol::Placement Session::check_placement() const {
  return gpu() ? protocol::Placement::device : protocol::Placement::mapped;
}
protocol::Placement Session::timing_placement() const {
  return gpu() ? protocol::Placement::device : protocol::Placement::copied;
}

namespace {

// For each thread of a case, beside the limit of memory: its stack, at most 64 MiB (worker_main.cpp), and the
// buffer of a library. OpenBLAS reserves 128 MiB a thread, and tries without end where that fails. (On CPUs
// with AVX-512 it needs none for small matrices.)
constexpr int64_t thread_bytes = int64_t{192} << 20;

WorkerSetup plain_setup(const Context& context) {
  const Resources& resources = context.config.resources;
  WorkerSetup setup;
  setup.sandbox = context.sandbox.get();
  setup.launcher = context.launcher;
  setup.program = context.worker;
  setup.wrap = context.options->wrap;
  setup.processes = resources.processes;
  setup.file_bytes = resources.file_mib << 20;
  setup.tmp_bytes = std::min(setup.tmp_bytes, resources.memory_mib << 20);
  setup.output_bytes = static_cast<size_t>(resources.output_kib) << 10;
  setup.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LC_ALL=C"};
  if (const std::string core = openblas_core(context.machine.cpu); !core.empty())
    setup.environment.push_back("OPENBLAS_CORETYPE=" + core);
  return setup;
}

}  // namespace

WorkerSetup gpu_setup(const Context& context) {
  WorkerSetup setup = plain_setup(context);
  setup.gpu = true;
  setup.device = context.gpu ? context.gpu->index : 0;
  setup.devices = gpu_nodes();
  return setup;
}

WorkerSetup cpu_setup(const Context& context, int threads) {
  WorkerSetup setup = plain_setup(context);
  setup.threads = threads;
  // One core, the last: interrupts and the harness itself prefer the first.
  setup.cpus = usable_cpus();
  const auto wanted = static_cast<ptrdiff_t>(std::max(1, threads));
  if (std::ssize(setup.cpus) > wanted) setup.cpus.erase(setup.cpus.begin(), setup.cpus.end() - wanted);
  return setup;
}

// An emulated device is a program like a CPU variant, with threads of its own on all cores.
void Session::restrain(WorkerSetup& setup) const {
  constexpr int64_t for_device = int64_t{1} << 30;  // what is known of every byte
  // With diagnostics it has one processor (emulator/device/options.h).
  const bool watched = context_.options->device.watch == Watch::diagnostics;
  const int processors = watched ? 1 : static_cast<int>(usable_cpus().size());
  setup.gpu = true;
  // A processor is a thread, and has 64 MiB for the stacks of a block's threads.
  setup.data_bytes += for_device + processors * thread_bytes;
  setup.processes += processors + 8;
  // Half of what a call may take: the device can still say which kernel and thread did not end.
  setup.environment.push_back(fmt::format("LAB_EMULATED_OPTIONS={},kernel_time_s={:g},processors={}",
                                          emulated_options(context_.options->device),
                                          context_.config.resources.case_s / 2, processors));
}

Tried<Unit> Session::start() {
  if (worker_) return Unit{};
  WorkerSetup setup = !gpu()       ? cpu_setup(context_, target_.threads)
                      : emulated() ? plain_setup(context_)
                                   : gpu_setup(context_);
  setup.object = target_.build.object;
  setup.kernel = context_.kernel->name();
  setup.dtype = target_.dtype;
  setup.threads = target_.threads;
  const int64_t limit = context_.config.resources.memory_mib << 20, buffers = 2 * target_.largest_bytes;
  const bool on_device = gpu() && !emulated();
  if (!on_device) setup.data_bytes = limit + buffers;
  if (emulated()) restrain(setup);
  if (!gpu()) {
    setup.data_bytes += target_.threads * thread_bytes;
    setup.processes += target_.threads - 1;
  }
  // All of it together: results are shared pages, and a GPU's driver keeps pages of its own.
  const int64_t beside = int64_t{on_device ? 8 : 1} << 30;
  setup.memory_bytes = (on_device ? limit : setup.data_bytes) + buffers + beside;
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(worker_,
             Worker::start(setup, target_.opened,
                           context_.config.resources.case_s + (gpu() ? gpu_start_s : 0) +
                               (context_.sandbox->container() ? container_start_s : 0)));
  start_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Unit{};
}

void Session::end() { worker_.reset(); }

// A worker that failed is gone: the next case gets a fresh one.
template <class T>
Tried<T> Session::watch(Tried<T> outcome) {
  // One that does not support a problem is as good as before.
  if (!outcome && outcome.error().status != Status::SKIPPED) {
    // One that hangs cannot answer.
    if (outcome.error().status != Status::TIMEOUT && outcome.error().status != Status::CANCELLED)
      ask_diagnostics();
    if (worker_) printed_ = worker_->end();
    worker_.reset();
  }
  return outcome;
}

void Session::ask_diagnostics() {
  constexpr double timeout_s = 10;
  if (!worker_ || !emulated()) return;
  if (const auto found = worker_->diagnostics(timeout_s))
    seen_.insert(seen_.end(), found->begin(), found->end());
}

std::vector<lab_diagnostic> Session::take_diagnostics() {
  ask_diagnostics();
  return std::exchange(seen_, {});
}

Tried<Loaded> Session::load(const Inputs& inputs, Returned& returned, protocol::Placement placement) {
  TRY(start());
  was_loaded_ = true;
  return watch(worker_->load(inputs, returned, placement, context_.config.resources.case_s + transfer_s));
}

Tried<Batch> Session::run(int calls, protocol::Cache cache, Data data, double expected_s) {
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  return watch(worker_->run(calls, cache, data, context_.config.resources.case_s + 4 * expected_s));
}

Tried<Fetched> Session::fetch() {
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  return watch(worker_->fetch(context_.config.resources.case_s + transfer_s));
}

Tried<Fetched> Session::take_output(Returned& returned) {
  if (gpu()) return fetch();
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  TRY_ASSIGN(const bool taken, watch(worker_->take_output(returned)));
  if (taken) return Fetched{};
  not_observed_.insert(NoteCode::outputs_not_observed);
  return fetch();
}

std::optional<std::string> Session::forbidden_library() {
  const auto& vendors = context_.config.vendors;
  const bool allowed = std::find(vendors.begin(), vendors.end(), target_.variant->name) != vendors.end();
  if (!worker_ || allowed || context_.config.forbid.empty()) return std::nullopt;
  const auto files = worker_->loaded_files();
  if (files) return find_library(*files, context_.config.forbid);
  not_observed_.insert(NoteCode::libraries_not_observed);
  return std::nullopt;
}

void Session::unload() {
  if (worker_) (void)watch(worker_->unload(context_.config.resources.case_s + transfer_s));
}

}  // namespace harness
