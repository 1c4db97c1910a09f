// The command line of Apptainer, which its test reads.
#pragma once

#include "harness/sandbox/container.h"

namespace harness {

std::vector<std::string> apptainer_line(const Container& container, const ContainerSpec& spec,
                                        const ContainerHost& host, const SandboxRequest& request,
                                        const fs::path& launcher);

}  // namespace harness
