"""The program, copied with labs/ and configs/ alone, works where the checkout is not."""

import json
import os
import shutil
import subprocess

import pytest
from conftest import ROOT


@pytest.fixture
def copy(tmp_path):
    """An empty folder with nothing but the copy."""
    for name in ("labs", "configs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "build").mkdir()
    shutil.copy(os.environ["HARNESS_BUILD"] + "/harness", tmp_path / "build")
    return tmp_path


def test_an_emulated_case_runs_in_a_copy(copy):
    hidden = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", ROOT, "--chdir", copy]
    if subprocess.run([*hidden, "test", "!", "-e", ROOT / "labs"]).returncode != 0:
        pytest.skip("bwrap cannot hide the checkout here")
    ran = subprocess.run([*hidden, "build/harness", "run", "configs/lab5.yaml", "--variant", "gpu_shared", "--gpu", "emulated",
                          "--set", "size=64", "--set", "BLOCK=8", "--no-report"], capture_output=True, text=True,
                         env={key: value for key, value in os.environ.items() if key != "HARNESS_ROOT"})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    text = (copy / "results/lab5/latest/run.json").read_text()
    assert {case["status"] for case in json.loads(text)["cases"]} == {"PASSED"}
    assert str(ROOT) not in text
    # All that it carries is there: the worker, the rewriter and the device, and the probe for a real GPU.
    unpacked = {str(file.relative_to(copy / "build/cache")).partition("/")[2] for file in (copy / "build/cache").glob("*-*/**/*")}
    assert {"harness-worker", "harness-launcher", "emulator/harness-rewriter", "emulator/device/runtime.h", "harness/machine/limits_gpu.cu"} <= unpacked
