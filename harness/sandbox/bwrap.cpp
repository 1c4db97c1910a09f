// bubblewrap: namespaces without a daemon or an image. The host's /usr read-only, a private /tmp, no network.
//
// If the harness runs as root, the program gets a user id of its own that owns nothing, because the kernel does not apply the
// process limit to root, and because two workers must not be able to attack each other. For an ordinary user a user namespace
// does the same.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/sandbox/sandbox.h"
#include "harness/sandbox/users.h"

namespace harness {
namespace {

// bwrap makes missing folders above a mount readable only for root, but the program runs as another user.
void open_ancestors(std::vector<std::string>& line, const fs::path& path, std::set<fs::path>& made) {
  const fs::path parent = path.parent_path();
  if (parent == parent.root_path() || !made.insert(parent).second) return;
  open_ancestors(line, parent, made);
  // In /tmp the program could rename a folder and put its own files under that name, unless it is a mount.
  add(line, {"--perms", "0755", parent.parent_path() == "/tmp" ? "--tmpfs" : "--dir", parent.string()});
}

std::vector<std::string> isolation() {
  std::vector<std::string> line = {
      "bwrap",         "--die-with-parent",    "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-net",
      "--unshare-uts", "--unshare-cgroup-try", "--hostname",    "lab",           "--cap-drop",    "ALL"};
  if (full_root())
    add(line, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  else
    add(line, {"--unshare-user", "--disable-userns"});
  add(line, {"--ro-bind", "/usr", "/usr"});
  for (const char* path : {"/bin", "/sbin", "/lib", "/lib64", "/lib32"}) {
    std::error_code error;
    if (fs::is_symlink(path))
      add(line, {"--symlink", fs::read_symlink(path, error).string(), path});
    else if (fs::is_directory(path))
      add(line, {"--ro-bind", path, path});
  }
  add(line, {"--perms", "0755", "--dir", "/etc"});
  for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"})
    add(line, {"--ro-bind-try", path, path});
  return line;
}

class Bwrap final : public Sandbox {
 public:
  std::string name() const override { return "bwrap"; }
  std::string summary() const override { return "bubblewrap: unprivileged namespaces, no image needed (the default)"; }

  Done available() const override {
    if (find_program("bwrap").empty())
      return Error{
          "the sandbox \"bwrap\" is not installed; type `sudo apt-get install bubblewrap`, or run your own "
          "code with --sandbox none",
          ExitCode::machine};
    std::vector<std::string> line = isolation();
    add(line, {"--proc", "/proc", "--dev", "/dev", "/usr/bin/true"});
    TRY_ASSIGN(const ProcessResult tried, run_process(line, {.timeout_s = 10}));
    if (tried.exit == 0) return ok();
    return Error{
        fmt::format("the sandbox \"bwrap\" does not work here: {}; allow user namespaces (on Ubuntu: sudo sysctl "
                    "kernel.apparmor_restrict_unprivileged_userns=0), or run your own code with --sandbox none",
                    trim(tried.err)),
        ExitCode::machine};
  }

  std::vector<std::string> command_line(const SandboxRequest& request, const fs::path& launcher) const override {
    std::vector<std::string> line = isolation();
    // The launcher is the first process. A first process of bwrap has the same user, so the program could attack it.
    add(line, {"--as-pid-1", "--proc", "/proc", "--dev", "/dev"});
    // /dev/full reads like /dev/zero. A mapping of /dev/zero would be shared memory.
    if (request.rights >= Rights::start_threads) add(line, {"--dev-bind", "/dev/full", "/dev/zero"});
    for (const std::string& device : request.devices) add(line, {"--dev-bind-try", device, device});
    // CUDA reads the topology of the devices from /sys.
    if (!request.devices.empty()) add(line, {"--ro-bind-try", "/sys", "/sys"});
    add(line, {"--perms", "1777", "--size", std::to_string(request.tmp_bytes), "--tmpfs", "/tmp"});
    std::set<fs::path> made = {"/tmp", "/usr"};
    open_ancestors(line, launcher, made);
    for (const Mount& mount : request.mounts) open_ancestors(line, mount.path, made);
    add(line, {"--ro-bind", launcher.string(), launcher.string()});
    for (const Mount& mount : request.mounts)
      add(line, {mount.access == Access::write ? "--bind" : "--ro-bind", mount.path.string(), mount.path.string()});
    // Mounts of the request stay as they are: the program may write to some of them.
    for (const fs::path& path : made)
      if (path.parent_path() == "/tmp" && std::ranges::find(request.mounts, path, &Mount::path) == request.mounts.end())
        add(line, {"--remount-ro", path.string()});
    // An ordinary user would own /dev and could fill /dev/shm without a limit.
    add(line, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", request.folder.string()});
    line.push_back("--");
    add(line, limited(request, launcher, full_root() ? unused_uid() : "0"));
    return line;
  }
};

const Bwrap bwrap;
const Register<Sandbox> register_bwrap(&bwrap);

}  // namespace
}  // namespace harness
