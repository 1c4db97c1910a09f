// `harness doctor`: what this machine has, what each missing part costs, and how to get it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/machine/machine.h"

namespace harness {

enum class ConditionState { ok, limited, missing };
template <>
struct Spelling<ConditionState> {
  static constexpr std::string_view words[] = {"ok", "limited", "missing"};
};

struct Condition {
  std::string name;
  ConditionState state = ConditionState::ok;
  std::string what;    // what was found
  std::string cost;    // what does not work without it; empty when ok
  std::string remedy;  // the command that installs it; empty when ok
};

/// Result of starting a container with the harness's image.
struct ContainerTrial {
  std::string works;  // "runc, memory and processes limited by control groups"; empty: it does not
  std::string error;  // if it does not work: what is wrong; the way out
};

/// Result of building and running a program with OpenBLAS.
struct OpenblasTrial {
  std::string error;  // from building; empty: it builds
  std::string core;   // the kernels that it uses, "SkylakeX"; empty: it did not run
};

/// Results of trials that go beyond the facts in Machine. An error is one line that the trial printed.
struct Trials {
  std::string bwrap_error;  // from an empty sandbox; empty: it works
  OpenblasTrial openblas;
  std::string emulation_error;                              // from the emulated device; empty: it can be built
  std::string venv_error;                                   // from Python's venv and ensurepip; empty: both are there
  std::string slurm_error;                                  // from `sinfo`; empty: a controller answers
  std::string libraries;                                    // what `ldconfig -p` lists
  std::string cjk_fonts;                                    // what `fc-list :lang=zh family` lists
  std::map<std::string, ContainerTrial> containers;         // by program; absent if not tried
  std::map<std::string, std::string> openblas_environment;  // OPENBLAS_* that are set
};

/// Runs all trials at the same time, each with a limit of 10 s.
Trials try_out(const Machine& machine);

std::vector<Condition> diagnose(const Machine& machine, const Trials& trials);
std::vector<Condition> diagnose(const Machine& machine);

/// An aligned table for a terminal, at most 96 columns wide; the last line counts the states.
std::string render_doctor(const std::vector<Condition>& conditions);

}  // namespace harness
