#include "harness/machine/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/base/text.h"

namespace harness {
namespace {

Machine full_machine() {
  Machine m;
  m.cpu.model = "AMD EPYC";
  m.cpu.cores = 2;
  m.cpu.features = {"avx2", "avx512f", "fma"};
  m.cpu.governor = "performance";
  m.cpu.turbo = "on";
  m.virtualization = "kvm";
  m.gpus = {{.name = "NVIDIA H200",
             .driver = "580.159.04",
             .architecture = "sm_90",
             .memory_bytes = int64_t{140} << 30}};
  for (const char* name : {"g++", "nvcc", "hipcc", "bwrap", "podman", "ccache", "python3", "sbatch"})
    m.tools.push_back({name, std::string("/usr/bin/") + name, std::string(name) + " 1.2"});
  return m;
}

Trials all_work() {
  Trials t;
  t.libraries =
      "libpango-1.0.so.0 (libc6) => /lib/libpango-1.0.so.0\nlibpangoft2-1.0.so.0 (libc6) => /lib/x\n";
  t.containers["podman"] = {"runc, memory and processes limited by control groups", ""};
  t.cjk_fonts = "Noto Serif CJK JP\nNoto Sans CJK SC,Noto Sans CJK SC Black\n";
  return t;
}

Condition named(const std::vector<Condition>& conditions, const std::string& name) {
  const auto it =
      std::find_if(conditions.begin(), conditions.end(), [&](const Condition& f) { return f.name == name; });
  return it == conditions.end() ? Condition{.name = "no such condition"} : *it;
}

TEST(Doctor, AMachineThatHasEverything) {
  EXPECT_EQ(render_doctor(diagnose(full_machine(), all_work())),
            "ok       CPU         AMD EPYC: AVX2, FMA, AVX-512\n"
            "ok       cores       2 usable, governor performance, turbo on, kvm\n"
            "ok       compiler    g++ 1.2\n"
            "ok       OpenBLAS    headers and library\n"
            "ok       GPU         NVIDIA H200 (sm_90, 140 GiB, driver 580.159.04)\n"
            "ok       CUDA        nvcc 1.2\n"
            "ok       HIP         hipcc 1.2; this project has run nothing on AMD hardware\n"
            "ok       emulation   GPU variants are checked here without a GPU, and never timed\n"
            "ok       sandbox     bwrap 1.2: an empty sandbox starts, user namespaces are on\n"
            "ok       containers  podman 1.2: runc, memory and processes limited by control groups\n"
            "ok       ccache      ccache 1.2\n"
            "ok       Python      python3 1.2 with venv\n"
            "ok       PDF         Pango\n"
            "ok       fonts       Chinese, Japanese and Korean: Noto Serif CJK JP and others\n"
            "ok       Slurm       a controller answers\n"
            "\n15 ok, 0 limited, 0 missing\n");
}

TEST(Doctor, OpenblasThatDoesNotKnowTheCpu) {
  Machine m = full_machine();
  m.cpu.features = {"avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"};
  Trials t = all_work();
  t.openblas.core = "SkylakeX";
  EXPECT_EQ(named(diagnose(m, t), "OpenBLAS").what, "headers and library, kernels for SkylakeX");
  t.openblas.core = "Prescott";
  const Condition c = named(diagnose(m, t), "OpenBLAS");
  EXPECT_EQ(c.state, ConditionState::limited);
  EXPECT_EQ(c.what, "it uses its kernels for Prescott");
  EXPECT_EQ(c.cost, "kernels for SkylakeX would suit this CPU; the vendor library may be slower than it should be");
}

TEST(Doctor, AMachineThatHasNothing) {
  const std::string text =
      render_doctor(diagnose(Machine{}, Trials{.openblas = {.error = "no compiler to try it with"},
                                               .emulation_error = "the emulated device needs g++"}));
  EXPECT_EQ(
      text,
      "limited  CPU         unknown model: no AVX2 and FMA\n"
      "                     cost: variants that need avx2 or fma are SKIPPED\n"
      "                     fix:  run on an x86 machine of 2013 or later\n"
      "ok       cores       0 usable, governor not readable, turbo not readable, no virtualization\n"
      "missing  compiler    neither g++ nor clang++\n"
      "                     cost: no variant can be built\n"
      "                     fix:  sudo apt-get install g++\n"
      "missing  OpenBLAS    no compiler to try it with\n"
      "                     cost: the vendor rung of the CPU (cpu_openblas) is SKIPPED\n"
      "                     fix:  sudo apt-get install libopenblas-dev\n"
      "missing  GPU         nvidia-smi and the amdgpu driver list none\n"
      "                     cost: GPU cases are SKIPPED\n"
      "                     fix:  run on a machine with a GPU and its driver; nvidia-smi must list it\n"
      "missing  CUDA        no nvcc in $PATH or /usr/local/cuda/bin\n"
      "                     cost: GPU variants are not built for NVIDIA\n"
      "                     fix:  sudo apt-get install nvidia-cuda-toolkit (Debian: from non-free), or\n"
      "                           NVIDIA's own packages\n"
      "missing  HIP         no hipcc in $PATH or /opt/rocm/bin; this project has run nothing on AMD\n"
      "                     hardware\n"
      "                     cost: GPU variants are not built for AMD\n"
      "                     fix:  sudo apt-get install hipcc\n"
      "missing  emulation   the emulated device needs g++\n"
      "                     cost: without a GPU, GPU cases are SKIPPED; with one, nothing looks for\n"
      "                           races in a wrong case\n"
      "                     fix:  sudo apt-get install g++ libboost-context-dev\n"
      "missing  sandbox     no bwrap\n"
      "                     cost: variants run only unprotected (--sandbox none) or in a container\n"
      "                     fix:  sudo apt-get install bubblewrap\n"
      "missing  containers  no podman, docker or apptainer\n"
      "                     cost: configs that ask for a container fail\n"
      "                     fix:  sudo apt-get install podman\n"
      "missing  ccache      no ccache\n"
      "                     cost: each build for a GPU compiles the device's own part anew\n"
      "                     fix:  sudo apt-get install ccache\n"
      "missing  Python      no python3\n"
      "                     cost: reports are not rendered; run.json is written all the same\n"
      "                     fix:  sudo apt-get install python3 python3-venv\n"
      "missing  PDF         no libpango-1.0, libpangoft2-1.0\n"
      "                     cost: report.pdf is not written\n"
      "                     fix:  sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0\n"
      "missing  fonts       none with Chinese, Japanese and Korean\n"
      "                     cost: such text is boxes in report.pdf\n"
      "                     fix:  sudo apt-get install fonts-noto-cjk\n"
      "missing  Slurm       no sbatch\n"
      "                     cost: --executor slurm cannot submit; runs on this machine need none of it\n"
      "                     fix:  sudo apt-get install slurm-client\n"
      "\n1 ok, 1 limited, 13 missing\n");
  for (const std::string& line : split(text, '\n')) EXPECT_LE(line.size(), 96u) << line;
}

TEST(Doctor, WithoutAGpuItIsEmulated) {
  Machine m = full_machine();
  m.gpus.clear();
  Trials t = all_work();
  EXPECT_EQ(named(diagnose(m, t), "GPU").cost, "GPU variants are emulated: checked, not timed");
  t.emulation_error = "no Boost.Context";
  EXPECT_EQ(named(diagnose(m, t), "GPU").cost, "GPU cases are SKIPPED");
  EXPECT_EQ(named(diagnose(m, t), "emulation").what, "no Boost.Context");
}

TEST(Doctor, ASandboxThatIsThereAndDoesNotStart) {
  Trials t = all_work();
  t.bwrap_error = "bwrap: No permissions to create new namespace";
  const Condition f = named(diagnose(full_machine(), t), "sandbox");
  EXPECT_EQ(f.state, ConditionState::limited);
  EXPECT_EQ(f.what, "bwrap 1.2 does not start: bwrap: No permissions to create new namespace");
  EXPECT_NE(f.remedy.find("kernel.apparmor_restrict_unprivileged_userns=0"), std::string::npos);
}

TEST(Doctor, AGovernorThatFollowsTheLoad) {
  Machine m = full_machine();
  m.cpu.governor = "powersave";
  const Condition f = named(diagnose(m, all_work()), "cores");
  EXPECT_EQ(f.state, ConditionState::limited);
  EXPECT_EQ(f.cost, "the clock follows the load, so times scatter more");
}

TEST(Doctor, OpenBlasSettingsInTheEnvironmentAreACondition) {
  EXPECT_EQ(named(diagnose(full_machine(), all_work()), "environment").name, "no such condition");
  Trials t = all_work();
  t.openblas_environment = {{"OPENBLAS_CORETYPE", "Haswell"}, {"OPENBLAS_NUM_THREADS", "1"}};
  const Condition f = named(diagnose(full_machine(), t), "environment");
  EXPECT_EQ(f.state, ConditionState::limited);
  EXPECT_EQ(f.what, "OPENBLAS_CORETYPE=Haswell, OPENBLAS_NUM_THREADS=1");
  EXPECT_EQ(f.cost, "such settings can halve OpenBLAS; the harness unsets them for its own runs");
  EXPECT_EQ(f.remedy, "unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS");
}

TEST(Doctor, ADockerClientWithoutAnEngineIsNoContainer) {
  Machine m = full_machine();
  std::erase_if(m.tools, [](const Tool& t) { return t.name == "podman"; });
  m.tools.push_back({"docker", "/usr/bin/docker", "Docker version 28.2.2"});
  Trials t = all_work();
  t.containers["docker"].error = "docker starts no container here (no engine answers); see harness doctor";
  const Condition without = named(diagnose(m, t), "containers");
  EXPECT_EQ(without.state, ConditionState::limited);
  EXPECT_EQ(without.what, "Docker version 28.2.2 (docker starts no container here (no engine answers))");
  t.containers["docker"] = {"its own, memory and processes limited by control groups", ""};
  EXPECT_EQ(named(diagnose(m, t), "containers").what,
            "Docker version 28.2.2: its own, memory and processes limited by control groups");
}

TEST(Doctor, APodmanWithoutAnImageSaysHowToMakeIt) {
  Trials t = all_work();
  t.containers["podman"] = {"", "podman has no image \"localhost/harness-cpu\"; make it with containers/make cpu"};
  const Condition f = named(diagnose(full_machine(), t), "containers");
  EXPECT_EQ(f.state, ConditionState::limited);
  EXPECT_EQ(f.what, "podman 1.2 (podman has no image \"localhost/harness-cpu\")");
  EXPECT_EQ(f.cost, "configs that ask for a container fail");
  EXPECT_EQ(f.remedy, "make it with containers/make cpu");
}

TEST(Doctor, PythonWithoutVenvAndSlurmWithoutAController) {
  Trials t = all_work();
  t.venv_error = "ModuleNotFoundError: No module named 'ensurepip'";
  t.slurm_error = "sinfo: fatal: Could not establish a configuration source";
  const auto conditions = diagnose(full_machine(), t);
  EXPECT_EQ(named(conditions, "Python").what,
            "python3 1.2, but no venv: ModuleNotFoundError: No module named 'ensurepip'");
  EXPECT_EQ(named(conditions, "Python").remedy, "sudo apt-get install python3-venv");
  EXPECT_EQ(named(conditions, "Slurm").state, ConditionState::limited);
  EXPECT_EQ(named(conditions, "Slurm").what,
            "no controller answers: sinfo: fatal: Could not establish a configuration source");
}

TEST(Doctor, TriesOutThisMachine) {
  const Machine machine = inspect_machine();
  const Trials trials = try_out(machine);
  const auto conditions = diagnose(machine, trials);
  EXPECT_EQ(named(conditions, "compiler").state, ConditionState::ok);
  if (!find_tool(machine, "bwrap")) {
    EXPECT_EQ(trials.bwrap_error, "cannot find the program \"bwrap\"");
  }
}

}  // namespace
}  // namespace harness
