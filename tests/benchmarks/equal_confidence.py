"""How long Google Benchmark and a whole run of the harness take for the same confidence, on one kernel, in turns: the half width of the
95 % interval of the median that ten repetitions of Google Benchmark give is the precision that the run asks for.

    ninja -C build timed_calls_bench && HARNESS_BUILD=build .venv/bin/python tests/benchmarks/equal_confidence.py [ROUNDS]
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ.get("HARNESS_BUILD", "build")).resolve()
REPETITIONS = 10  # the second smallest and the second largest of ten bound the median with 97.9 %
CONFIG = """
lab: equal_confidence
kernel: gemm
baseline: cpu_avx
sweeps: [{{name: one, variants: [cpu_avx], axes: {{size: {size}}}}}]
measure: {{precision: {percent:.3f}%, max_time: 60s}}
flags: {{cxx: [-O3]}}
"""


def google_benchmark(size: int) -> tuple[float, float, float]:
    """Median in us, half width of its interval as a share of it, wall time in s."""
    began = time.monotonic()
    ran = subprocess.run([BUILD / "timed_calls_bench", f"--benchmark_filter=^in_a_loop/{size}$", f"--benchmark_repetitions={REPETITIONS}",
                          "--benchmark_format=json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    took = time.monotonic() - began
    times = sorted(one["real_time"] for one in json.loads(ran.stdout)["benchmarks"] if one["run_type"] == "iteration")
    assert len(times) == REPETITIONS
    median = statistics.median(times)
    return median, (times[-2] - times[1]) / 2 / median, took


def harness(folder: Path, size: int, share: float) -> tuple[float, float, float, str]:
    """The same of a run, with the reason why it stopped sampling."""
    config = folder / "one.yaml"
    config.write_text(CONFIG.format(size=size, percent=max(0.05, 100 * share)))
    began = time.monotonic()
    subprocess.run([BUILD / "harness", "run", config, "--results", folder, "--fresh", "--no-report", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = time.monotonic() - began
    case, = json.loads((folder / "equal_confidence/latest/run.json").read_text())["cases"]
    time_of = case["metrics"]["kernel_ms"]
    return time_of["median"] * 1e3, (time_of["high"] - time_of["low"]) / 2 / time_of["median"], took, case["stop_reason"]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as folder:
        harness(Path(folder), 64, 0.05)  # compiles, and measures the machine's limits
        for size in (128, 256, 512):
            for _ in range(rounds):
                median, share, took = google_benchmark(size)
                run_median, run_share, run_took, why = harness(Path(folder), size, share)
                print(f"{size}: Google Benchmark {median:.1f} us ±{share:.2%} in {took:.1f} s; "
                      f"a run {run_median:.1f} us ±{run_share:.2%} in {run_took:.1f} s ({why})", flush=True)


if __name__ == "__main__":
    main()
