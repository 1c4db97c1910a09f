// The compilers and libraries of a container's image, which count instead of this machine's.
#pragma once

#include <string>

#include "harness/machine/machine.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

/// A copy of `host` with the compilers, headers and libraries of the image that `sandbox` runs. The image is asked
/// once; the answer is kept in `cache` under the image's id.
Result<Machine> machine_inside(const Machine& host, const Sandbox& sandbox, const ContainerSpec& spec,
                               const fs::path& launcher, const fs::path& cache);

/// The same from the printed answer.
Machine with_image(Machine host, const std::string& answer);

/// The folder of the toolkit that a compiler belongs to: the path without bin/, with links resolved.
fs::path toolkit_root(const Machine& machine, const Tool& compiler);

}  // namespace harness
