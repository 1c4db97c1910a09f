// The trusted end of the channel to one worker.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/status.h"
#include "harness/client/regions.h"
#include "harness/client/watch.h"
#include "harness/sandbox/child.h"

namespace harness {

/// Why a case did not pass: the status, and a sentence for the student.
struct Failure {
  Status status = Status::CRASHED;
  std::string message;
  enum class Whose { variant, machine } whose = Whose::variant;
  uint64_t code = 0;  // where it happened: an offset in the variant's object; 0: not known
};
template <class T>
using Tried = Result<T, Failure>;

struct WorkerSetup {
  const Sandbox* sandbox = nullptr;
  fs::path launcher;              // harness-launcher
  fs::path program;               // harness-worker
  std::vector<std::string> wrap;  // a command that starts the program, for example a debugger
  bool terminal = false;          // that command uses this terminal
  fs::path object;                // the variant; empty: one that computes nothing
  std::string kernel;             // "gemm"; empty: a probe of the device
  Dtype dtype = Dtype::f32;
  bool gpu = false;
  int device = 0;
  std::vector<std::string> devices;  // device nodes that it may open
  std::vector<int> cpus;             // the cores that it may use
  int threads = 1;
  int64_t data_bytes = 0;    // limit of its private memory; 0: no limit
  int64_t memory_bytes = 0;  // limit for all its processes together, where the sandbox can set one; 0: no limit
  int processes = 64;
  int64_t file_bytes = 64 << 20;
  int64_t tmp_bytes = 256 << 20;  // size of its /tmp, which is in memory
  size_t output_bytes = 64 << 10;
  std::vector<std::string> environment;
};

struct Opened {
  std::string about;
  lab_device_info device = {};
};

struct Loaded {
  double alloc_ms = 0, in_ms = 0;
  int64_t workspace_bytes = 0;
  protocol::LaunchShape launch;
};

struct Fetched {
  double out_ms = 0;      // copy of the output from device to host; 0: there is no device
  double outside_ms = 0;  // the whole request, measured by the harness
};

/// What the buffers of a batch hold when its calls begin.
struct Data {
  enum class Kind {
    as_loaded,
    restored,  // the output is reset to its state at load
    fresh      // new values before each call, drawn from `salt`; an output-only buffer is poisoned
  } kind = Kind::as_loaded;
  uint64_t salt = 0;
};

struct Batch {
  std::vector<double> call_ms;  // one time per call, or one mean
  int calls = 1;
  uint64_t salt = 0;
  double first_ms = 0;    // time of the first call of the process, set-up included; 0: not the first
  double outside_ms = 0;  // from request to reply, measured by the harness
  double cpu_ms = 0;      // processor time of all its threads since the last batch, from the Linux kernel; 0: not known

  /// The time that the worker reports for its calls.
  double claimed_ms() const;
};

class Worker {
 public:
  /// Starts the process and loads the variant.
  static Tried<Worker> start(const WorkerSetup& setup, Opened& opened, double timeout_s);
  /// Uses an existing channel and takes ownership of the descriptor. Tests use it to send false replies.
  Worker(std::shared_ptr<Child> child, int channel);
  Tried<Opened> open(const protocol::OpenRequest& request, double timeout_s);
  Worker(Worker&&) noexcept = default;
  /// Waits a moment, so that a tool that wraps the worker can write its summary.
  ~Worker();
  Worker& operator=(Worker&&) noexcept = default;

  Tried<Loaded> load(const Inputs& inputs, ReturnedRegions& returned, protocol::Placement placement, double timeout_s);
  Tried<Batch> run(int calls, protocol::Cache cache, Data data, double timeout_s);
  /// Copies the output (and a device's inputs) into the ReturnedRegions object of the load.
  Tried<Fetched> fetch(double timeout_s);
  /// Reads the output of a CPU variant from the worker's memory, without its help. False if this machine does not
  /// permit that.
  Tried<bool> take_output(ReturnedRegions& returned);
  /// Files that its process has mapped; nothing if this machine does not permit reading that.
  std::optional<std::vector<std::string>> loaded_files() const { return mapped_files(pid_); }
  Tried<Unit> unload(double timeout_s);

  /// The diagnostics of an emulated device since the last request, mistakes first.
  Tried<std::vector<lab_diagnostic>> diagnostics(double timeout_s);

  /// Measures the limits of the device; the object must be the probe.
  Tried<lab_probe_result> probe(double timeout_s);

  /// Ends the process and returns everything that the variant printed. For logs; never parsed.
  std::string printed() const { return child_->output(); }
  std::string end();

 private:
  template <class Reply, class Request>
  Tried<Reply> ask(const Request& request, const std::vector<int>& descriptors, double timeout_s);
  Failure ended(const std::string& doing);
  Failure fault(const protocol::FaultReply& reply) const;
  Failure describe(const protocol::FaultReply& reply) const;
  Failure too_late(double timeout_s, protocol::Op op);

  struct Descriptor {
    explicit Descriptor(int open_fd) : fd(open_fd) {}
    Descriptor(const Descriptor&) = delete;
    ~Descriptor();
    int fd;
  };
  std::shared_ptr<Child> child_;
  std::unique_ptr<Descriptor> channel_;
  int threads_ = 1;
  std::optional<double> rests_at_ms_;  // its processor time at the last reply; after that it should use none
  pid_t pid_ = 0;                      // from the credentials of its replies; 0: no reply yet
  uint64_t output_ = 0;                // address of the output in the worker's memory, as the worker reports it
  double grace_s_ = 0;
  ProblemPtr problem_;  // problem of the current load, for the names of buffers
};

}  // namespace harness
