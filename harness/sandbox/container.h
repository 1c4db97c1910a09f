// What the container sandboxes share: what they are told of this machine, the image, the trial.
#pragma once

#include <string>
#include <vector>

#include "harness/sandbox/sandbox.h"

namespace harness {

inline constexpr const char* default_image = "localhost/harness-cpu";

/// In the container beside the program: its first process, and what sets limits.
inline constexpr int own_processes = 2;

/// What a command line depends on beside the request.
struct ContainerHost {
  bool root = false;                // full root, or a daemon that is
  std::string user, group;          // of the program; never root
  int64_t files = 0, processes = 0;  // ulimits: they may only go down, so never above what holds here
  std::string owner;                // label value: this process
};
ContainerHost container_host(bool root);

/// A running process, told from a later one with the same number: "1234:567890" (pid, start time).
std::string process_mark(const std::string& pid);

enum class Vendor { none, nvidia, amd };
Vendor vendor_of(const std::vector<std::string>& devices);

/// The first process of the container and what it starts: environment and limits are set inside, in the same way
/// for every program.
std::vector<std::string> entered(const SandboxRequest& request, const fs::path& launcher,
                                 const std::vector<std::string>& environment = {});

/// "type=bind,src=/a,dst=/a,ro", quoted as CSV where it must be.
std::string bind_mount(const std::string& from, const std::string& to, Access access);

/// Of the output of `PROGRAM image inspect IMAGE`.
Result<Container> read_inspection(const std::string& program, const std::string& image, const std::string& json,
                                  const std::string& architecture);
/// This machine's, as images call it: "amd64", "arm64".
std::string image_architecture();

Error no_program(const std::string& program, const std::string& package);
Error no_image(const std::string& program, const std::string& image);
/// `tries`: "runc: what it said" for each.
Error no_container(const std::string& program, const std::vector<std::string>& tries);

/// The last line of what a container program printed, without what it says of every error.
std::string complaint(const std::string& text);

/// The command of a trial: prints the largest number of processes of its control group.
std::vector<std::string> trial_command();
inline constexpr int trial_processes = 77;  // asked for, and looked for in that output

/// Removes containers whose harness is gone; how many there were.
int remove_leftovers(const std::string& program);

}  // namespace harness
