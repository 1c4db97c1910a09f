"""Two runs of the same 100 cases, compared: how many cells are SAME, and how many falsely FASTER or SLOWER. Run by hand on a quiet
machine, or on a busy one to see that nothing false is said:

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/same_twice.py
"""

import json
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path(os.environ.get("HARNESS_BUILD", ROOT / "build")) / "harness"
LAB = {"lab": "twice", "kernel": "gemm", "measure": {"min_samples": 40, "max_samples": 40, "max_time": "2s", "precision": "0.1%"},
       "sweeps": [{"name": "all", "variants": ["cpu_baseline", "cpu_unrolled", "cpu_avx", "cpu_avx_blocked"],
                   "axes": {"size": list(range(16, 116, 4))}}]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "lab.yaml"
        config.write_text(json.dumps(LAB))
        runs = []
        for name in "ab":
            subprocess.run([HARNESS, "run", config, "--fresh", "--no-report", "--results", Path(folder) / name], check=True)
            runs.append(Path(folder) / name / "twice/latest")
        told = json.loads(subprocess.run([HARNESS, "compare", *runs, "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
        counts = Counter(cell["change"] for cell in told["cells"])
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; of {len(told['cells'])} cells: "
              + ", ".join(f"{count} {change}" for change, count in counts.most_common()))


if __name__ == "__main__":
    main()
