#include "harness/build/needs.h"

#include <fmt/format.h>

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/build/image.h"

namespace harness {
namespace {

using Missing = std::optional<std::string>;

template <const char* feature>
Missing without_feature(const Machine& machine) {
  if (has_feature(machine.cpu, feature)) return std::nullopt;
  return fmt::format("this CPU has no {}", feature);
}

// Folders of headers and libraries, on Debian and in the CUDA toolkit.
Missing without_file(const Machine& machine, const std::vector<fs::path>& any_of, const std::string& reason) {
  for (const fs::path& path : any_of)
    if (has_file(machine, path)) return std::nullopt;
  return reason;
}

fs::path cuda_root(const Machine& machine) {
  const Tool* nvcc = find_tool(machine, "nvcc");
  return nvcc ? toolkit_root(machine, *nvcc) : fs::path("/usr/local/cuda");
}

Missing without_openblas(const Machine& machine) {
  return without_file(
      machine, {"/usr/include/x86_64-linux-gnu/cblas.h", "/usr/include/cblas.h", "/usr/include/openblas/cblas.h"},
      "OpenBLAS is not installed (sudo apt-get install libopenblas-dev)");
}

Missing without_blis(const Machine& machine) {
  return without_file(machine, {"/usr/include/x86_64-linux-gnu/blis.h", "/usr/include/blis.h"},
                      "BLIS is not installed (sudo apt-get install libblis-pthread-dev)");
}

Missing without_onednn(const Machine& machine) {
  return without_file(machine, {"/usr/include/dnnl.hpp"}, "oneDNN is not installed (sudo apt-get install libdnnl-dev)");
}

Missing without_cublas(const Machine& machine) {
  return without_file(machine, {cuda_root(machine) / "lib64/libcublas.so"},
                      "cuBLAS is not installed (part of the CUDA toolkit)");
}

Missing without_cudnn(const Machine& machine) {
  return without_file(machine, {cuda_root(machine) / "lib64/libcudnn.so", "/usr/lib/x86_64-linux-gnu/libcudnn.so"},
                      "cuDNN is not installed");
}

Missing never(const Machine&) { return std::nullopt; }

// Without a GPU a build for --gpu-arch is still possible.
Missing without_hopper(const Machine& machine) {
  for (const GpuInfo& gpu : machine.gpus)
    if (gpu.vendor == "nvidia" && gpu.architecture != "sm_90")
      return fmt::format("needs a Hopper GPU (sm_90), this one is {}", gpu.architecture);
  return std::nullopt;
}

constexpr char avx2[] = "avx2", fma[] = "fma", avx512f[] = "avx512f";

}  // namespace

const std::vector<Need>& needs() {
  static const std::vector<Need> all = {
      {"avx2", "AVX2 vector instructions", {"-mavx2"}, {}, without_feature<avx2>},
      {"fma", "fused multiply-add instructions", {"-mfma"}, {}, without_feature<fma>},
      {"avx512f", "AVX-512 vector instructions", {"-mavx512f"}, {}, without_feature<avx512f>},
      {"openblas", "the OpenBLAS library", {}, {"-lopenblas"}, without_openblas},
      {"blis", "the BLIS library", {}, {"-lblis"}, without_blis},
      {"onednn", "Intel's oneDNN library", {}, {"-ldnnl"}, without_onednn},
      {"threads", "POSIX threads", {"-pthread"}, {"-pthread"}, never},
      {"openmp", "OpenMP; the config's axis threads says how many", {"-fopenmp"}, {"-fopenmp"}, never},
      {"cublas", "NVIDIA's cuBLAS library", {}, {"-lcublas"}, without_cublas},
      {"cudnn", "NVIDIA's cuDNN library", {}, {"-lcudnn"}, without_cudnn},
      {"wmma", "NVIDIA's tensor cores (mma.h)", {}, {}, never},
      {"wgmma", "Hopper's tensor cores and tile copies (sm_90a)", {}, {}, without_hopper},
  };
  return all;
}

Result<std::vector<const Need*>> find_needs(const std::vector<std::string>& names) {
  std::vector<const Need*> found;
  std::vector<std::string> known;
  for (const Need& need : needs()) known.push_back(need.name);
  for (const std::string& name : names) {
    const Need* match = nullptr;
    for (const Need& need : needs())
      if (need.name == name) match = &need;
    if (name.find('"') != std::string::npos)
      return Error{"LAB_NEEDS takes words without quotes, for example LAB_NEEDS(avx2);"};
    if (!match)
      return Error{fmt::format("unknown need \"{}\" in LAB_NEEDS{}; there are {}", name, did_you_mean(name, known),
                               join(known, ", "))};
    found.push_back(match);
  }
  return found;
}

std::optional<std::string> first_missing(const std::vector<const Need*>& all, const Machine& machine) {
  for (const Need* need : all)
    if (auto reason = need->missing(machine)) return reason;
  return std::nullopt;
}

}  // namespace harness
