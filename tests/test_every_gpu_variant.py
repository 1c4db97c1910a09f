"""Every GPU variant of every kernel on the emulated device, with its default parameters: no change can break one unseen."""

import pytest
from conftest import ROOT

KERNELS = sorted({f.parent.name for f in (ROOT / "labs").glob("*/gpu_*.cu")})


def test_there_are_kernels():
    assert {"gemm", "conv2d"} <= set(KERNELS)


# In the usual order test_corpus.py runs them in f32. test_hip.py has warps of 64 lanes.
WAYS = {"f64": ("f64", []), "random": ("f32", ["--schedule", "random:3"])}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_all_pass(lab, kernel, way):
    dtype, options = WAYS[way]
    cases = lab(kernel=kernel, dtype=dtype).sweep("gpu_*", size=[64]).run("--gpu", "emulated", *options).cases.values()
    assert {c["variant"] for c in cases} == {f.stem for f in (ROOT / "labs" / kernel).glob("gpu_*.cu")}
    for case in cases:
        if case["status"] == "SKIPPED":  # not in this type
            assert case["reason"]
            continue
        assert case["status"] == "PASSED", (case["variant"], case["reason"])
        assert [f for f in case.get("diagnostics", []) if f["severity"] == "mistake"] == [], case["variant"]
    assert any(case["status"] == "PASSED" for case in cases)
