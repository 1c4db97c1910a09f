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

/// Why a case did not pass, as its status and a sentence for the student.
struct Failure {
  Status status = Status::CRASHED;
  std::string message;
};
template <class T>
using Tried = Result<T, Failure>;

struct WorkerSetup {
  const Sandbox* sandbox = nullptr;
  fs::path program;               // harness-worker
  std::vector<std::string> wrap;  // words before it
  fs::path object;                // the variant; empty: one that does nothing
  std::string kernel;             // "gemm"; empty: a probe of the device
  Dtype dtype = Dtype::f32;
  bool gpu = false;
  int device = 0;
  std::vector<std::string> devices;  // nodes to pass through
  std::vector<int> cpus;             // to pin to
  int threads = 1;
  int64_t data_bytes = 0;  // private memory it may have; 0: no limit
  int64_t memory_bytes = 0;  // of all its processes, where that can be limited; 0: no limit
  int processes = 64;
  int64_t file_bytes = 64 << 20;
  int64_t tmp_bytes = 256 << 20;  // of its /tmp, which is memory
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
  double out_ms = 0;      // device to host, the output only; 0: there is no device
  double outside_ms = 0;  // all of it, by our clock
};

/// What the calls of a batch find in their buffers.
struct Data {
  enum class Kind {
    as_loaded,
    restored,  // the output as it was at load
    fresh      // new values before each call, from `salt`; a pure output poisoned. On a device some come late
  } kind = Kind::as_loaded;
  uint64_t salt = 0;
};

struct Batch {
  std::vector<double> call_ms;  // one a call, or one mean
  int calls = 1;
  uint64_t salt = 0;
  double first_ms = 0;          // of its process's first call, set-up included; 0: this was another
  double outside_ms = 0;        // ours, around request and reply
  double cpu_ms = 0;            // processor time of its threads since the last batch, as the kernel counts it; 0: not known

  /// What it says its calls took.
  double claimed_ms() const;
};

class Worker {
 public:
  /// Starts the process and loads the variant.
  static Tried<Worker> start(const WorkerSetup& setup, Opened& opened, double timeout_s);
  /// Over a channel that is there already; takes the descriptor. Tests lie at its other end.
  Worker(std::shared_ptr<Child> child, int channel);
  Tried<Opened> open(const protocol::OpenRequest& request, double timeout_s);
  Worker(Worker&&) noexcept = default;
  /// A tool around the worker gets time to write its summary.
  ~Worker();
  Worker& operator=(Worker&&) noexcept = default;

  Tried<Loaded> load(const Inputs& inputs, Returned& returned, protocol::Placement placement,
                     double timeout_s);
  Tried<Batch> run(int calls, protocol::Cache cache, Data data, double timeout_s);
  /// Output (and a device's inputs) into the Returned of the load.
  Tried<Fetched> fetch(double timeout_s);
  /// The output of a CPU variant's run as it is now, read from its memory without its help. False: this
  /// machine does not let us.
  Tried<bool> take_output(Returned& returned);
  /// Files that its process has mapped; nothing where this machine does not let us see.
  std::optional<std::vector<std::string>> loaded_files() const { return mapped_files(pid_); }
  Tried<Unit> unload(double timeout_s);

  /// What an emulated device saw since the last call, mistakes first.
  Tried<std::vector<lab_diagnostic>> diagnostics(double timeout_s);

  /// The limits of the device, from a probe's object.
  Tried<lab_probe_result> probe(double timeout_s);

  /// Ends its process, and gives what the variant printed, all of it. For logs, never parsed.
  std::string end();

 private:
  template <class Reply, class Request>
  Tried<Reply> ask(const Request& request, const std::vector<int>& descriptors, double timeout_s);
  Failure ended(const std::string& doing);
  Failure fault(const protocol::FaultReply& reply) const;

  struct Descriptor {
    explicit Descriptor(int open_fd) : fd(open_fd) {}
    Descriptor(const Descriptor&) = delete;
    ~Descriptor();
    int fd;
  };
  std::shared_ptr<Child> child_;
  std::unique_ptr<Descriptor> channel_;
  int threads_ = 1;
  std::optional<double> rests_at_ms_;  // its processor time when it last answered a run: from then on it has nothing to do
  pid_t pid_ = 0;        // as the kernel names who answers; 0: it did not yet
  uint64_t output_ = 0;  // where the output's region lies in its memory, as it says
  double grace_s_ = 0;
  ProblemPtr problem_;  // of the current load, to name buffers
};

}  // namespace harness
