"""GPU variants for AMD: everything is built by the real hipcc, and run on the emulated device with 64 lanes. There is no
AMD GPU here: what would need one is not claimed."""

import json
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

LAB = ROOT / "labs/lab"
BUILT = "built for gfx906, gfx90a, gfx1030; no AMD GPU on this machine runs it"
AXES = {"gemm": {"size": [64]}, "conv2d": {"size": [16], "channels": [2], "filters": [2], "filter": [3]}}
LACKS = {"cublas": "cuBLAS is NVIDIA's alone; its counterpart hipBLAS has no variant yet",
         "cudnn": "cuDNN is NVIDIA's alone; its counterpart MIOpen has no variant yet",
         "wmma": "tensor cores (mma.h) are NVIDIA's alone"}

# A block an element of C. It uses what differs most: the width of a warp, shuffles, the runtime.
KERNEL = """
__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float sums[32];
  const int64_t row = blockIdx.x % g.m, col = blockIdx.x / g.m;
  float sum = 0;
  for (int64_t p = threadIdx.x; p < g.k; p += blockDim.x) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  for (int by = warpSize / 2; by > 0; by /= 2) sum += SHUFFLE_DOWN;
  if (threadIdx.x % warpSize == 0) sums[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < blockDim.x / warpSize; ++w) sum += sums[w];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}
"""
CUDA = """// A dot product for each element of C, in CUDA's words.
#include <cuda_runtime.h>

#include "lab/gemm.h"
""" + KERNEL.replace("SHUFFLE_DOWN", "__shfl_down_sync(0xffffffff, sum, by)") + """
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  gemm<<<g.m * g.n, 128, 0, stream>>>(g);
  if (cudaGetLastError() != cudaSuccess) throw std::bad_alloc();
}
"""
HIP = """// A dot product for each element of C, in HIP's words.
#include <hip/hip_runtime.h>

#include "lab/gemm.h"
""" + KERNEL.replace("SHUFFLE_DOWN", "__shfl_down(sum, by)").replace("threadIdx.x", "hipThreadIdx_x") + """
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, hipStream_t stream) {
  hipLaunchKernelGGL(gemm, dim3(g.m * g.n), dim3(128), 0, stream, g);
  if (hipGetLastError() != hipSuccess) throw std::bad_alloc();
}
"""


def need(program):
    if not shutil.which(program):
        reason = f"{program} is not installed"
        print(reason)
        pytest.skip(reason)


def need_emulation(harness):
    if "ok emulation" not in " ".join(harness("doctor").out.split()):
        pytest.skip("this machine lacks what the emulated device is built from")


@pytest.fixture
def run(harness, lab, results, tmp_path):
    """Runs sources of one's own, by file name; gives the run, its cases and their builds."""
    def start(sources, *words):
        folder = tmp_path / "submission"
        folder.mkdir(exist_ok=True)
        for name, text in sources.items():
            (folder / name).write_text(text)
        names = [name.split(".")[0] for name in sources]
        config = lab(tmp_path, sweeps=[{"name": "gpu", "variants": names, "axes": {"size": [64]}}])
        ran = harness("run", config, "--submission", folder, "--results", tmp_path / "results", "--no-report", *words)
        assert ran.code in (0, 1), ran.err
        document = results(tmp_path / "results").run_json("small")
        return ran, {case["variant"]: case for case in document["cases"]}, document["builds"]

    return start


def test_the_two_lists_of_names_are_each_others_inverse():
    def pairs(file):
        return re.findall(r"^#define (cuda\w+|hip\w+) (cuda\w+|hip\w+|lab::hip::\w+)$", (LAB / file).read_text(), re.M)

    to_hip, to_cuda = dict(pairs("hip_names.h")), dict(pairs("cuda_names.h"))
    assert len(to_hip) > 80
    for hip, cuda in to_cuda.items():
        assert to_hip[cuda] == hip or to_hip[cuda].startswith("lab::hip::"), hip
    # Two of CUDA's names may be one of HIP's.
    assert {cuda for cuda in to_hip if cuda not in to_cuda.values()} == {"cudaHostAlloc"}


@pytest.mark.parametrize("kernel", ["gemm", "conv2d"])
def test_every_gpu_variant_is_built(kernel, harness, lab, results, tmp_path):
    need("hipcc")
    sources = {file.stem: file.read_text() for file in (ROOT / "labs" / kernel).glob("gpu_*")}
    config = lab(tmp_path, kernel=kernel, sweeps=[{"name": "gpu", "variants": ["gpu_*"], "axes": AXES[kernel]}])
    run = harness.start("run", config, "--gpu", "hip", "--results", tmp_path / "results", "--no-report")
    ran = harness.finish(run, timeout=600)
    assert ran.code == 0, ran.out + ran.err
    document = results(tmp_path / "results").run_json("small")
    reasons = {case["variant"]: case["reason"] for case in document["cases"]}
    assert reasons.keys() == sources.keys()
    assert {case["status"] for case in document["cases"]} == {"SKIPPED"}
    for name, reason in reasons.items():
        declared = re.search(r"^LAB_NEEDS\((\w+)\);", sources[name], re.M)
        assert reason == (LACKS[declared[1]] if declared else BUILT), name
    built = {build["variant"]: build["state"] for build in document["builds"]}
    assert built.keys() == {name for name, reason in reasons.items() if reason == BUILT}
    assert set(built.values()) <= {"built", "cached"}


