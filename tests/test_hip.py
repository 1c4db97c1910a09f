"""GPU variants for AMD: the real hipcc builds them, and the emulated device runs them with 64 lanes. No AMD GPU is needed."""

import re
import shutil

import pytest
from conftest import ROOT, need, skip

LAB = ROOT / "labs/lab"
BUILT = "built for {}; no AMD GPU on this machine runs it"
AXES = {"gemm": {"size": [64]}, "conv2d": {"size": [16], "channels": [2], "filters": [2], "filter": [3]}}
LACKS = {"cublas": "cuBLAS is NVIDIA's alone; its counterpart hipBLAS has no variant yet",
         "cudnn": "cuDNN is NVIDIA's alone; its counterpart MIOpen has no variant yet",
         "wmma": "tensor cores (mma.h) are NVIDIA's alone",
         "wgmma": "Hopper's tensor cores (wgmma) are NVIDIA's alone"}

NO_PTX = "the emulated device has no inline PTX, which wgmma and tile copies need"

# An eighth of a warp per element of C. It uses what differs most between CUDA and HIP: the width of a warp, shuffles, the
# runtime.
KERNEL = """
#ifndef THREADS
#define THREADS 64
#endif
#define BLOCKS ((g.m * g.n + THREADS / 8 - 1) / (THREADS / 8))  // enough for both widths of a warp
__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float sums[THREADS];
  const int width = warpSize / 8, elements = THREADS / width, lane = threadIdx.x % width;
  const int64_t first = blockIdx.x * int64_t{elements}, mine = first + threadIdx.x / width;
  float sum = 0;
  if (mine < g.m * g.n)
    for (int64_t p = lane; p < g.k; p += width) sum += g.a[mine / g.n * g.lda + p] * g.b[p * g.ldb + mine % g.n];
  for (int by = width / 2; by > 0; by /= 2) sum += SHUFFLE_DOWN;
  if (lane == 0) sums[threadIdx.x / width] = sum;
  __syncthreads();
  const int64_t out = first + threadIdx.x;
  if (threadIdx.x >= elements || out >= g.m * g.n) return;
  lab::update(g.c[out / g.n * g.ldc + out % g.n], sums[threadIdx.x], g.alpha, g.beta);
}
"""
CUDA = """// Dot products, each by an eighth of a warp, in CUDA's words.
#include <cuda_runtime.h>

#include "lab/gemm.h"
""" + KERNEL.replace("SHUFFLE_DOWN", "__shfl_down_sync(0xffffffff, sum, by)") + """
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  gemm<<<BLOCKS, THREADS, 0, stream>>>(g);
  if (cudaGetLastError() != cudaSuccess) throw std::bad_alloc();
}
"""
HIP = """// Dot products, each by an eighth of a warp, in HIP's words.
#include <hip/hip_runtime.h>

#include "lab/gemm.h"
""" + KERNEL.replace("SHUFFLE_DOWN", "__shfl_down(sum, by)").replace("threadIdx.x", "hipThreadIdx_x").replace("blockIdx.x", "hipBlockIdx_x") + """
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, hipStream_t stream) {
  hipLaunchKernelGGL(gemm, dim3(BLOCKS), dim3(THREADS), 0, stream, g);
  if (hipGetLastError() != hipSuccess) throw std::bad_alloc();
}
"""


@pytest.fixture
def both(lab):
    """A lab with one variant in CUDA's words and one in HIP's."""
    return lab().variant("gpu_cuda.cu", CUDA).variant("gpu_hip.hip.cpp", HIP).sweep(size=[64], THREADS=[64])


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
def test_every_gpu_variant_is_built(kernel, lab):
    need("hipcc")
    sources = {file.stem: file.read_text() for file in (ROOT / "labs" / kernel).glob("gpu_*")}
    # For one architecture: the next test builds for all of them.
    ran = lab(kernel=kernel).sweep("gpu_*", **AXES[kernel]).run("--gpu", "hip", "--gpu-arch", "gfx90a", timeout=600).expect()
    assert {case["status"] for case in ran.cases.values()} == {"SKIPPED"}
    reasons = {case["variant"]: case["reason"] for case in ran.cases.values()}
    assert reasons.keys() == sources.keys()
    for name, reason in reasons.items():
        if f"LAB_{kernel.upper()}_GPU(float)" not in sources[name]:
            assert reason == "has no f32 version", name
            continue
        declared = re.search(r"^LAB_NEEDS\((\w+)\);", sources[name], re.M)
        assert reason == (LACKS[declared[1]] if declared else BUILT.format("gfx90a")), name
    built = {build["variant"]: build["state"] for build in ran.document["builds"]}
    assert built.keys() == {name for name, reason in reasons.items() if reason == BUILT.format("gfx90a")}
    assert set(built.values()) <= {"built", "cached"}


