// Where untrusted programs run: compilers on student sources, and the worker. One file per sandbox; a sandbox
// only turns a request into a command line, everything else (limits, pipes, killing) is shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/registry.h"
#include "harness/base/result.h"

namespace harness {

enum class Access { read, write };

/// What a program may do beside computing. Each may do less than the one before.
enum class Rights {
  trace,            // everything: a debugger or a profiler
  start_processes,  // a compiler, or a variant on a GPU, whose driver also needs memory that processes share
  start_threads,    // a CPU variant with several threads
  compute           // a CPU variant with one thread
};

struct Mount {
  fs::path path;  // the same path inside
  Access access = Access::read;
};

/// The descriptor number under which a child finds its command channel.
inline constexpr int channel_fd = 3;

struct SandboxRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment;  // all of it: "NAME=value"
  std::vector<Mount> mounts;
  std::vector<std::string> devices;  // device nodes, for example /dev/nvidia0
  fs::path folder = "/tmp";          // working folder inside
  int channel = -1;                  // becomes descriptor 3 of the child
  Rights rights = Rights::start_processes;
  std::vector<int> cpus;  // the cores that it may use; empty: all
  bool terminal = false;  // it uses this terminal, as a debugger does; nothing of its output is kept
  int processes = 64;
  int64_t data_bytes = 0;          // private memory of each process, 0: no limit
  int64_t memory_bytes = 0;        // of all processes together, if there is a control group; 0: no limit
  int64_t file_bytes = 64 << 20;   // largest file it may write
  int64_t tmp_bytes = 256 << 20;   // size of its private /tmp
  size_t output_bytes = 64 << 10;  // kept of stdout and stderr together
  // Child sets these two for containers: the folder of the Door, and a name for `removal`.
  fs::path door;
  std::string name;
};

/// The image of a container sandbox and the folders that it sees.
struct ContainerSpec {
  std::string image;             // empty: the image of containers/cpu
  std::vector<fs::path> mounts;  // folders of this machine, read-only at the same path: for example a toolkit
};

/// A container with its image, as in run.json.
struct Container {
  std::string program, version, runtime;
  std::string image, digest, id;  // id: hash of its content
  std::string limits;             // "control groups" or "each process"
};

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  // one line for `harness list`
  /// Starts it once. The error says what is missing and how to get it.
  virtual Done available() const = 0;
  /// Program and arguments to execute for `request`; `launcher` is the program harness-launcher, which sets
  /// limits inside (`limited(request, launcher, uid)`).
  virtual std::vector<std::string> command_line(const SandboxRequest& request, const fs::path& launcher) const = 0;

  /// True for a container program: it needs an image, which `with` gives it.
  virtual bool takes_image() const { return false; }
  /// This sandbox with an image, after a trial.
  virtual Result<std::unique_ptr<const Sandbox>> with(const ContainerSpec&) const {
    return Error{name() + " takes no image", ExitCode::machine};
  }
  /// The container of a sandbox that `with` returned, else null. Compilers and libraries are then those of the image, and a
  /// start takes half a second. The launcher sets environment and limits inside; the descriptors come through a Door.
  virtual const Container* container() const { return nullptr; }
  /// An error if these devices cannot be used inside. It says how to change that.
  virtual Done reaches(const std::vector<std::string>& /*devices*/) const {
    return ok();
  }
  /// The command that removes the container of that name in any state.
  virtual std::vector<std::string> removal(const std::string& /*container*/) const {
    return {};
  }
  /// Part of the keys of builds and cases: names everything that the sandbox provides.
  std::string identity() const { return container() ? name() + " " + container()->id : name(); }
};

/// Adds words to the end of a command line.
void add(std::vector<std::string>& line, const std::vector<std::string>& words);

/// The command line of the launcher with the command. The launcher sets what only a process inside can set: limits for
/// processes and memory, user id (0: unchanged), folder.
std::vector<std::string> limited(const SandboxRequest& request, const fs::path& launcher, const std::string& uid);

/// The sandbox of that name, without a trial.
Result<const Sandbox*> find_sandbox(const std::string& name);
/// The sandbox of that name, or bwrap when it is empty, if it works here. `none` only if asked for.
Result<std::shared_ptr<const Sandbox>> choose_sandbox(const std::string& name, const ContainerSpec& spec = {});

}  // namespace harness
