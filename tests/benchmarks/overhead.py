"""What the harness costs beside compiling, running and filling matrices: 200 tiny cases, run by hand.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/overhead.py
"""

import json
import os
import pathlib
import subprocess
import tempfile

CONFIG = """
lab: overhead
title: Overhead of the harness
kernel: gemm
dtype: f32
baseline: cpu_baseline
sweeps:
  - name: tiny
    variants: [cpu_baseline, cpu_unrolled, cpu_avx, cpu_avx_blocked, cpu_avx_blocked_bt]
    axes: {m: "1:20:+1", n: [16, 32], k: 32}
measure: {min_samples: 6, max_samples: 6, precision: 50%}
"""


def main() -> None:
    harness = pathlib.Path(os.environ.get("HARNESS_BUILD", "build")) / "harness"
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "overhead.yaml"
        config.write_text(CONFIG)
        command = [harness, "run", config, "--results", f"{folder}/results", "--no-report", "--quiet", "--fresh"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # compiles
        for _ in range(3):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            run = json.loads(pathlib.Path(folder, "results/overhead/latest/run.json").read_text())
            cases = run["cases"]
            # Warm-up lasts at least 10 ms a case and a batch 1 ms: calls, and matrices filled for them.
            kernels_s = sum(sum(max(1, ms * c["calls_per_sample"]) for ms in c["samples_ms"]) + 10 for c in cases) / 1e3
            seconds = run["run"]["seconds"]
            print(f"{len(cases)} cases in {seconds:.2f} s, {kernels_s:.2f} s of it in kernels and filling: "
                  f"{(seconds - kernels_s) / len(cases) * 1e3:.2f} ms a case")


if __name__ == "__main__":
    main()
