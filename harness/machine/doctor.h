// `harness doctor`: what this machine has, what each missing part costs, and how to get it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/machine/machine.h"

namespace harness {

enum class ConditionState { ok, limited, missing };
std::string_view to_string(ConditionState state);

struct Condition {
  std::string name;
  ConditionState state = ConditionState::ok;
  std::string what;    // what was found
  std::string cost;    // what goes without it; empty when ok
  std::string remedy;  // the command that gets it; empty when ok
};

/// Of a container with our image.
struct ContainerTrial {
  std::string works;  // "runc, memory and processes limited by control groups"; empty: it does not
  std::string error;  // then: what is wrong; the way out
};

/// What has to be tried out, beyond what Machine knows. An error text is one line that the attempt printed.
struct Trials {
  std::string bwrap_error;      // of an empty sandbox; empty: it works
  std::string openblas_error;   // of a program that includes cblas.h and links; empty: it builds
  std::string emulation_error;  // of the emulated device; empty: it can be built
  std::string venv_error;       // of Python's venv and ensurepip; empty: both are there
  std::string slurm_error;      // of `sinfo`; empty: a controller answers
  std::string libraries;        // what `ldconfig -p` lists
  std::string cjk_fonts;        // what `fc-list :lang=zh family` lists
  std::map<std::string, ContainerTrial> containers;  // by program; not tried: absent
  std::map<std::string, std::string> openblas_environment;  // OPENBLAS_* that are set
};

/// Tries all of it side by side, each with a limit of 10 s.
Trials try_out(const Machine& machine);

std::vector<Condition> diagnose(const Machine& machine, const Trials& trials);
std::vector<Condition> diagnose(const Machine& machine);

/// An aligned table for a terminal, at most 96 columns wide; the last line counts the states.
std::string render_doctor(const std::vector<Condition>& conditions);

}  // namespace harness
