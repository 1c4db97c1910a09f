"""Whether honest variants stay honest: all correct files of the corpus, among them all variants of labs/ (GPU variants on the emulated
device), and the CPU variants of the labs, three times as the machine is and three times beside five processes that never wait.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/honest.py [ROUNDS]
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path(os.environ.get("HARNESS_BUILD", ROOT / "build")).resolve() / "harness"
SIZES = {"lab5": 48, "ladder": 48, "dcu_gemm": 48, "cuda_tasks_conv": 32, "ladder_conv2d": 32}
HONEST = {"PASSED", "UNSTABLE", "THROTTLED", "SKIPPED"}


def events(*words: object) -> list[dict]:
    ran = subprocess.run([HARNESS, *map(str, words), "--json"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def verdicts(folder: str) -> list[tuple[str, str, str]]:
    """Name, status and reason of everything that ran."""
    corpus = Path(folder, "corpus")
    corpus.mkdir(exist_ok=True)
    if not (corpus / "correct").exists():
        (corpus / "correct").symlink_to(ROOT / "tests/corpus/correct")
    found = [(e["entry"], e["got"], e["reason"]) for e in events("selftest", "--corpus", corpus) if e["event"] == "entry"]
    for lab, size in SIZES.items():
        ran = events("run", f"configs/{lab}.yaml", "--set", f"size={size}", "--variant", "cpu_*", "--fresh", "--no-report",
                     "--budget", "5s", "--results", folder)
        found += [(f"{lab} {e['id']}", e["status"], e["reason"]) for e in ran if e["event"] == "case"]
    return found


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as folder:
        for beside in [0, 5] * rounds:
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(beside)]
            found = verdicts(folder)
            for process in busy:
                process.kill()
                process.wait()
            counts = ", ".join(f"{n} {status}" for status, n in Counter(status for _, status, _ in found).most_common())
            print(f"{beside} busy processes, load {os.getloadavg()[0]:.1f}: {len(found)} verdicts: {counts}", flush=True)
            for name, status, reason in found:
                if status not in HONEST:
                    print(f"  ACCUSED {name}: {status}: {reason}", flush=True)


if __name__ == "__main__":
    main()
