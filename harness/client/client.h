// The trusted end of the channel to one worker.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/client/failure.h"
#include "harness/client/regions.h"
#include "harness/client/waiting.h"
#include "harness/sandbox/child.h"
#include "harness/watch/code_watch.h"
#include "harness/watch/watch.h"
#include "harness/worker/turns.h"

namespace harness {

/// How its process starts, and what it opens. `data_bytes` stays 0, because the launcher applies it to all that it starts. The
/// worker sets the limits of the variant when it opens the variant.
struct WorkerSetup : SandboxRequest {
  const Sandbox* sandbox = nullptr;
  fs::path launcher;              // harness-launcher
  fs::path program;               // harness-worker
  std::vector<std::string> wrap;  // a command that starts the program, for example a debugger
  fs::path object;                // the variant; empty: one that computes nothing
  std::string kernel;             // "gemm"; empty: a probe of the device
  Dtype dtype = Dtype::f32;
  bool gpu = false;
  int device = 0;
  bool watch_code = false;  // what it has mapped is looked at during its calls, too
  int threads = 1;
  int64_t variant_data_bytes = 0;     // limit of its private memory; 0: no limit
  int64_t variant_address_bytes = 0;  // limit of all that it maps, also of what it never writes; 0: no limit
};

struct Opened {
  std::string about;
  lab_device_info device = {};
};

struct Loaded {
  double alloc_ms = 0, in_ms = 0;
  protocol::LaunchShape launch;
  std::string choice;  // of the variant's library, for this problem
};

struct Fetched {
  double out_ms = 0;  // copy of the output from device to host; 0: there is no device
};

/// What the buffers on a device hold when a call begins.
struct Data {
  enum class Kind {
    as_loaded,
    restored,  // the output is reset to its state at load
    fresh      // new values, drawn from `salt`; an output-only buffer is poisoned
  } kind = Kind::as_loaded;
  uint64_t salt = 0;
};

/// One call, as the worker reports it.
struct Answered {
  double claimed_ms = 0;  // time of the call
  double first_ms = 0;    // on a GPU: time of the first call of the process, set-up included; 0: not the first
  double outside_ms = 0;  // from request to reply, measured by the harness
};

/// One call of a CPU variant, by the clock of the harness.
struct TimedCall {
  double call_ms = 0;   // from the release to the answer
  double wake_ms = 0;   // until the worker said that it is awake
  double touch_ms = 0;  // until it said that it has read the data
  double awake_ms = 0;  // from when it is awake to the answer
  double read_ms = 0;   // from the answer until the harness had read some of the result
  std::optional<double> processor_ms;  // processor time of the worker from its start until this call
};

/// When the harness writes the data of a timed call. A variant that took over its worker could begin to compute when it
/// sees the first of them.
enum class WriteData {
  worker_sleeps,  // much data: only the last of them come when it is awake
  worker_waits,   // little data: the worker is awake, and the last of them come just before the release
  worker_reads    // the same, and it reads the others into its caches before the last of them come
};

/// What the harness does for a timed call: it writes the data, and reads some of the result as soon as the answer is there.
struct AroundCall {
  WriteData when = WriteData::worker_sleeps;
  std::function<void()> write = [] {}, write_last = [] {}, read = [] {};
};

class Worker {
 public:
  /// Starts the process.
  static Tried<Worker> start(const WorkerSetup& setup);
  /// Uses an existing channel and takes ownership of the descriptor. Tests use it to send false replies.
  Worker(std::shared_ptr<Child> child, int channel);
  Worker(Worker&&) noexcept = default;
  /// Ends the process, and waits until it has given back its memory. A tool that wraps it may write its summary first.
  ~Worker();
  Worker& operator=(Worker&&) noexcept = default;

  /// Loads the variant; before all other requests.
  Tried<Opened> open(const WorkerSetup& setup, double timeout_s);