def test_unchanged_sources_of_both_kinds_build_for_amd(both):
    need("hipcc")
    ran = both.run("--gpu", "hip").expect(gpu_cuda="SKIPPED", gpu_hip="SKIPPED")
    assert {case["reason"] for case in ran.cases.values()} == {BUILT.format("gfx906, gfx90a, gfx1030")} and len(ran.cases) == 2
    assert "0 passed, 0 failed, 2 skipped" in ran.out
    for build in ran.document["builds"]:  # code for each of the three is in there
        objects = list((ROOT / "build/cache/variants").glob(f"{build['key']}/variant.so"))
        found = set(re.findall(rb"amdgcn-amd-amdhsa--(gfx\w+)", objects[0].read_bytes()))
        assert found == {b"gfx906", b"gfx90a", b"gfx1030"}


def test_a_compile_error_for_amd_fails(lab):
    need("hipcc")
    work = lab().variant("gpu_bad.cu", CUDA.replace("__syncthreads", "__synchthreads")).sweep(size=[64])
    ran = work.run("--gpu", "hip", "--gpu-arch", "gfx90a").expect(1, gpu_bad="COMPILE_ERROR")
    line = next(n for n, text in enumerate(CUDA.splitlines(), 1) if "__syncthreads" in text)
    assert ran.case("gpu_bad")["reason"].startswith(
        f"gpu_bad.cu:{line}:3: error: use of undeclared identifier '__synchthreads'")


def test_an_architecture_that_hipcc_does_not_know(lab):
    need("hipcc")
    ran = lab().run("--gpu", "hip", "--gpu-arch", "gfx90a,sm_90").expect(2)
    assert ran.out == ""
    assert ran.err.startswith('harness: --gpu-arch "sm_90": hipcc does not know it; it knows gfx')


def test_hip_sources_build_for_nvidia(lab, has_gpu):
    if has_gpu:
        skip("this machine has nvidia-smi: the case would run")
    if not shutil.which("nvcc", path="/usr/local/cuda/bin:/usr/bin:/usr/local/bin"):
        skip("nvcc is not installed")
    source = HIP.replace("hipBlockIdx_x *", "hipBlockIdx.x *")
    ran = lab().variant("gpu_hip.hip.cpp", source).sweep(size=[64]).run("--gpu", "cuda", "--gpu-arch", "sm_90").expect()
    assert ran.case("gpu_hip")["reason"] == "built for sm_90; no NVIDIA GPU on this machine runs it"
    assert ran.document["builds"][0]["state"] in ("built", "cached")


@pytest.mark.parametrize("lanes", [32, 64])
def test_sources_of_both_kinds_run_emulated(both, emulation, lanes):
    two_warps = f"THREADS={2 * lanes}"
    ran = both.run("--gpu", "emulated", "--lanes", lanes, "--set", two_warps).expect(gpu_cuda="PASSED", gpu_hip="PASSED")
    assert {case["device"] for case in ran.cases.values()} == {"emulated"}


@pytest.mark.parametrize("kernel", ["gemm", "conv2d"])
def test_every_gpu_variant_runs_emulated_with_64_lanes(kernel, lab, emulation):
    names = sorted({file.stem for file in (ROOT / "labs" / kernel).glob("gpu_*")})
    ran = lab(kernel=kernel).sweep(*names, **AXES[kernel]).run("--gpu", "emulated", "--lanes", 64).expect()
    assert ran.document["emulated"]["lanes"] == 64
    assert [case["variant"] for case in ran.cases.values()] == names
    assert [d for case in ran.cases.values() for d in case.get("diagnostics", []) if d["severity"] == "mistake"] == []
    reasons = {case["variant"]: case["reason"] for case in ran.cases.values() if case["status"] != "PASSED"}
    assert list(reasons) == (["gpu_tensor", "gpu_tensor_bf16", "gpu_wmma"] if kernel == "gemm" else [])
    assert reasons.pop("gpu_tensor", NO_PTX) == NO_PTX
    assert reasons.pop("gpu_tensor_bf16", "has no f32 version") == "has no f32 version"
    assert all(reason.endswith("these tensor cores need warps of 32 lanes") for reason in reasons.values())
