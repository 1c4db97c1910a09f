"""What the harness costs beside compiling, running and filling matrices: 200 tiny cases, run by hand.

Once a run and a variant it starts workers and checks shapes: what the second hundred costs is without that.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/overhead.py [SANDBOX]
"""

import json
import os
import pathlib
import subprocess
import sys
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
    axes: {m: "1:LAST:+1", n: [16, 32], k: 32}
measure: {min_samples: 6, max_samples: 6, precision: 50%}
"""


def measure(folder: str, last_m: int) -> tuple[int, float]:
    """Cases, and the seconds beside kernels and filling."""
    harness = pathlib.Path(os.environ.get("HARNESS_BUILD", "build")) / "harness"
    config = pathlib.Path(folder) / "overhead.yaml"
    config.write_text(CONFIG.replace("LAST", str(last_m)))
    ran = subprocess.run([harness, "run", config, "--results", f"{folder}/results", "--no-report", "--quiet", "--fresh",
                    *(["--sandbox", sys.argv[1]] if len(sys.argv) > 1 else [])], stdout=subprocess.PIPE, text=True)
    assert ran.returncode == 0, ran.stdout
    run = json.loads(pathlib.Path(folder, "results/overhead/latest/run.json").read_text())
    # Warm-up lasts at least 10 ms a case and a batch 1 ms: calls, and matrices filled for them. Each batch is made longer by chance,
    # by an eighth of its calls on average.
    kernels_s = sum(sum(max(1, ms * c["calls_per_sample"]) * 9 / 8 for ms in c["samples_ms"]) + 10 for c in run["cases"]) / 1e3
    return len(run["cases"]), run["run"]["seconds"] - kernels_s


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measure(folder, 1)  # compiles
        for _ in range(5):
            half, half_s = measure(folder, 10)
            all_of_them, all_s = measure(folder, 20)
            more_ms = (all_s - half_s) / (all_of_them - half) * 1e3
            print(f"{all_of_them} cases: {all_s / all_of_them * 1e3:.2f} ms a case, {more_ms:.2f} ms without what starting costs")


if __name__ == "__main__":
    main()
