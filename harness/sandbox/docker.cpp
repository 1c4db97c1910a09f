// Docker: a daemon starts the containers, as root.
#include "harness/sandbox/oci.h"

namespace harness {
namespace {

const Oci docker({.name = "docker",
                  .package = "docker.io",
                  .summary = "Docker: the same with its daemon (containers/make cpu --program docker)",
                  .runtimes = {""},
                  .root_daemon = true,
                  .nvidia = "--gpus=all"});
const Register<Sandbox> register_docker(&docker);

}  // namespace
}  // namespace harness
