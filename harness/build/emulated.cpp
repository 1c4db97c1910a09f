// GPU variants without a GPU: the same file, turned into C++ by the emulator (emulator/README.md) and run on the
// CPU. The emulated device tells whether a kernel is right, never how fast it is.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/build/toolchain.h"
#include "harness/plan/source.h"

namespace harness {
namespace {

using Words = std::vector<std::string>;

class Emulated final : public Toolchain {
 public:
  std::string name() const override { return "emulated"; }
  bool gpu() const override { return true; }
  std::string compiler() const override { return "g++"; }
  std::optional<std::string> unable(const Machine& machine) const override { return emulation_missing(machine); }
  bool provides(const std::string& need) const override { return need == "cublas" || need == "cudnn"; }
  std::optional<std::string> lacks(const std::string& need) const override {
    if (need == "wgmma") return "the emulated device has no inline PTX, which wgmma and tile copies need";
    return std::nullopt;
  }

  std::optional<std::string> lacks_header(const std::string& header) const override {
    static const std::vector<std::pair<std::string, std::string>> libraries = {
        {"thrust/", "Thrust"}, {"cub/", "CUB"},         {"curand", "cuRAND"},     {"cufft", "cuFFT"}, {"cute/", "CuTe"},
        {"cutlass/", "CUTLASS"}, {"cusparse", "cuSPARSE"}, {"cusolver", "cuSOLVER"}, {"nccl", "NCCL"}, {"npp", "NPP"},
        {"cuda/latch", "cuda::latch"}, {"cuda/semaphore", "cuda::counting_semaphore"}, {"cuda/ptx", "cuda::ptx"},
        {"cuda/functional", "cuda::proclaim_return_type"}};
    for (const auto& [begins, name] : libraries)
      if (starts_with(header, begins)) return fmt::format("the emulated device has no {} ({})", name, header);
    return std::nullopt;
  }

