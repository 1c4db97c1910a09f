"""Two runs of the same program, compared: how many cells are SAME, and how many falsely FASTER or SLOWER. Series of 1 and of 6 runs on
each side are made in turns (A, B, A, B, ...). Run by hand, on a quiet machine and on a busy one; docs/comparing.md has results.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/same_twice.py --minutes 10 [--gpu] [--sizes 128:320:+32] [options of harness run]

With --runs FOLDER the runs stay there, and what an earlier call left there is compared too.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path(os.environ.get("HARNESS_BUILD", ROOT / "build")).resolve() / "harness"
VARIANTS = {False: ["cpu_baseline", "cpu_unrolled", "cpu_avx", "cpu_avx_blocked"],
            True: ["gpu_naive", "gpu_shared", "gpu_register", "gpu_tuned"]}
SIZES = {False: "32:128:+4", True: "256:2048:*2"}
LONG_MS = 0.02  # an interval of 3 % is 0.6 us or more


def lab(gpu: bool, sizes: str) -> dict:
    return {"lab": "twice", "kernel": "gemm", "measure": {"min_samples": 20, "max_samples": 20, "max_time": "2s", "precision": "0.1%"},
            "sweeps": [{"name": "all", "variants": VARIANTS[gpu], "axes": {"size": sizes}}]}


def compared(a: list[Path], b: list[Path]) -> list[dict]:
    sides = [",".join(map(str, side)) for side in (a, b)]
    return json.loads(subprocess.run([HARNESS, "compare", *sides, "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout)["cells"]


def told(cells: list[dict]) -> str:
    counts = Counter(cell["change"] for cell in cells)
    return f"{len(cells)} cells: " + ", ".join(f"{count} {change}" for change, count in counts.most_common())


def measure(folder: Path, options: argparse.Namespace, of_run: list[str]) -> None:
    config = folder / "lab.yaml"
    config.write_text(json.dumps(lab(options.gpu, options.sizes or SIZES[options.gpu])))
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        subprocess.run([HARNESS, "run", config, "--fresh", "--no-report", "--results", folder, *of_run], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--sizes")
    parser.add_argument("--runs", type=Path)
    options, of_run = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.runs or Path(temporary)
        folder.mkdir(exist_ok=True)
        measure(folder, options, of_run)
        runs = sorted(run.parent for run in folder.glob("twice/*-*/run.json"))
        print(f"{len(runs)} runs, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for size in (1, 6):
            cells = [cell for first in range(0, len(runs) - 2 * size + 1, 2 * size)
                     for cell in compared(runs[first:first + 2 * size:2], runs[first + 1:first + 2 * size:2])]
            print(f"{size} against {size}: of {told(cells)}; above {1e3 * LONG_MS:g} us of {told([c for c in cells if c['a_ms'] > LONG_MS])}")
        each = [cell for i, a in enumerate(runs) for b in runs[:i] for cell in compared([a], [b])]
        print(f"each with each: of {told(each)}; above {1e3 * LONG_MS:g} us of {told([c for c in each if c['a_ms'] > LONG_MS])}")


if __name__ == "__main__":
    main()
