"""What grading costs beside measuring: a class of generated submissions of a small lab, run by hand.

The submissions are the corpus, renamed and reformatted: correct, wrong and evil ones, and some misnamed, huge, empty and copied ones.

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/grade_class.py [STUDENTS] [KIND] [OPTIONS]

KIND is mixed (default) or correct. OPTIONS are those of harness grade. Submissions are compiled
together before their runs, so compiling is counted beside the runs.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LAB = {"lab": "throughput", "kernel": "gemm", "baseline": "cpu_baseline", "measure": {"precision": "20%", "max_time": "50ms", "min_samples": 6, "max_samples": 6},
       "resources": {"build_time": "30s", "case_time": "2s", "memory": "256MiB"},
       "sweeps": [{"name": "sizes", "variants": ["cpu_baseline", "cpu_mine"], "axes": {"size": [16, 48]}}],
       "grade": {"rules": [{"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 10},
                           {"name": "fast", "rule": "speed", "variant": "cpu_mine", "linear": {"1": 0, "4": 10}}]}}


def sources(kind: str) -> list[Path]:
    """CPU variants of gemm that need nothing beside their own file."""
    return [file for file in sorted((ROOT / "tests/corpus" / kind).glob("*.cpp"))
            if "LAB_GEMM_CPU(float)" in (text := file.read_text()) and "LAB_NEEDS" not in text and '#include "lab/gemm.h"' in text
            and text.count('#include "') == 1]


def reformatted(text: str, number: int) -> str:
    text = text.replace("  ", "\t" if number % 3 == 0 else " " * (1 + number % 4)).replace("\n\n", "\n" * (1 + number % 3 + 1))
    return f"// submission {number}\n{text}"


def submit(folder: Path, number: int, kind: str) -> None:
    one = folder / f"s{number:03}"
    one.mkdir()
    correct, wrong, evil = (sources(name) for name in ("correct", "wrong", "evil"))
    turn = number % 20 if kind == "mixed" else 0
    name, pool = "cpu_mine.cpp", evil if turn in (5, 15) else wrong if turn in (3, 8, 13, 18) else correct
    text = reformatted(pool[number // 2 % len(pool)].read_text(), number)
    if turn == 7:
        name = "Cpu-Mine.cpp"
    if turn == 11:
        text += "//" + "x" * (2 << 20)
    if turn == 17:
        text = correct[0].read_text()  # the same for all of them
    if turn != 19:
        (one / name).write_text(text)


def watch(process: subprocess.Popen, seen: list[int]) -> None:
    while process.poll() is None:
        try:
            seen.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20)
        except (OSError, IndexError):
            return
        time.sleep(0.5)


def own_seconds(run: dict) -> float:
    """The timed calls."""
    return sum(sum(max(1, ms * case["calls_per_sample"]) * 9 / 8 for ms in case["samples_ms"]) + 10 for case in run["cases"]) / 1e3


def main() -> None:
    students, kind = int((sys.argv + ["300"])[1]), (sys.argv + ["", "mixed"])[2] or "mixed"
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "lab.yaml").write_text(json.dumps(LAB))
        (folder / "in").mkdir()
        for number in range(students):
            submit(folder / "in", number, kind)
        start = time.monotonic()
        process = subprocess.Popen([Path(os.environ["HARNESS_BUILD"]) / "harness", "grade", folder / "lab.yaml", folder / "in", "--results", folder / "out", *sys.argv[3:]],
                                   env={**os.environ, "HARNESS_ROOT": str(ROOT)}, stdout=subprocess.PIPE, text=True)
        memory: list[int] = []
        watcher = threading.Thread(target=watch, args=(process, memory))
        watcher.start()
        for line in process.stdout:
            print(line, end="", file=sys.stderr)
        watcher.join()
        assert process.wait() == 0, f"harness grade ended with {process.returncode}"
        wall = time.monotonic() - start
        grades = folder / "out/throughput/grades"
        made = json.loads((grades / "grades.json").read_text())["students"]
        runs = {one["run"]: (one, json.loads((grades / one["run_folder"] / "run.json").read_text())) for one in made if one.get("run")}
        own = {run: own_seconds(document) for run, (_, document) in runs.items()}
        inside = [one["seconds"] - own[run] for run, (one, document) in runs.items()
                  if all(case["status"] in ("PASSED", "UNSTABLE") for case in document["cases"])]
        spent = sum(one["seconds"] for one, _ in runs.values())
        print(f"{students} submissions ({kind}), {len(runs)} runs: {wall:.0f} s, {wall / students:.2f} s each")
        print(f"timed calls: {sum(own.values()) / students:.2f} s each; the rest of the runs: {(spent - sum(own.values())) / students:.2f} s each "
              f"(right ones: median {statistics.median(inside):.2f} s); compiling and all pages: {(wall - spent) / students:.3f} s each")
        early, late = memory[len(memory) // 10], memory[-len(memory) // 10]
        print(f"memory of the harness: {early} MiB after a tenth, {late} MiB after nine tenths, at most {max(memory)} MiB")
        used = subprocess.run(["du", "-sm", folder / "out"], capture_output=True, text=True, check=True).stdout.split()[0]
        print(f"disk: {used} MiB of results")


if __name__ == "__main__":
    main()
