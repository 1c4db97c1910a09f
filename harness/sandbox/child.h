// A program that runs in a sandbox: start, output, end.
#pragma once

#include <memory>
#include <string>

#include "harness/sandbox/sandbox.h"

namespace harness {

struct Ended {
  int exit = -1;  // exit status, or -1 after a signal
  int signal = 0;
  bool flooded = false;  // killed because it printed more than `Child::flood_bytes`
  bool began = true;     // false: its container did not start it; the output says why
};

class Child {
 public:
  /// A program that prints more than this is killed, because so much output slows the machine down and is not shown.
  static constexpr size_t flood_bytes = 16 << 20;

  static Result<Child> start(const Sandbox& sandbox, SandboxRequest request, const fs::path& launcher);
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();  // kills the program if it still runs

  /// Waits at most `timeout_s` for the end. False: it still runs.
  bool wait(double timeout_s);
  void kill();
  /// After the end.
  const Ended& ended() const;
  /// What it printed so far, cut at the request's limit and made printable.
  std::string output() const;

 private:
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace harness
