#include "harness/machine/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/machine/openblas.h"

namespace harness {
namespace {

constexpr auto kOk = ConditionState::ok, kLimited = ConditionState::limited, kMissing = ConditionState::missing;

std::string or_else(const std::string& text, const char* instead) { return text.empty() ? instead : text; }

std::string described(const Tool& tool) { return tool.version.empty() ? tool.path : tool.version; }

Condition cpu(const Machine& m) {
  const std::string model = or_else(m.cpu.model, "unknown model");
  const bool avx2 = has_feature(m.cpu, "avx2") && has_feature(m.cpu, "fma");
  const char* avx512 = has_feature(m.cpu, "avx512f") ? "AVX-512" : "no AVX-512";
  if (avx2) return {"CPU", kOk, fmt::format("{}: AVX2, FMA, {}", model, avx512), "", ""};
  return {"CPU", kLimited, fmt::format("{}: no AVX2 and FMA", model), "variants that need avx2 or fma are SKIPPED",
          "run on an x86 machine of 2013 or later"};
}

Condition cores(const Machine& m) {
  const std::string what =
      fmt::format("{} usable, governor {}, turbo {}, {}", m.cpu.cores, or_else(m.cpu.governor, "not readable"),
                  or_else(m.cpu.turbo, "not readable"), or_else(m.virtualization, "no virtualization"));
  if (m.cpu.governor.empty() || m.cpu.governor == "performance") return {"cores", kOk, what, "", ""};
  return {"cores", kLimited, what, "the clock follows the load, so times scatter more",
          "sudo cpupower frequency-set -g performance (Debian: linux-cpupower, Ubuntu: linux-tools-generic)"};
}

Condition compiler(const Machine& m) {
  std::vector<std::string> found;
  for (const char* name : {"g++", "clang++"})
    if (const Tool* tool = find_tool(m, name)) found.push_back(described(*tool));
  if (!found.empty()) return {"compiler", kOk, join(found, ", "), "", ""};
  return {"compiler", kMissing, "neither g++ nor clang++", "no variant can be built", "sudo apt-get install g++"};
}

Condition openblas(const Machine& m, const Trials& t) {
  if (!t.openblas.error.empty())
    return {"OpenBLAS", kMissing, t.openblas.error, "the vendor rung of the CPU (cpu_openblas) is SKIPPED",
            "sudo apt-get install libopenblas-dev"};
  const std::string& core = t.openblas.core;
  const std::string wanted = openblas_core(m.cpu);
  if (core.empty()) return {"OpenBLAS", kOk, "headers and library", "", ""};
  if (wanted.empty() || wanted == core) return {"OpenBLAS", kOk, fmt::format("headers and library, kernels for {}", core), "", ""};
  return {"OpenBLAS", kLimited, fmt::format("it uses its kernels for {}", core),
          fmt::format("kernels for {} would suit this CPU; the vendor library may be slower than it should be", wanted),
          "install a newer OpenBLAS"};
}

Condition openblas_environment(const Trials& t) {
  std::vector<std::string> set;
  for (const auto& [name, value] : t.openblas_environment) set.push_back(name + "=" + value);
  return {"environment", kLimited, join(set, ", "),
          "such settings can halve OpenBLAS; the harness unsets them for its own runs", "unset " + [&] {
            std::vector<std::string> names;
            for (const auto& entry : t.openblas_environment) names.push_back(entry.first);
            return join(names, " ");
          }()};
}

Condition gpu(const Machine& m, const Trials& t) {
  std::vector<std::string> found;
  for (const GpuInfo& g : m.gpus)
    found.push_back(fmt::format("{} ({}, {}, driver {})", g.name, or_else(g.architecture, "unknown architecture"),
                                human_bytes(static_cast<double>(g.memory_bytes)), or_else(g.driver, "unknown")));
  if (!found.empty()) return {"GPU", kOk, join(found, ", "), "", ""};
  return {"GPU", kMissing, "nvidia-smi and the amdgpu driver list none",
          t.emulation_error.empty() ? "GPU variants are emulated: checked, not timed" : "GPU cases are SKIPPED",
          "run on a machine with a GPU and its driver; nvidia-smi must list it"};
}

Condition cuda(const Machine& m) {
  if (const Tool* nvcc = find_tool(m, "nvcc")) return {"CUDA", kOk, described(*nvcc), "", ""};
  return {"CUDA", kMissing, "no nvcc in $PATH or /usr/local/cuda/bin", "GPU variants are not built for NVIDIA",
          "sudo apt-get install nvidia-cuda-toolkit (Debian: from non-free), or NVIDIA's own packages"};
}

Condition hip(const Machine& m) {
  const std::string honest = "this project has run nothing on AMD hardware";
  if (const Tool* hipcc = find_tool(m, "hipcc")) return {"HIP", kOk, described(*hipcc) + "; " + honest, "", ""};
  return {"HIP", kMissing, std::string("no hipcc in $PATH or /opt/rocm/bin") + "; " + honest,
          "GPU variants are not built for AMD", "sudo apt-get install hipcc"};
}

Condition emulation(const Trials& t) {
  if (t.emulation_error.empty())
    return {"emulation", kOk, "GPU variants are checked here without a GPU, and never timed", "", ""};
  return {"emulation", kMissing, t.emulation_error, "without a GPU, GPU cases are SKIPPED; with one, nothing looks for races in a wrong case",
          "sudo apt-get install g++ libboost-context-dev"};
}

Condition sandbox(const Machine& m, const Trials& t) {
  const Tool* bwrap = find_tool(m, "bwrap");
  const char* cost = "variants run only unprotected (--sandbox none) or in a container";
  if (!bwrap) return {"sandbox", kMissing, "no bwrap", cost, "sudo apt-get install bubblewrap"};
  if (t.bwrap_error.empty())
    return {"sandbox", kOk, fmt::format("{}: an empty sandbox starts, user namespaces are on", described(*bwrap)), "", ""};
  return {"sandbox", kLimited, fmt::format("{} does not start: {}", described(*bwrap), t.bwrap_error), cost,
          "allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1 (Debian), "
          "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04); in a container, run it "
          "with more "
          "privileges"};
}

// "what is wrong; the way out"
std::pair<std::string, std::string> halves(const std::string& error) {
  const size_t at = error.find("; ");
  return at == std::string::npos ? std::pair(error, std::string("see harness list"))
                                 : std::pair(error.substr(0, at), error.substr(at + 2));
}

Condition containers(const Machine& m, const Trials& t) {
  const char* cost = "configs that ask for a container fail";
  std::vector<std::string> found;
  std::string remedy;
  bool usable = false;
  for (const char* name : {"podman", "docker", "apptainer"}) {
    const Tool* tool = find_tool(m, name);
    if (!tool) continue;
    const auto tried = t.containers.find(name);
    if (tried == t.containers.end()) {
      found.push_back(described(*tool));
    } else if (!tried->second.works.empty()) {
      found.push_back(fmt::format("{}: {}", described(*tool), tried->second.works));
      usable = true;
    } else {
      const auto [wrong, way_out] = halves(tried->second.error);
      found.push_back(fmt::format("{} ({})", described(*tool), wrong));
      if (remedy.empty()) remedy = way_out;
    }
  }
  if (usable) return {"containers", kOk, join(found, ", "), "", ""};
  if (found.empty())
    return {"containers", kMissing, "no podman, docker or apptainer", cost, "sudo apt-get install podman"};
  return {"containers", kLimited, join(found, ", "), cost, remedy.empty() ? "containers/make cpu" : remedy};
}

Condition ccache(const Machine& m) {
  if (const Tool* tool = find_tool(m, "ccache")) return {"ccache", kOk, described(*tool), "", ""};
  return {"ccache", kMissing, "no ccache", "each build for a GPU compiles the device's own part anew",
          "sudo apt-get install ccache"};
}

Condition python(const Machine& m, const Trials& t) {
  const Tool* python3 = find_tool(m, "python3");
  const char* cost = "reports are not rendered; run.json is written all the same";
  if (!python3) return {"Python", kMissing, "no python3", cost, "sudo apt-get install python3 python3-venv"};
  if (t.venv_error.empty()) return {"Python", kOk, fmt::format("{} with venv", described(*python3)), "", ""};
  return {"Python", kLimited, fmt::format("{}, but no venv: {}", described(*python3), t.venv_error), cost,
          "sudo apt-get install python3-venv"};
}

Condition pdf(const Trials& t) {
  std::vector<std::string> absent;
  for (const char* library : {"libpango-1.0", "libpangoft2-1.0"})
    if (t.libraries.find(std::string(library) + ".so.0") == std::string::npos) absent.push_back(library);
  if (absent.empty()) return {"PDF", kOk, "Pango", "", ""};
  return {"PDF", kMissing, "no " + join(absent, ", "), "report.pdf is not written",
          "sudo apt-get install " + join(absent, "-0 ") + "-0"};
}

Condition fonts(const Trials& t) {
  // fc-list prints one line per style: the family's names in several languages, separated by commas
  const std::string first = split(split(trim(t.cjk_fonts), '\n').front(), ',').front();
  if (!first.empty()) return {"fonts", kOk, fmt::format("Chinese, Japanese and Korean: {} and others", first), "", ""};
  return {"fonts", kMissing, "none with Chinese, Japanese and Korean", "such text is boxes in report.pdf",
          "sudo apt-get install fonts-noto-cjk"};
}

Condition slurm(const Machine& m, const Trials& t) {
  const char* cost = "--executor slurm cannot submit; runs on this machine need none of it";
  if (!find_tool(m, "sbatch")) return {"Slurm", kMissing, "no sbatch", cost, "sudo apt-get install slurm-client"};
  if (t.slurm_error.empty()) return {"Slurm", kOk, "a controller answers", "", ""};
  return {"Slurm", kLimited, fmt::format("no controller answers: {}", t.slurm_error), cost,
          "copy the cluster's slurm.conf to /etc/slurm, or log in on one of its nodes"};
}

}  // namespace

std::vector<Condition> diagnose(const Machine& m, const Trials& t) {
  std::vector<Condition> conditions = {cpu(m), cores(m), compiler(m), openblas(m, t)};
  if (!t.openblas_environment.empty()) conditions.push_back(openblas_environment(t));
  for (Condition& f : std::vector<Condition>{gpu(m, t), cuda(m), hip(m), emulation(t), sandbox(m, t), containers(m, t),
                                             ccache(m), python(m, t), pdf(t), fonts(t), slurm(m, t)})
    conditions.push_back(std::move(f));
  return conditions;
}

}  // namespace harness
