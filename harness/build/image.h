// What the image of a container has: its compilers count, and its libraries, not this machine's.
#pragma once

#include <string>

#include "harness/machine/machine.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

/// `host`, with compilers, headers and libraries of the image that `sandbox` runs. Asked inside once an image:
/// kept in `cache` by its id.
Result<Machine> machine_inside(const Machine& host, const Sandbox& sandbox, const ContainerSpec& spec,
                               const fs::path& helper, const fs::path& cache);

/// The same from what the question printed.
Machine with_image(Machine host, const std::string& answer);

/// The folder of the toolkit that a compiler belongs to: its bin/ is taken away, links are followed.
fs::path toolkit_root(const Machine& machine, const Tool& compiler);

}  // namespace harness