def test_unchanged_sources_of_both_kinds_build_for_amd(run):
    need("hipcc")
    ran, cases, builds = run({"gpu_cuda.cu": CUDA, "gpu_hip.hip.cpp": HIP}, "--gpu", "hip")
    assert ran.code == 0, ran.out
    assert {name: (case["status"], case["reason"]) for name, case in cases.items()} == {
        "gpu_cuda": ("SKIPPED", BUILT), "gpu_hip": ("SKIPPED", BUILT)}
    assert "0 passed, 0 failed, 2 skipped" in ran.out
    for build in builds:  # code for each of the three is in there
        objects = list((ROOT / "build/cache/variants").glob(f"{build['key']}/variant.so"))
        found = set(re.findall(rb"amdgcn-amd-amdhsa--(gfx\w+)", objects[0].read_bytes()))
        assert found == {b"gfx906", b"gfx90a", b"gfx1030"}


def test_a_compile_error_for_amd_fails(run):
    need("hipcc")
    ran, cases, _ = run({"gpu_bad.cu": CUDA.replace("__syncthreads", "__synchthreads")}, "--gpu", "hip", "--gpu-arch", "gfx90a")
    line = next(n for n, text in enumerate(CUDA.splitlines(), 1) if "__syncthreads" in text)
    assert ran.code == 1
    assert cases["gpu_bad"]["status"] == "COMPILE_ERROR"
    assert cases["gpu_bad"]["reason"].startswith(f"gpu_bad.cu:{line}:3: error: use of undeclared identifier '__synchthreads'")


def test_an_architecture_that_hipcc_does_not_know(harness, lab, tmp_path):
    need("hipcc")
    ran = harness("run", lab(tmp_path), "--gpu", "hip", "--gpu-arch", "gfx90a,sm_90")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith('harness: --gpu-arch "sm_90": hipcc does not know it; it knows gfx')


def test_hip_sources_build_for_nvidia(run, has_gpu):
    if has_gpu:
        pytest.skip("this machine has nvidia-smi: the case would run")
    if not shutil.which("nvcc", path="/usr/local/cuda/bin:/usr/bin:/usr/local/bin"):
        pytest.skip("nvcc is not installed")
    ran, cases, builds = run({"gpu_hip.hip.cpp": HIP}, "--gpu", "cuda", "--gpu-arch", "sm_90")
    assert ran.code == 0, ran.out
    assert cases["gpu_hip"]["reason"] == "built for sm_90; no NVIDIA GPU on this machine runs it"
    assert builds[0]["state"] in ("built", "cached")


@pytest.mark.parametrize("lanes", [32, 64])
def test_sources_of_both_kinds_run_emulated(run, harness, lanes):
    need_emulation(harness)
    ran, cases, _ = run({"gpu_cuda.cu": CUDA, "gpu_hip.hip.cpp": HIP}, "--gpu", "emulated", "--lanes", lanes)
    assert ran.code == 0, ran.out
    assert {(case["status"], case["device"]) for case in cases.values()} == {("PASSED", "emulated")}


@pytest.mark.parametrize("kernel", ["gemm", "conv2d"])
def test_every_gpu_variant_runs_emulated_with_64_lanes(kernel, harness, lab, results, tmp_path):
    need_emulation(harness)
    names = sorted({file.stem for file in (ROOT / "labs" / kernel).glob("gpu_*")})
    config = lab(tmp_path, kernel=kernel, sweeps=[{"name": "gpu", "variants": names, "axes": AXES[kernel]}])
    ran = harness("run", config, "--gpu", "emulated", "--lanes", 64, "--results", tmp_path / "results", "--no-report")
    assert ran.code == 0, ran.out + ran.err
    document = results(tmp_path / "results").run_json("small")
    assert document["emulated"]["lanes"] == 64
    assert [case["variant"] for case in document["cases"]] == names
    reasons = {case["variant"]: case["reason"] for case in document["cases"] if case["status"] != "PASSED"}
    assert list(reasons) == (["gpu_wmma"] if kernel == "gemm" else [])
    assert all(reason.endswith("these tensor cores need warps of 32 lanes") for reason in reasons.values())
