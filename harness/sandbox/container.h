// What the container sandboxes share: facts about this machine, the inspection of the image, the trial.
#pragma once

#include <string>
#include <vector>

#include "harness/sandbox/sandbox.h"

namespace harness {

inline constexpr const char* default_image = "localhost/harness-cpu";

/// Processes in the container in addition to the program: the first process, and the launcher, which sets limits.
inline constexpr int own_processes = 2;

/// Facts about this machine that a command line depends on.
struct ContainerHost {
  bool root = false;                 // the container program or its daemon has all rights of root
  std::string user, group;           // of the program; never root
  int64_t files = 0, processes = 0;  // ulimits, at most those of the harness, because they cannot be raised
  std::string owner;                 // value of a label: the process of the harness
};
ContainerHost container_host(bool root);

/// Identifies a running process, also after its pid was used again: "1234:567890" (pid, start time).
std::string process_mark(const std::string& pid);

enum class Vendor { none, nvidia, amd };
Vendor vendor_of(const std::vector<std::string>& devices);

/// The command line of the first process of a container. Environment and limits are set inside, in the same way for
/// every container program.
std::vector<std::string> entered(const SandboxRequest& request, const fs::path& launcher,
                                 const std::vector<std::string>& environment = {});

/// "type=bind,src=/a,dst=/a,ro", quoted as in CSV if necessary.
std::string bind_mount(const std::string& from, const std::string& to, Access access);

/// Reads the output of `PROGRAM image inspect IMAGE`.
Result<Container> read_inspection(const std::string& program, const std::string& image, const std::string& json,
                                  const std::string& architecture);
/// The architecture of this machine, in the words of container images: "amd64", "arm64".
std::string image_architecture();

Error no_program(const std::string& program, const std::string& package);
Error no_image(const std::string& program, const std::string& image);
/// `tries`: for each attempt the runtime and its message, "runc: permission denied".
Error no_container(const std::string& program, const std::vector<std::string>& tries);

/// The last line that a container program printed, without the words that begin each of its errors.
std::string complaint(const std::string& text);

/// The command line of Apptainer.
std::vector<std::string> apptainer_line(const Container& container, const ContainerSpec& spec,
                                        const ContainerHost& host, const SandboxRequest& request,
                                        const fs::path& launcher);

/// The command of a trial: prints the largest number of processes of its control group.
std::vector<std::string> trial_command();
inline constexpr int trial_processes = 77;  // the limit that the trial asks for and looks for in that output

/// Removes containers whose harness has ended. Returns their number.
int remove_leftovers(const std::string& program);

}  // namespace harness
