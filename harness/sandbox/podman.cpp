// podman: containers without a daemon, as root or as an ordinary user.
#include "harness/sandbox/oci.h"

namespace harness {
namespace {

// podman prefers crun, but crun refuses a hybrid tree of control groups. runc accepts it.
std::vector<std::string> runtimes() {
  std::error_code error;
  if (fs::exists("/sys/fs/cgroup/unified", error)) return {"runc", "crun"};
  return {"crun", "runc"};
}

const Oci podman({.name = "podman",
                  .package = "podman",
                  .summary = "podman: the system is an image's (containers/make cpu)",
                  .runtimes = runtimes(),
                  // An ordinary user keeps the id, and so owns the files that a compiler writes.
                  .own = {"--read-only-tmpfs=false", "--no-hosts", "--http-proxy=false"},
                  .unprivileged = {"--userns=keep-id"},
                  .nvidia = "--device=nvidia.com/gpu=all",
                  .cdi = true});
const Register<Sandbox> register_podman(&podman);

}  // namespace
}  // namespace harness