  Tried<Loaded> load(const Inputs& inputs, ReturnedRegions& returned, protocol::Placement placement, double timeout_s);
  Tried<Answered> run(protocol::Cache cache, Data data, double timeout_s);

  // Timed calls of a CPU variant (harness/worker/turns.h).
  Tried<Unit> start_turns();
  Tried<TimedCall> timed_call(const AroundCall& around, double timeout_s);
  Tried<Unit> end_turns(double timeout_s);
  /// Stops all threads of a worker on the CPU, until the next request or call. What it has begun beside a call can
  /// neither see new data early nor take a core from others. Does nothing where the system forbids it.
  void pause();
  /// Waits until the pause has taken effect on all threads: a system call may go on for a while, and would take the core
  /// from the worker that is timed next.
  Tried<Unit> wait_until_paused() const;
  /// Processor time of all threads of the worker since it started, from the Linux kernel. Exact while they sleep.
  std::optional<double> processor_ms() const { return cpu_ms(pid_); }

  /// Copies the output and the inputs from a device into the ReturnedRegions object of the load.
  Tried<Fetched> fetch(double timeout_s);
  /// Whether `returned`, just fetched, holds the output that the last call on a device had.
  Tried<Unit> verify_fingerprint(ReturnedRegions& returned) const;
  /// What its process has mapped, or had mapped if that is watched; nothing if this machine does not permit reading that.
  std::optional<Mapped> mappings() const;
  Tried<Unit> unload(double timeout_s);

  /// The diagnostics of an emulated device since the last request, mistakes first.
  Tried<std::vector<lab_diagnostic>> diagnostics(double timeout_s);

  /// Measures the limits of the device; the object must be the probe.
  Tried<lab_probe_result> probe(double timeout_s);

  std::string printed() const { return child_->output(); }
  /// Ends the process and returns everything that the variant printed.
  std::string end();

 private:
  template <class Reply, class Request>
  Tried<Reply> ask(const Request& request, const std::vector<int>& descriptors, double timeout_s);
  template <class Reply>
  Tried<Reply> receive_reply(protocol::Op op);
  /// How many bytes the reply has, if its outcome is ok. `buffer` is large enough for any reply; the rest stays zero.
  Tried<size_t> receive_ok(protocol::Op op, protocol::DiagnosticsReply& buffer);
  Tried<Unit> receive_end_of_turns();
  Failure no_answer(Wait waited, double timeout_s, protocol::Op op);
  Tried<Unit> await(protocol::Turns::Word& word, double timeout_s);
  protocol::Turns& turns() { return *reinterpret_cast<protocol::Turns*>(turns_memory_->data()); }
  void stop_turns();
  void go_on();
  Failure ended(protocol::Op op);
  Failure too_late(double timeout_s, protocol::Op op);

  void hang_up();
  void kill_child();
  void wait_until_gone();

  struct Descriptor {
    explicit Descriptor(int open_fd) : fd(open_fd) {}
    Descriptor(const Descriptor&) = delete;
    ~Descriptor();
    int fd;
  };
  std::shared_ptr<Child> child_;
  std::unique_ptr<Descriptor> channel_;
  std::unique_ptr<Descriptor> process_;  // a pidfd
  Rights rights_ = Rights::start_processes;
  pid_t pid_ = 0;  // from the credentials of its replies; 0: no reply yet
  std::optional<Region> turns_memory_;
  uint32_t turn_ = 0;  // number of the last turn
  bool in_turns_ = false;
  bool pauses_ = false;  // a worker on the CPU may be stopped: nothing waits for it meanwhile
  std::unique_ptr<CodeWatch> code_watch_;
  std::vector<int> spare_cpus_;  // where the harness spins while a call runs; empty: it sleeps
  double grace_s_ = 0;
  uint64_t fingerprint_ = 0;  // of the last call
  ProblemPtr problem_;        // problem of the current load, for the names of buffers
};

}  // namespace harness
