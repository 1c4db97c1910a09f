"""How long the emulated device takes, plain and with diagnostics, on one core: gpu_shared and gpu_naive, 256 x 256 x 256.
Interleaved in one run. HARNESS_BUILD=build python tests/benchmarks/emulated.py"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HARNESS = Path(os.environ["HARNESS_BUILD"]) / "harness"
ROUNDS = 9


def built(folder, diagnostics):
    """The shared objects, as a run of the program leaves them."""
    config = folder / "lab.yaml"
    config.write_text(json.dumps({"lab": "speed", "kernel": "gemm", "sweeps": [
        {"name": "all", "variants": ["gpu_naive", "gpu_shared"], "axes": {"size": [64], "BLOCK": [16]}}]}))
    subprocess.run([HARNESS, "run", config, "--gpu", "emulated", "--diagnostics", diagnostics, "--no-report", "--quiet",
                    "--results", folder / diagnostics], check=True, env={**os.environ, "HARNESS_ROOT": str(ROOT)}, stdout=sys.stderr)
    run = json.loads((folder / diagnostics / "speed/latest/run.json").read_text())
    return {b["variant"]: ROOT / "build/cache/variants" / b["key"] / "variant.so" for b in run["builds"]}


def call_ms(drive, so, diagnostics):
    out = subprocess.run([drive, so, "256", "256", "256"], capture_output=True, text=True, check=True,
                         env={**os.environ, "LAB_EMULATED_OPTIONS": f"diagnostics={diagnostics},processors=1"}).stdout
    assert "wrong 0" in out, out
    return float(re.search(r"call_ms (.*)", out)[1])


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    drive = folder / "drive"
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{ROOT / 'labs'}", ROOT / "emulator/agreement/drive.cpp", "-o", drive, "-ldl"], check=True)
    ways = {(variant, diagnostics): so for diagnostics in ("off", "on") for variant, so in built(folder, diagnostics).items()}
    times = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for (variant, diagnostics), so in ways.items():
            times[variant, diagnostics].append(call_ms(drive, so, diagnostics))
    for variant in sorted({v for v, _ in ways}):
        plain, watched = times[variant, "off"], times[variant, "on"]
        ratios = sorted(w / p for w, p in zip(watched, plain))
        print(f"{variant}: plain {statistics.median(plain):.0f} ms ({min(plain):.0f} to {max(plain):.0f}), with diagnostics "
              f"{statistics.median(watched):.0f} ms ({min(watched):.0f} to {max(watched):.0f}), ratio "
              f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})")