  Recipe recipe(const BuildInput& input, const Machine& machine) const override {
    const std::string compiler = find_tool(machine, "g++")->path;
    const fs::path rewriter = input.build_files / "emulator/harness-rewriter";
    const Words language = {compiler, "-std=c++20", "-fdiagnostics-color=never"};
    const Words library = {"-g1", "-fPIC", "-fvisibility=hidden"};

    Words preprocess = language;
    add(preprocess, {"-E", "-DLAB_EMULATED=1", "-DLAB_EMULATED_VARIANT=1"});
    add(preprocess, list_includes);
    add(preprocess, ours(input));
    add(preprocess, {"-include", "emulator/device/runtime.h"});
    if (is_hip_source(input.source)) add(preprocess, {"-include", "hip/hip_runtime.h"});
    add(preprocess, definitions(input.macros));
    // The other flags of a config are nvcc's.
    for (const std::string& flag : input.flags)
      if (starts_with(flag, "-D") || starts_with(flag, "-U") || starts_with(flag, "-I")) preprocess.push_back(flag);

    // Instrumented like for a sanitizer, whose calls our glue answers. A float4 stays one access of 16 bytes.
    // A frame larger than the page below a stack touches that page first. A store to a null pointer stays.
    Words compile = language;
    add(compile, library);
    add(compile, {"-Wuninitialized", "-Wmaybe-uninitialized", "-Wunused-value"});
    add(compile, input.watch == Watch::diagnostics
                     ? Words{"-O1", "-fstack-clash-protection", "-fno-delete-null-pointer-checks", "-fno-tree-sra", "-fno-tree-fre", "-fsanitize=thread",
                             "--param", "tsan-instrument-func-entry-exit=0"}
                     : Words{"-O2", "-fstack-clash-protection"});

    // The device is one object that shows the variant only CUDA's names and what the rewriter writes.
    Words device = {"ld", "-r", "--force-group-allocation", "-o", "glue.o"};
    std::vector<Words> glue_steps;
    const auto compile_glue = [&](const std::string& name, const Words& sources) {
      Words step;
      if (const Tool* ccache = find_tool(machine, "ccache")) step.push_back(ccache->path);
      add(step, language);
      add(step, {"-O2", "-fno-gnu-unique"});
      add(step, library);
      add(step, ours(input));
      add(step, {"-MD", "-MF", "glue_" + name + ".d", "-o", "glue_" + name + ".o", "-c"});
      add(step, sources);
      glue_steps.push_back(step);
      device.push_back("glue_" + name + ".o");
    };
    compile_glue("device", glue(input));
    // A library is there only for a variant that says so, as for nvcc.
    for (const Need* need : input.needs)
      if (provides(need->name)) compile_glue(need->name, {(device_folder(input) / (need->name + ".cpp")).string()});
    Words hide = {"objcopy", "--wildcard"};
    for (const char* shown : {"cuda*", "cublas*", "cudnn*", "lab_*", "__tsan_*", "_ZN3lab8emulated8run_grid*",
                              "_ZN3lab8emulated15shared_variable*", "_ZN3lab8emulated14dynamic_shared*",
                              "_ZN3lab8emulated20dynamic_shared_again*"})
      hide.push_back("--keep-global-symbol=" + std::string(shown));
    hide.insert(hide.end(), {"glue.o", "device.o"});
    Words link = {compiler, "-shared", "-Wl,--no-undefined", "-o", "variant.so", "device.o", "variant.o"};
    Recipe recipe;
    for (const Need* need : input.needs) {
      if (provides(need->name)) continue;
      add(preprocess, need->compile);  // they decide what headers offer, too
      add(compile, need->compile);
      add(link, need->link);
    }
    add(preprocess, {"-x", "c++", input.source.string(), "-o"});
    // In variant.ii a # 1 "file" 1 3 that a student wrote looks like an #include. The compiler can tell.
    Words check_markers = {"/bin/sh", "-c",
                           "found=$(\"$@\" /dev/null -Wpedantic -Wsystem-headers 2>&1 | "
                           "grep ': warning: style of line directive' | head -n 1)\n"
                           "[ -z \"$found\" ] && exit 0\n"
                           "echo \"${found%%warning:*}error: the emulated device takes no #line: take it out\" >&2\n"
                           "exit 1\n",
                           "sh"};
    add(check_markers, preprocess);
    preprocess.push_back("variant.ii");
    add(compile, {no_lto, list_assembled, "-c", "launches.ii", "-o", "variant.o"});
    add(link, {"-lboost_context", "-pthread", no_lto});
    Words rewrite = {rewriter.string(), "variant.ii", "launches.ii"};
    if (std::ranges::any_of(input.flags, [](const std::string& flag) { return flag.ends_with("-expt-relaxed-constexpr"); })) rewrite.push_back("relaxed");
    recipe.steps = std::move(glue_steps);
    recipe.steps.insert(recipe.steps.end(),
                        {device, hide, preprocess, check_markers, rewrite, compile, link});
    recipe.shown = recipe.steps.size() - 2;
    return recipe;
  }

 private:
  static void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

  static Words ours(const BuildInput& input) {
    // As system headers: there the compiler marks what a macro of a student brings.
    return {"-I" + input.labs.string(), "-isystem", input.build_files.string(), "-isystem",
            (input.build_files / "emulator/device/include").string()};
  }

  static fs::path device_folder(const BuildInput& input) { return input.build_files / "emulator/device"; }

  // One compilation of all files takes a third of the time.
  Words glue(const BuildInput& input) const {
    Words all;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(device_folder(input), error)) {
      const std::string name = entry.path().stem().string();
      if (entry.path().extension() == ".cpp" && !name.ends_with("_test") && !provides(name)) all.push_back(entry.path().string());
    }
    std::ranges::sort(all);
    Words words;
    for (const std::string& source : all) add(words, {"-include", source});
    if (!words.empty()) words.erase(words.end() - 2);  // the last file is compiled; it includes the others
    return words;
  }
};

const Emulated emulated;
const Register<Toolchain> register_emulated(&emulated);

}  // namespace
}  // namespace harness
