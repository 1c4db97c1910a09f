// Toolchains compile the source of a variant to a shared object: one file per target (cpu, cuda, ...).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/base/files.h"
#include "harness/base/registry.h"
#include "harness/build/files_read.h"
#include "harness/build/needs.h"
#include "harness/kernel/value.h"
#include "harness/machine/kernel_function.h"
#include "harness/machine/machine.h"

namespace harness {

/// Whether the emulated device watches what a kernel does.
enum class Watch { diagnostics, nothing };
template <>
struct Spelling<Watch> {
  static constexpr std::string_view words[] = {"diagnostics", "nothing"};
};

struct BuildInput {
  fs::path labs;         // the folder with lab/
  fs::path build_files;  // the harness's own files for builds: the folder with emulator/
  fs::path source;       // absolute
  Axes macros;
  std::vector<const Need*> needs;
  std::vector<std::string> flags;  // the config's
  std::string architecture;        // "sm_90"; empty for CPU; HIP takes several, "gfx906,gfx90a"
  Watch watch = Watch::diagnostics;
};

/// Commands to run one after the other in an empty folder; the last one leaves variant.so there. In NAME.d there, they
/// list the files that they read. Those that begin with ccache come first, before files of a student are read: a compiler that
/// these attacked could leave links in the folder.
struct Recipe {
  std::vector<std::vector<std::string>> steps;
  std::vector<fs::path> mounts;  // folders outside /usr that the compiler needs
  size_t shown = 0;              // the step that the report's provenance shows
};

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  virtual std::string name() const = 0;
  virtual bool gpu() const = 0;
  /// Name of its compiler among the machine's tools: part of every key.
  virtual std::string compiler() const = 0;
  /// The reason why nothing can be built here, or nothing.
  virtual std::optional<std::string> unable(const Machine& machine) const = 0;
  /// Vendor of the GPUs that can run its builds, as in GpuInfo; empty: no GPU is needed.
  virtual std::string vendor() const { return ""; }
  /// The architecture to build for if neither a GPU nor the user names one; empty: there is none.
  virtual std::string default_architecture() const { return ""; }
  /// Checks that the installed compiler knows the architecture of --gpu-arch.
  virtual Done check_architecture(const std::string& architecture, const Machine& machine) const {
    (void)architecture, (void)machine;
    return ok();
  }
  /// True for a need that the target provides itself, whatever is installed.
  virtual bool provides(const std::string& need) const {
    (void)need;
    return false;
  }
  /// The reason why the target can never provide a need, or nothing.
  virtual std::optional<std::string> lacks(const std::string& need) const {
    (void)need;
    return std::nullopt;
  }
  /// The reason why a header of NVIDIA's is missing here, or nothing.
  virtual std::optional<std::string> lacks_header(const std::string& header) const {
    (void)header;
    return std::nullopt;
  }
  virtual Recipe recipe(const BuildInput& input, const Machine& machine) const = 0;
  /// Called in the folder of a finished build: what the compiler left there about kernel functions, as lines for the
  /// log. Removes such files.
  virtual std::string take_notes(const fs::path& folder) const {
    (void)folder;
    return "";
  }
  /// The kernel functions that a log speaks of. Removes the lines about them.
  virtual std::vector<KernelFunction> take_kernel_functions(std::string& log) const {
    (void)log;
    return {};
  }
};

const Toolchain* find_toolchain(const std::string& name);

/// True for a GPU variant that uses HIP names. All GPU targets build both CUDA and HIP names.
bool is_hip_source(const fs::path& source);

/// -DBLOCK=16 for each macro.
std::vector<std::string> definitions(const Axes& macros);

/// Options of g++ that list what the compiler reads, and what the assembler does: .incbin is not the compiler's.
inline const std::vector<std::string> list_includes = {"-MD", "-MF", "variant.d"};
inline const std::string list_assembled = "-Wa,--MD," + std::string(list_of_assembler);
/// Without it the linker compiles code that an object holds, and no list names the files that this code reads. One source gains
/// nothing by it.
inline const std::string no_lto = "-fno-lto";
/// Only the first file that is included may be a precompiled header: an image of the compiler's memory, which g++ does not list.
inline const std::vector<std::string> no_precompiled_headers = {"-include", "/dev/null"};

}  // namespace harness
