"""The emulated device against a real one: it counts what ncu counts, and it finds what compute-sanitizer finds, at the same
line (emulator/agreement/h200.json, recorded by emulator/agreement/on_device.sh)."""

import json
import os
import re
import subprocess

import pytest
from conftest import ROOT, head_of

PLANTED = sorted((ROOT / "emulator/planted").glob("*.cu"))
RECORDED = json.loads((ROOT / "emulator/agreement/h200.json").read_text())
CACHE = ROOT / "build/cache/variants"
# The kernels of libraries are closed, and the layout of tensor cores is not documented: there is nothing to compare. What
# gpu_tuned launches depends on the number of multiprocessors.
NOT_COMPARED = {"gpu_cublas", "gpu_cublas_tf32", "gpu_wmma", "gpu_tensor", "gpu_tuned", "conv2d-gpu_cudnn",
                "conv2d-gpu_cudnn_transform", "conv2d-gpu_im2col_cublas", "conv2d-gpu_tuned"}

# Lanes at the border of an image skip some turns of a loop. The emulated device then counts the n-th turn of each lane
# together, while on a real device these lanes wait for the others: 8 % more sectors.
APART = {"conv2d-gpu_naive": 0.10}


@pytest.fixture(scope="module")
def document(lab):
    """All planted bugs in one run."""
    work = lab(resources={"case_time": "4s"})
    for file in PLANTED:
        work.variant(file.name, file)
    return work.sweep(size=[64]).run("--gpu", "emulated").expect(1).document


@pytest.fixture(scope="module")
def planted(document):
    return {case["variant"]: case for case in document["cases"]}


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    program = tmp_path_factory.mktemp("drive") / "drive"
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{ROOT / 'labs'}", ROOT / "emulator/agreement/drive.cpp", "-o", program, "-ldl"],
                   check=True)
    return program


@pytest.fixture(scope="module")
def objects(document, lab):
    """Shared objects of what was counted on the device, as the harness builds them."""
    names = [name for name in RECORDED["counters"] if not name.startswith("planted-") and name not in NOT_COMPARED]
    rows = [name.partition("-") for name in names if not name.startswith("conv2d-")]
    with_block = sorted({name for name, _, block in rows if block})
    without = sorted({name for name, _, block in rows if not block})
    gemm = lab().sweep(*with_block, name="blocks", size=[64], BLOCK=sorted({int(block) for _, _, block in rows if block}))
    if without:
        gemm.sweep(*without, name="others", size=[64])
    made = {f"planted-{build['variant']}": build for build in document["builds"]}
    for build in gemm.run("--gpu", "emulated").expect().document["builds"]:
        block = build["macros"].get("BLOCK")
        made[f"{build['variant']}-{block}" if block else build["variant"]] = build
    convolutions = [name.removeprefix("conv2d-") for name in names if name.startswith("conv2d-")]
    for build in lab(kernel="conv2d").sweep(*convolutions, size=[64]).run("--gpu", "emulated").expect().document["builds"]:
        made[f"conv2d-{build['variant']}"] = build
    return {name: CACHE / build["key"] / "variant.so" for name, build in made.items()}


@pytest.mark.parametrize("name", [name for name in RECORDED["counters"] if name not in NOT_COMPARED])
def test_counts_as_the_device_does(drive, objects, name):
    last = "3" if name.startswith("conv2d-") else "128"  # channels, k
    out = subprocess.run([drive, objects[name], "128", "128", last], capture_output=True, text=True, check=True,
                         env={**os.environ, "LAB_EMULATED_OPTIONS": "diagnostics=on"}).stdout
    seen = dict.fromkeys(("sectors_ld", "sectors_st", "conflicts_ld", "conflicts_st"), 0)
    for kind, access, have, ideal in re.findall(r"^diagnostic (6[45]) .* access (\d) .* have (\d+) ideal (\d+)$", out, re.M):
        what = ("sectors_" if kind == "64" else "conflicts_") + ("ld" if access == "1" else "st")
        seen[what] += int(have) if kind == "64" else int(have) - int(ideal)
    counted = RECORDED["counters"][name]
    for what, value in seen.items():
        # Conflicts are few beside the turns that shared memory takes anyway: 5 % of those.
        scale = counted[what] if what.startswith("sectors") else max(counted[what], counted["wavefronts_" + what[-2:]])
        assert abs(value - counted[what]) <= APART.get(name, 0.05) * scale, (what, value, counted)


# The emulated device must find what a tool of the CUDA toolkit finds, at the same line. No tool there finds the rest: races in
# global memory, threads that leave before a barrier, writes to inputs.
TOOL = {"out_of_bounds": "memcheck", "shared_bounds": "memcheck", "misaligned": "memcheck", "host_pointer": "memcheck",
        "illegal_address": "memcheck", "stack_overflow": "memcheck", "local_bounds": "memcheck", "grid_launch": "memcheck", "refused": "memcheck", "race_shared": "racecheck",
        "copy_pending": "racecheck", "uninitialised_global": "initcheck", "barrier_places": "synccheck"}


# nvcc refuses to compile frame_too_large.
WITH_TOOL = [f for f in PLANTED if head_of(f).get("Finds") in TOOL and f.stem != "frame_too_large"]


@pytest.mark.parametrize("file", WITH_TOOL, ids=lambda f: f.stem)
def test_agrees_with_the_tool_for_it(planted, file):
    said = RECORDED["sanitizer"][f"planted-{file.stem}"][TOOL[head_of(file)["Finds"]]]
    assert said["says"] != "nothing"
    found = {line for f in planted[file.stem].get("diagnostics", []) for line in (f["line"], f["other_line"])}
    # Far outside, the tool knows the launch but not the line.
    assert not said["lines"] or found & set(said["lines"]), (found, said)


def test_neither_accuses_a_correct_variant(objects, planted):
    for name, tools in RECORDED["sanitizer"].items():
        if not name.startswith("planted-"):
            says = {tool: said["says"] for tool, said in tools.items()}
            if "cudnn" in name:  # its search starts kernels of NVIDIA's that read what nobody wrote; no line is ours
                assert tools["initcheck"]["lines"] == []
                says["initcheck"] = "nothing"
            assert says == dict.fromkeys(tools, "nothing"), name
