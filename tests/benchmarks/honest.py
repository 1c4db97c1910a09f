"""Whether honest variants stay honest: all correct files of the corpus, among them all variants of labs/ (GPU variants on the emulated
device), and the CPU variants of the labs, three times as the machine is and three times beside five processes that never wait.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/honest.py [ROUNDS]

With --gpu: all GPU variants of the labs on a GPU, in matrices, thin matrices and images of several sizes, beside as many processes as there are
cores.

    HARNESS_BUILD=build python3 tests/benchmarks/honest.py 1 --gpu
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
GPU_LABS = {
    "gemm": """
  - {name: squares, variants: ["gpu_*"], axes: {size: [32, 512, 2048]}}
  - {name: thin, variants: [gpu_naive, gpu_shared, gpu_register, gpu_tuned, gpu_cublas], axes: {k: [4, 64]}, set: {m: 4096, n: 4096}}
  - {name: f64, dtype: f64, variants: [gpu_naive, gpu_shared, gpu_tuned, gpu_cublas], axes: {size: [128, 1024]}}""",
    "conv2d": """
  - {name: images, variants: ["gpu_*"], axes: {size: [64, 512, 2048, 4096]}, set: {channels: 3, filters: 1, filter: 3, padding: 1}}
  - {name: channels, variants: ["gpu_*"], axes: {size: [32, 128]}, set: {channels: 64, filters: 64, filter: 3, padding: 1}}""",
}
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


def verdicts_on_gpu(folder: str) -> list[tuple[str, str, str]]:
    found = []
    for kernel, sweeps in GPU_LABS.items():
        config = Path(folder, f"{kernel}.yaml")
        config.write_text(f"lab: honest_{kernel}\nkernel: {kernel}\nbaseline: gpu_naive\nsweeps:{sweeps}\n"
                          "measure: {precision: 2%, max_time: 300ms, min_samples: 10, max_samples: 40}\n")
        ran = events("run", config, "--gpu", "cuda", "--fresh", "--no-report", "--sandbox", "none", "--results", folder)
        found += [(e["id"], e["status"], e["reason"]) for e in ran if e["event"] == "case"]
    return found


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--gpu"]
    gpu, rounds = "--gpu" in sys.argv, int(words[0]) if words else 3
    with tempfile.TemporaryDirectory() as folder:
        for beside in [0, len(os.sched_getaffinity(0)) if gpu else 5] * rounds:
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(beside)]
            found = (verdicts_on_gpu if gpu else verdicts)(folder)
            for process in busy:
                process.kill()
                process.wait()
            if not found:
                sys.exit("nothing ran here" + (": --gpu needs a GPU and nvcc" if gpu else ""))
            counts = ", ".join(f"{n} {status}" for status, n in Counter(status for _, status, _ in found).most_common())
            print(f"{beside} busy processes, load {os.getloadavg()[0]:.1f}: {len(found)} verdicts: {counts}", flush=True)
            for name, status, reason in found:
                if status not in HONEST:
                    print(f"  ACCUSED {name}: {status}: {reason}", flush=True)


if __name__ == "__main__":
    main()
