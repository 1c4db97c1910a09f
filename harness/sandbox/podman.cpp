// podman: containers without a daemon, as root or as an ordinary user.
#include "harness/sandbox/oci.h"

namespace harness {
namespace {

// crun is podman's choice where it is installed, but refuses a hybrid tree of control groups, where runc works.
std::vector<std::string> runtimes() {
  std::error_code error;
  if (fs::exists("/sys/fs/cgroup/unified", error)) return {"runc", "crun"};
  return {"crun", "runc"};
}

const Oci podman({.name = "podman",
                  .package = "podman",
                  .summary = "podman: the system is an image's (containers/make cpu)",
                  .runtimes = runtimes(),
                  // An ordinary user keeps the id, so that what a compiler writes is theirs.
                  .own = {"--read-only-tmpfs=false", "--no-hosts", "--http-proxy=false"},
                  .unprivileged = {"--userns=keep-id"},
                  .nvidia = "--device=nvidia.com/gpu=all",
                  .cdi = true});
const Register<Sandbox> registered(&podman);

}  // namespace
}  // namespace harness
