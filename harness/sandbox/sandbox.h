// Where untrusted programs run: compilers on student sources, and the worker. One file a backend; a backend
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

struct Mount {
  fs::path path;  // the same path inside
  Access access = Access::read;
};

/// The descriptor number under which a child finds its command channel.
inline constexpr int channel_fd = 3;

struct SandboxRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment;  // the whole of it: "NAME=value"
  std::vector<Mount> mounts;
  std::vector<std::string> devices;  // device nodes, for example /dev/nvidia0
  fs::path folder = "/tmp";          // working folder inside
  int channel = -1;                  // becomes descriptor 3 of the child
  bool traces = false;               // a debugger or a profiler: it may use what no variant may
  int processes = 64;
  int64_t data_bytes = 0;          // private memory of each process, 0: no limit
  int64_t file_bytes = 64 << 20;   // largest file it may write
  int64_t tmp_bytes = 256 << 20;   // size of its private /tmp
  size_t output_bytes = 64 << 10;  // kept of stdout and stderr together
};

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  // one line for `harness list`
  /// Tries it for real. The error says what is missing and how to get it.
  virtual Done available() const = 0;
  /// Program and arguments to execute for `request`; `helper` is the worker program, which can also start
  /// others under limits (`limited(request, helper, uid)`).
  virtual std::vector<std::string> command_line(const SandboxRequest& request,
                                                const fs::path& helper) const = 0;
};

/// The command behind the helper that sets what must be set inside: process and memory limits, user id (0:
/// unchanged), folder.
std::vector<std::string> limited(const SandboxRequest& request, const fs::path& helper,
                                 const std::string& uid);

/// The backend of that name, untried.
Result<const Sandbox*> find_sandbox(const std::string& name);
/// The backend of that name, or bwrap when it is empty, if it works here. `none` only if asked for.
Result<const Sandbox*> choose_sandbox(const std::string& name);

}  // namespace harness
