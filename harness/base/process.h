// Starts programs. run_process() is for trusted ones (compilers' --version, nvidia-smi, python); untrusted code runs in
// a sandbox (harness/sandbox/child.h).
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness {

struct NewProcess {
  std::vector<std::string> command;                       // path of the program, and its arguments
  const std::vector<std::string>* environment = nullptr;  // null: ours
  int output = -1, errors = -1;                           // its standard output and standard error; its input is empty
  int failure = -1;  // gets errno if the program cannot be executed; -1: `errors` gets a sentence
  /// Runs in the new process before the program does; false, with errno, if that cannot start. Other threads may hold
  /// locks, so it may only call what is async-signal-safe.
  std::function<bool()> prepare;
};

/// The only place where the harness starts a program. The process id, or -1 and errno.
pid_t start_process(const NewProcess& process);

struct ProcessResult {
  int exit = -1;  // exit status, or -1 after a signal
  int signal = 0;
  bool timed_out = false;
  std::string out, err;
  double seconds = 0;
};

enum class OnInterrupt { finish, stop };

struct ProcessOptions {
  OnInterrupt on_interrupt = OnInterrupt::finish;  // whether Ctrl-C ends the program
  double timeout_s = 60;
  std::string folder;                    // working folder, empty: ours
  std::vector<std::string> environment;  // added: "NAME=value"
  size_t output_limit = 1 << 20;         // of each stream; the rest is read and dropped
};

/// An error only if the program cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

/// Makes sure that this process may open enough files: buffers, channels and the database are open files.
Done allow_open_files();

/// Path of a program in $PATH, or empty.
std::string find_program(const std::string& name);

}  // namespace harness
