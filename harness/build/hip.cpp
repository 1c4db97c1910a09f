// GPU variants for AMD: hipcc for one or several architectures, with the device glue linked in. The glue is the CUDA
// one with mapped names (labs/lab/hip_names.h).
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/build/image.h"
#include "harness/build/toolchain.h"

namespace harness {
namespace {

using Words = std::vector<std::string>;

class Hip final : public Toolchain {
 public:
  std::string name() const override { return "hip"; }
  bool gpu() const override { return true; }
  std::string compiler() const override { return "hipcc"; }
  std::string vendor() const override { return "amd"; }

  // Wavefronts of 64 lanes (two generations) and of 32; Debian's hipcc 5.2 knows all three.
  std::string default_architecture() const override { return "gfx906,gfx90a,gfx1030"; }

  std::optional<std::string> unable(const Machine& machine) const override {
    if (find_tool(machine, "hipcc")) return std::nullopt;
    return "hipcc is not installed (sudo apt-get install hipcc)";
  }

  std::optional<std::string> lacks(const std::string& need) const override {
    if (need == "cublas") return "cuBLAS is NVIDIA's alone; its counterpart hipBLAS has no variant yet";
    if (need == "cudnn") return "cuDNN is NVIDIA's alone; its counterpart MIOpen has no variant yet";
    if (need == "wmma") return "tensor cores (mma.h) are NVIDIA's alone";
    if (need == "wgmma") return "Hopper's tensor cores (wgmma) are NVIDIA's alone";
    return std::nullopt;
  }

  Done check_architecture(const std::string& architecture, const Machine& machine) const override {
    const Words known = known_architectures(machine);
    for (const std::string& one : split(architecture, ',')) {
      const std::string processor = one.substr(0, one.find(':'));  // gfx90a:xnack+
      if (known.empty() || contains(known, processor)) continue;
      return Error{fmt::format("--gpu-arch \"{}\": hipcc does not know it{}; it knows {}", one,
                               did_you_mean(one, known), join(known, ", "))};
    }
    return ok();
  }

  Recipe recipe(const BuildInput& input, const Machine& machine) const override {
    const fs::path hipcc = find_tool(machine, "hipcc")->path;
    const fs::path root = toolkit_root(machine, *find_tool(machine, "hipcc"));
    const fs::path glue = input.labs / "device/device_cuda.cu";
    Words all;
    for (const std::string& one : split(input.architecture, ',')) all.push_back("--offload-arch=" + one);
    Words compile = {hipcc.string(), "-std=c++20", "-O3"}, link = {hipcc.string(), "-shared"};
    add(compile, {"-fPIC", "-fvisibility=hidden", "-fno-color-diagnostics", "-I" + input.labs.string(), "-isystem",
                  (input.labs / "lab/hip/include").string(), "-include", "lab/hip_names.h"});
    Words glue_object = compile, object = compile;
    add(glue_object, all);
    add(link, all);
    add(object, definitions(input.macros));
    add(link, {"-Wl,--no-undefined", "-o", "variant.so", "variant.o", "device.o"});
    for (const Need* need : input.needs) {
      add(object, need->compile);
      add(link, need->link);
    }
    add(object, input.flags);
    add(object, {"-x", "hip", input.source.string()});
    // clang lists only what it reads for the host.
    std::vector<Words> steps;
    for (const std::string& one : all) {
      Words lists = object;
      add(lists, {one, "--cuda-device-only", "-M", "-MF", fmt::format("device{}.d", steps.size())});
      steps.push_back(lists);
    }
    add(object, all);
    add(object, list_includes);
    add(object, {"-c", "-o", "variant.o"});
    add(glue_object, {"-x", "hip", glue.string(), "-MD", "-MF", "glue.d", "-c", "-o", "device.o"});
    steps.insert(steps.begin(), {object, glue_object});
    add(link, {no_lto});
    steps.push_back(link);
    return {steps, root == "/usr" ? std::vector<fs::path>{} : std::vector{root}};
  }

 private:
  static void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

  /// Empty if the compiler does not list them. Asks the underlying clang, because hipcc would look for a GPU and device
  /// libraries.
  static Words known_architectures(const Machine& machine) {
    if (machine.image_files) return {};  // the image's compiler counts, not this machine's
    const auto answer = run_process({find_tool(machine, "hipcc")->path, "-nogpulib", "--offload-arch=gfx906",
                                     "--target=amdgcn-amd-amdhsa", "--print-supported-cpus", "-c"},
                                    {.timeout_s = 20, .environment = {"LC_ALL=C"}});
    Words known;
    if (!answer) return known;
    for (const std::string& line : split(answer->out + "\n" + answer->err, '\n'))
      if (const std::string word(trim(line)); starts_with(word, "gfx")) known.push_back(word);
    return known;
  }
};

const Hip hip;
const Register<Toolchain> register_hip(&hip);

}  // namespace
}  // namespace harness
