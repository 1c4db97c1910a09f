// GPU variants for NVIDIA: nvcc for one architecture, with the device glue linked in.
#include "harness/build/image.h"
#include "harness/build/kernel_functions.h"
#include "harness/build/toolchain.h"

namespace harness {
namespace {

/// nvcc's words for the architecture, "sm_90". Hopper's own instructions are in a target of their own, sm_90a.
std::string target(const BuildInput& input) {
  for (const Need* need : input.needs)
    if (need->name == "wgmma" && input.architecture == "sm_90") return "-gencode=arch=compute_90a,code=sm_90a";
  return "-arch=" + input.architecture;
}

class Cuda final : public Toolchain {
 public:
  std::string name() const override { return "cuda"; }
  bool gpu() const override { return true; }
  std::string compiler() const override { return "nvcc"; }
  std::string vendor() const override { return "nvidia"; }

  std::optional<std::string> unable(const Machine& machine) const override {
    if (find_tool(machine, "nvcc")) return std::nullopt;
    return "the CUDA toolkit (nvcc) is not installed";
  }

  Recipe recipe(const BuildInput& input, const Machine& machine) const override {
    const fs::path nvcc = find_tool(machine, "nvcc")->path;
    const fs::path root = toolkit_root(machine, *find_tool(machine, "nvcc"));
    const fs::path glue = input.labs / "device/device_cuda.cu";
    const std::vector<std::string> compile = {nvcc.string(),
                                              "-std=c++20",
                                              "-O3",
                                              "-lineinfo",
                                              target(input),
                                              "-Xcompiler=-fPIC,-fvisibility=hidden",
                                              "-I" + input.labs.string()};
    std::vector<std::string> glue_object = compile, object = compile;
    if (const Tool* ccache = find_tool(machine, "ccache")) glue_object.insert(glue_object.begin(), ccache->path);
    for (const std::string& flag : definitions(input.macros)) object.push_back(flag);
    std::vector<std::string> link = {nvcc.string(),
                                     "-shared",
                                     "-cudart=static",
                                     target(input),
                                     "-o",
                                     "variant.so",
                                     "variant.o",
                                     "device.o",
                                     "-Xlinker=--no-undefined",
                                     "-Xlinker=-rpath," + (root / "lib64").string()};
    for (const Need* need : input.needs) {
      for (const std::string& flag : need->compile) object.push_back("-Xcompiler=" + flag);
      for (const std::string& flag : need->link)
        link.push_back(flag == "-pthread" ? "-Xcompiler=" + flag : flag);  // nvcc does not know this flag
    }
    link.push_back("-Xcompiler=" + no_lto);
    object.insert(object.end(), input.flags.begin(), input.flags.end());
    if (is_hip_source(input.source))
      for (const std::string& word :
           {std::string("-isystem"), (input.labs / "lab/cuda/include").string(), std::string("-include"),
            std::string("hip/hip_runtime.h"), std::string("-x"), std::string("cu")})
        object.push_back(word);
    for (const char* word : {"-MD", "-MF", "device.d", "-c", glue.c_str(), "-o", "device.o"})
      glue_object.push_back(word);
    object.insert(object.end(), list_includes.begin(), list_includes.end());
    object.push_back(fmt::format("-Xcompiler=-Wa\\,--MD\\,{}", list_of_assembler));
    object.insert(object.end(), {"-Xptxas=-v", "-keep"});  // for take_kernel_functions()
    for (const char* word : {"-c", input.source.c_str(), "-o", "variant.o"}) object.push_back(word);
    return {{glue_object, object, link}, {root}, 1};
  }

  std::string take_notes(const fs::path& folder) const override { return take_ptx(folder); }
  std::vector<KernelFunction> take_kernel_functions(std::string& log) const override {
    return harness::take_kernel_functions(log);
  }
};

const Cuda cuda;
const Register<Toolchain> register_cuda(&cuda);

}  // namespace
}  // namespace harness
