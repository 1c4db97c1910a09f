// Apptainer: on clusters it replaces containers that need a daemon or several user ids. The image is a file.
#include "harness/sandbox/container.h"

#include <fmt/format.h>

#include "harness/base/hash.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/sandbox/door.h"
#include "harness/sandbox/users.h"

namespace harness {
namespace {

std::vector<std::string> isolation(const Container& container, const ContainerHost& host,
                                   const SandboxRequest& request) {
  std::vector<std::string> line = {"apptainer",  "exec",  "--containall",   "--cleanenv",    "--no-home",
                                   "--no-privs", "--net", "--network=none", "--hostname=lab"};
  // Without root it runs as the user who started it.
  if (host.root) line.push_back(fmt::format("--security=uid:{},gid:{}", host.user, host.group));
  if (container.limits == "control groups") {
    line.push_back(fmt::format("--pids-limit={}", request.processes + own_processes));
    if (request.memory_bytes > 0) line.push_back(fmt::format("--memory={}", request.memory_bytes));
  }
  return line;
}

class Apptainer final : public Sandbox {
 public:
  Apptainer() = default;
  Apptainer(ContainerSpec spec, Container container) : spec_(std::move(spec)), container_(std::move(container)) {}

  std::string name() const override { return "apptainer"; }
  std::string summary() const override {
    return "Apptainer: the same on a cluster; the image is a file (container: in the config)";
  }
  bool takes_image() const override { return true; }
  Done available() const override {
    if (find_program("apptainer").empty()) return no_program("apptainer", "apptainer");
    return ok();
  }

  Result<std::unique_ptr<const Sandbox>> with(const ContainerSpec& spec) const override {
    if (spec.image.empty())
      return Error{"apptainer needs an image file; write container: {program: apptainer, image: FILE.sif}"};
    Container container;
    container.program = "apptainer";
    container.image = spec.image;
    const auto content = read_file(spec.image);
    if (!content)
      return Error{
          fmt::format("{}; make it with `containers/make cpu`, `podman save --output cpu.tar "
                      "localhost/harness-cpu` and `apptainer build {} docker-archive:cpu.tar`",
                      content.error().message, spec.image)};
    container.id = sha256(*content);
    container.digest = "sha256:" + container.id;
    const auto version = run_process({"apptainer", "--version"}, {.timeout_s = 10});
    if (version) container.version = std::string(trim(version->out));
    container.runtime = "its own";
    std::string said;
    for (const char* limits : {"control groups", "each process"}) {
      container.limits = limits;
      SandboxRequest request;
      request.processes = trial_processes;
      request.memory_bytes = int64_t{1} << 30;
      std::vector<std::string> line = isolation(container, container_host(full_root()), request);
      line.push_back(spec.image);
      add(line, trial_command());
      TRY_ASSIGN(const ProcessResult tried, run_process(line, {.timeout_s = 60}));
      if (tried.exit == 0) return std::unique_ptr<const Sandbox>(new Apptainer(spec, container));
      said = complaint(tried.err);
    }
    return no_container("apptainer", {said});
  }

  const Container* container() const override { return container_.id.empty() ? nullptr : &container_; }

  std::vector<std::string> command_line(const SandboxRequest& request, const fs::path& launcher) const override {
    return apptainer_line(container_, spec_, container_host(full_root()), request, launcher);
  }

 private:
  ContainerSpec spec_;
  Container container_;
};

const Apptainer apptainer;
const Register<Sandbox> register_apptainer(&apptainer);

}  // namespace

std::vector<std::string> apptainer_line(const Container& container, const ContainerSpec& spec,
                                        const ContainerHost& host, const SandboxRequest& request,
                                        const fs::path& launcher) {
  std::vector<std::string> line = isolation(container, host, request);
  const Vendor vendor = vendor_of(request.devices);
  if (vendor == Vendor::nvidia) line.push_back("--nv");
  if (vendor == Vendor::amd) line.push_back("--rocm");
  const auto bind = [&](const fs::path& from, const fs::path& to, Access access) {
    line.push_back("--mount=" + bind_mount(from.string(), to.string(), access));
  };
  bind(request.door, Door::inside, Access::read);
  bind(launcher, launcher, Access::read);
  for (const fs::path& path : spec.mounts) bind(path, path, Access::read);
  for (const Mount& m : request.mounts) bind(m.path, m.path, m.access);
  line.push_back(container.image);
  // --nv and --rocm put the libraries of the driver there.
  add(line, entered(request, launcher,
                    vendor == Vendor::none ? std::vector<std::string>{}
                                           : std::vector<std::string>{"LD_LIBRARY_PATH=/.singularity.d/libs"}));
  return line;
}

}  // namespace harness
