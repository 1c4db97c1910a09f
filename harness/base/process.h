// Runs a program to its end: trusted ones (compilers' --version, nvidia-smi, python). Untrusted code goes
// through harness/sandbox.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness {

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

/// Path of a program in $PATH, or empty.
std::string find_program(const std::string& name);

}  // namespace harness
