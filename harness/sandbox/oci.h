// podman and docker, which have almost the same options.
#pragma once

#include "harness/sandbox/container.h"

namespace harness {

struct OciProgram {
  std::string name, package, summary;
  std::vector<std::string> runtimes;      // to try, in this order; "": the program's own choice
  bool root_daemon = false;               // a daemon starts containers as root for every user
  std::vector<std::string> own;           // options that only this program has
  std::vector<std::string> unprivileged;  // options for an ordinary user
  std::string nvidia;                     // the option that passes NVIDIA's GPUs through
  bool cdi = false;                       // it needs a description of the GPUs in /etc/cdi or /var/run/cdi
};

/// The command line without image, command and name. The trial uses it too.
std::vector<std::string> oci_isolation(const OciProgram& program, const Container& container, const ContainerHost& host,
                                       const SandboxRequest& request);
std::vector<std::string> oci_line(const OciProgram& program, const Container& container, const ContainerSpec& spec,
                                  const ContainerHost& host, const SandboxRequest& request, const fs::path& launcher);

class Oci final : public Sandbox {
 public:
  explicit Oci(OciProgram program) : program_(std::move(program)) {}
  Oci(OciProgram program, ContainerSpec spec, Container container)
      : program_(std::move(program)), spec_(std::move(spec)), container_(std::move(container)) {}
  std::string name() const override { return program_.name; }
  std::string summary() const override { return program_.summary; }
  bool takes_image() const override { return true; }
  Done available() const override;
  Result<std::unique_ptr<const Sandbox>> with(const ContainerSpec& spec) const override;
  const Container* container() const override { return container_.id.empty() ? nullptr : &container_; }
  Done reaches(const std::vector<std::string>& devices) const override;
  std::vector<std::string> removal(const std::string& container) const override;
  std::vector<std::string> command_line(const SandboxRequest& request, const fs::path& launcher) const override;

 private:
  OciProgram program_;
  ContainerSpec spec_;
  Container container_;
};

}  // namespace harness
