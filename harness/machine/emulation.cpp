// What is needed to build the emulated device: a compiler, and Boost.Context for switching stacks.
#include "harness/machine/machine.h"

namespace harness {

std::optional<std::string> emulation_missing(const Machine& machine) {
  if (!find_tool(machine, "g++")) return "the emulated device needs g++ (sudo apt-get install g++)";
  bool header = false, library = false;
  for (const char* folder : {"/usr/include", "/usr/local/include"})
    header = header || has_file(machine, fs::path(folder) / "boost/context/detail/fcontext.hpp");
  for (const char* folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"})
    library = library || has_file(machine, fs::path(folder) / "libboost_context.so");
  if (header && library) return std::nullopt;
  return "the emulated device needs Boost.Context (sudo apt-get install libboost-context-dev)";
}

}  // namespace harness
