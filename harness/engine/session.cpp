#include "harness/engine/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/parallel.h"
#include "harness/base/text.h"
#include "harness/engine/emulated_diagnostics.h"
#include "harness/machine/openblas.h"
#include "harness/sanitize/sanitize.h"
#include "harness/watch/symbols.h"

namespace harness {
namespace {

// Creating a GPU context takes seconds on some machines, and so does copying the largest problems.
constexpr double gpu_start_s = 60, transfer_s = 60;
// A container starts in half a second, but takes many seconds on a busy machine.
constexpr double container_start_s = 30;

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

// Each thread gets this in addition to the memory limit: for its stack, at most 64 MiB (start_limited.cpp), and for
// buffers of a library. OpenBLAS reserves 128 MiB per thread and tries for ever if that fails.
constexpr int64_t thread_bytes = int64_t{192} << 20;

WorkerSetup plain_setup(const PlacedLab& lab) {
  const Resources& resources = lab.config.resources;
  WorkerSetup setup;
  setup.sandbox = lab.sandbox.get();
  setup.launcher = lab.launcher;
  setup.program = lab.worker;
  setup.wrap = lab.options.wrap;
  setup.processes = resources.processes;
  setup.file_bytes = resources.file_mib << 20;
  setup.tmp_bytes = std::min(setup.tmp_bytes, resources.memory_mib << 20);
  setup.output_bytes = static_cast<size_t>(resources.output_kib) << 10;
  setup.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LC_ALL=C", "OMP_PROC_BIND=true"};
  if (const std::string core = openblas_core(lab.machine.cpu); !core.empty())
    setup.environment.push_back("OPENBLAS_CORETYPE=" + core);
  return setup;
}

// The last cores, because interrupts and the harness itself prefer the first.
std::vector<int> last_cpus(int count) {
  std::vector<int> cpus = usable_cpus();
  if (std::ssize(cpus) > count) cpus.erase(cpus.begin(), cpus.end() - count);
  return cpus;
}

}  // namespace

WorkerSetup gpu_setup(const PlacedLab& lab) {
  WorkerSetup setup = plain_setup(lab);
  setup.gpu = true;
  setup.device = lab.gpu ? lab.gpu->index : 0;
  setup.devices = gpu_nodes();
  // The same core for a variant and the idle control: between two cores one call in 30 differed by 100 us.
  setup.cpus = last_cpus(1);
  return setup;
}

WorkerSetup cpu_setup(const PlacedLab& lab, int threads) {
  WorkerSetup setup = plain_setup(lab);
  setup.threads = threads;
  setup.cpus = last_cpus(std::max(1, threads));
  return setup;
}

protocol::Placement Session::placement() const {
  return gpu() ? protocol::Placement::device : protocol::Placement::mapped;
}

// The emulated device is a program on the CPU with threads of its own on all cores.
void Session::add_emulated_device(WorkerSetup& setup) const {
  constexpr int64_t shadow_bytes = int64_t{1} << 30;  // for what it records of every byte
  // With diagnostics the device has one processor.
  const bool watched = lab_.options.device.watch == Watch::diagnostics;
  const int processors = watched ? 1 : static_cast<int>(usable_cpus().size());
  setup.gpu = true;
  // A processor is a thread with 64 MiB for the stacks of a block's threads.
  setup.variant_data_bytes += shadow_bytes + processors * thread_bytes;
  setup.processes += processors + 8;
  // Half of the time limit of a call, so that the device can still report which kernel and thread did not end.
  setup.environment.push_back(fmt::format("LAB_EMULATED_OPTIONS={},kernel_time_s={:g},processors={}",
                                          emulated_options(lab_.options.device), lab_.config.resources.case_s / 2,
                                          processors));
}

Tried<Unit> Session::start() {
  if (worker_) return Unit{};
  printed_.clear();
  WorkerSetup setup = !gpu() ? cpu_setup(lab_, build_.threads) : emulated() ? plain_setup(lab_) : gpu_setup(lab_);
  setup.object = build_.result.object;
  setup.kernel = lab_.kernel->name();
  setup.dtype = build_.dtype;
  setup.threads = build_.threads;
  setup.watch_code = lab_.forbids(*build_.variant);
  if (!gpu()) setup.rights = build_.threads == 1 ? Rights::compute : Rights::start_threads;
  if (emulated() || (!gpu() && !lab_.options.sanitize.empty())) setup.rights = Rights::start_threads;
  const int64_t limit = lab_.config.resources.memory_mib << 20, buffers = 2 * build_.largest_bytes;
  const bool on_device = gpu() && !emulated();
  if (!on_device) setup.variant_data_bytes = limit + buffers;
  if (emulated()) add_emulated_device(setup);
  if (!gpu()) {
    setup.variant_data_bytes += build_.threads * thread_bytes;
    setup.processes += build_.threads - 1;
  }
  // Of all processes together: outputs are shared pages, and the driver of a GPU needs pages of its own.
  const int64_t more = int64_t{on_device ? 8 : 1} << 30;
  setup.memory_bytes = (on_device ? limit : setup.variant_data_bytes) + buffers + more;
  // Addresses cost no memory. But if a variant gives back very many, the Linux kernel cleans up behind it for so long that the
  // next variant is slower. Debuggers and sanitizers need many. A thread reserves more than it uses.
  if (!gpu() && lab_.options.wrap.empty() && lab_.options.sanitize.empty())
    setup.variant_address_bytes = setup.memory_bytes + build_.threads * thread_bytes;
  add_sanitizer(lab_.options.sanitize, setup);
  if (lab_.options.debugs) {
    setup.terminal = true;
    setup.variant_data_bytes = setup.variant_address_bytes = setup.memory_bytes = 0;
    for (const char* name : {"TERM", "HOME"})
      if (const char* value = std::getenv(name)) setup.environment.push_back(fmt::format("{}={}", name, value));
  }
  auto started = Worker::start(setup);
  Tried<Opened> opened = started ? Tried<Opened>(Opened{}) : started.error();
  if (started) {
    worker_ = *std::move(started);
    opened = worker_->open(setup, call_limit_s() + (gpu() ? gpu_start_s : 0) + (lab_.sandbox->container() ? container_start_s : 0));
  }
  TRY_ASSIGN(build_.opened, end_if_failed(std::move(opened)));
  return Unit{};
}

// After a failure the next case gets a new worker.
template <class T>
Tried<T> Session::end_if_failed(Tried<T> outcome) {
  // A worker that does not support a problem can run the next one.
  if (!outcome && outcome.error().status != Status::SKIPPED) {
    if (outcome.error().whose == Failure::Whose::machine) machine_failure_ = outcome.error().message;
    // A worker that hangs cannot answer.
    if (outcome.error().status != Status::TIMEOUT && outcome.error().status != Status::CANCELLED) ask_diagnostics();
    end();
    if (!lab_.options.sanitize.empty())
      if (auto seen = find_sanitizer_report(printed_, build_.variant->file)) return seen->failure();
    // Who declares threads and gets one only does not cheat.
    if (const auto& needs = build_.variant->needs;
        outcome.error().starts_threads && (contains(needs, "threads") || contains(needs, "openmp")))
      return Failure{Status::SKIPPED, "it starts a thread, and this case has one: compute in that one, or run it with more"};
    if (const uint64_t code = outcome.error().code) {
      Failure failure = outcome.error();
      for (const auto& [address, position] : locate(locator_of(lab_, build_), {code}))
        failure.message += fmt::format(", at {}:{}: {}", position.file, position.line, position.text);
      return failure;
    }
  }
  return outcome;
}

double Session::call_limit_s(double expected_s) const {
  return call_limit_s() + 4 * std::min(expected_s, lab_.config.resources.case_s);
}

double Session::call_limit_s() const {
  constexpr double small_limit_s = 5;
  constexpr double a_day_s = 24 * 3600;
  const double case_s = lab_.options.debugs ? a_day_s : lab_.config.resources.case_s;
  const bool slow = emulated() || !lab_.options.wrap.empty() || !lab_.options.sanitize.empty();
  return problems_ == Problems::small && !slow ? std::min(case_s, small_limit_s) : case_s;
}

std::string Session::printed() const {
  return worker_ ? worker_->printed() : printed_;
}

std::string Session::take_printed() {
  const std::string all = worker_ ? worker_->printed() : "";
  return all.substr(std::min(std::exchange(taken_, all.size()), all.size()));
}

void Session::end() {
  if (worker_) printed_ = worker_->end();
  worker_.reset();
  taken_ = 0;
}

void Session::make_room(int64_t bytes) {
  if (bytes <= build_.largest_bytes) return;
  build_.largest_bytes = bytes;
  ask_diagnostics();
  end();
}

void Session::ask_diagnostics() {
  constexpr double timeout_s = 10;
  if (!worker_ || !emulated()) return;
  if (const auto found = worker_->diagnostics(timeout_s))
    diagnostics_.insert(diagnostics_.end(), found->begin(), found->end());
}

std::vector<lab_diagnostic> Session::take_diagnostics() {
  ask_diagnostics();
  return std::exchange(diagnostics_, {});
}

Tried<Loaded> Session::load(const Inputs& inputs, ReturnedRegions& returned) {
  TRY(start());
  was_loaded_ = true;
  return end_if_failed(worker_->load(inputs, returned, placement(), lab_.config.resources.case_s + transfer_s));
}

Tried<Answered> Session::run(protocol::Cache cache, Data data, double expected_s) {
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  return end_if_failed(worker_->run(cache, data, call_limit_s(expected_s)));
}

Tried<Fetched> Session::fetch() {
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  return end_if_failed(worker_->fetch(lab_.config.resources.case_s + transfer_s));
}

Tried<Fetched> Session::fetch_output_of_call(ReturnedRegions& returned) {
  TRY_ASSIGN(const Fetched fetched, fetch());
  TRY(end_if_failed(worker_->verify_fingerprint(returned)));
  return fetched;
}

Tried<TimedCall> Session::timed_call(const AroundCall& around, double expected_s) {
  if (!worker_) return Failure{Status::CRASHED, "its process is gone"};
  TRY(end_if_failed(worker_->start_turns()));
  return end_if_failed(worker_->timed_call(around, call_limit_s(expected_s)));
}

Tried<Unit> Session::wait_until_paused() {
  if (!worker_) return Unit{};
  return end_if_failed(worker_->wait_until_paused());
}

std::optional<Failure> Session::forbidden_code() {
  if (!worker_ || !lab_.forbids(*build_.variant)) return std::nullopt;
  for (const std::string& need : build_.variant->needs)
    if (emulated() && contains(lab_.config.forbid, need))  // its library is part of the device: there is no file to see
      return Failure{Status::MISTRUSTED, fmt::format("it needs {}, which this lab forbids", need)};
  const auto object = read_file(build_.result.object);
  if (object && !gpu())
    if (const auto symbol = find_symbol_of(lab_.config.forbid, defined_functions(*object)))
      return Failure{Status::MISTRUSTED, fmt::format("it holds {}, a part of a library that this lab forbids; if it is a function of your own, give it "
                                                     "another name",
                                                     *symbol)};
  const auto mapped = worker_->mappings();
  if (!mapped) {
    not_observed_.insert(NoteCode::libraries_not_observed);
    return std::nullopt;
  }
  if (const auto library = find_library(mapped->files, lab_.config.forbid))
    return Failure{Status::MISTRUSTED, fmt::format("it loads {}, which this lab forbids", *library)};
  if (gpu()) return std::nullopt;  // drivers compile code in memory
  std::error_code error;  // the system names mapped files without links
  std::vector<std::string> own;
  for (const fs::path& file : {lab_.worker, build_.result.object})
    own.insert(own.end(), {file.string(), fs::weakly_canonical(file, error).string()});
  if (const auto code = find_foreign_code(*mapped, own))
    return Failure{Status::MISTRUSTED, fmt::format("it runs {}; this lab forbids {}, and the harness cannot see what that is",
                                                   *code, join(lab_.config.forbid, ", "))};
  return std::nullopt;
}

void Session::unload() {
  if (worker_) (void)end_if_failed(worker_->end_turns(lab_.config.resources.case_s));
  if (worker_) (void)end_if_failed(worker_->unload(lab_.config.resources.case_s + transfer_s));
}

namespace {

constexpr size_t most_printed = 2000;  // bytes in the record of a case

// "x", "x", "x" -> "x (3 times)": the check calls a variant on many shapes.
std::string without_repeats(const std::string& text) {
  std::string all;
  const std::vector<std::string> lines = split(std::string(trim(text)), '\n');
  for (size_t first = 0, next; first < lines.size(); first = next) {
    for (next = first + 1; next < lines.size() && lines[next] == lines[first];) ++next;
    all += (first ? "\n" : "") + lines[first] + (next - first > 1 ? fmt::format(" ({} times)", next - first) : "");
  }
  return all;
}

}  // namespace

std::string Sessions::printed_by(Build* build) const {
  const auto at = sessions_.find(build);
  return at == sessions_.end() ? "" : printable(without_repeats(at->second.printed()), most_printed);
}

std::string Sessions::newly_printed_by(Build* build) {
  const auto at = sessions_.find(build);
  return at == sessions_.end() ? "" : printable(without_repeats(at->second.take_printed()), most_printed);
}

Done Sessions::check_machine() const {
  for (const auto& [build, session] : sessions_)
    if (!session.machine_failure().empty()) return Error{session.machine_failure(), ExitCode::machine};
  return ok();
}

void Sessions::end_unneeded(const Cases& cases) {
  std::erase_if(sessions_, [&](const auto& entry) {
    return std::none_of(cases.all.begin(), cases.all.end(),
                        [&](const CaseState& s) { return s.build == entry.first && !s.recorded; });
  });
}

}  // namespace harness
