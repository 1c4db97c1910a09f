// CPU variants: the host's C++ compiler.
#include "harness/build/toolchain.h"

namespace harness {
namespace {

class Cpu final : public Toolchain {
 public:
  std::string name() const override { return "cpu"; }
  bool gpu() const override { return false; }
  std::string compiler() const override { return "g++"; }

  std::optional<std::string> unable(const Machine& machine) const override {
    if (find_tool(machine, "g++")) return std::nullopt;
    return "there is no C++ compiler (sudo apt-get install g++)";
  }

  Recipe recipe(const BuildInput& input, const Machine& machine) const override {
    const std::string compiler_path = find_tool(machine, "g++")->path;
    const bool is_c = input.source.extension() == ".c";
    std::vector<std::string> compile = {
        compiler_path,         is_c ? "-std=c17" : "-std=c++20", "-O3",   "-g1",     "-fPIC",
        "-fvisibility=hidden", "-fdiagnostics-color=never",      "-Wall", "-Wextra", "-I" + input.labs.string()};
    for (const std::string& flag : definitions(input.macros)) compile.push_back(flag);
    // -z text: the loader would write addresses into code, and code that is not as in the file is MISTRUSTED.
    std::vector<std::string> link = {compiler_path, "-shared", "-Wl,--no-undefined,-z,text", "-o", "variant.so", "variant.o"};
    link.insert(link.end(), input.flags.begin(), input.flags.end());  // -fopenmp, -fsanitize=... are for both
    for (const Need* need : input.needs) {
      compile.insert(compile.end(), need->compile.begin(), need->compile.end());
      link.insert(link.end(), need->link.begin(), need->link.end());
    }
    link.push_back(no_lto);
    compile.insert(compile.end(), input.flags.begin(), input.flags.end());
    compile.push_back(no_lto);
    if (is_c) compile.insert(compile.end(), {"-x", "c"});
    compile.insert(compile.end(), no_precompiled_headers.begin(), no_precompiled_headers.end());
    compile.insert(compile.end(), list_includes.begin(), list_includes.end());
    for (const std::string& word :
         {list_assembled, std::string("-c"), input.source.string(), std::string("-o"), std::string("variant.o")})
      compile.push_back(word);
    return {{compile, link}, {}};
  }
};

const Cpu cpu;
const Register<Toolchain> register_cpu(&cpu);

}  // namespace
}  // namespace harness
