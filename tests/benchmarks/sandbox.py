"""What a sandbox costs: the CPU part of lab5 with a fixed number of samples, in turns with and without one. Run by hand:

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/sandbox.py [ROUNDS [SANDBOX ...]]

Prints the wall time of each against `none`, and how many kernel times moved by more than their own 95 % intervals, beside the same
count for `none` against itself, which is what the machine's noise alone does. A virtual machine whose host took more than 3 % of the
processors measures its host: such rounds are left out, as many as the others at most, and it is said how many.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

MOST_STOLEN = 0.03
ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANGES = {"128:2048:*2": "128:512:*2", "[1024, 2048]": "[256, 512]",
           "measure: {precision: 0.5%, max_time: 15s}": "measure: {precision: 50%, min_samples: 10, max_samples: 10}"}


def config(folder: pathlib.Path) -> pathlib.Path:
    text = (ROOT / "configs/lab5.yaml").read_text()
    for old, new in CHANGES.items():
        assert old in text, f"configs/lab5.yaml has no {old!r} any more"
        text = text.replace(old, new)
    file = folder / "sandbox.yaml"
    file.write_text(text)
    return file


def run(lab: pathlib.Path, results: pathlib.Path, sandbox: str) -> tuple[float, dict[str, dict]]:
    """Wall seconds, and the kernel time of each case."""
    harness = pathlib.Path(os.environ.get("HARNESS_BUILD", "build")) / "harness"
    subprocess.run([harness, "run", lab, "--results", results, "--variant", "cpu_*", "--sandbox", sandbox, "--no-report", "--quiet",
                    "--fresh"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HARNESS_ROOT": str(ROOT)})
    document = json.loads((results / "lab5/latest/run.json").read_text())
    return document["run"]["seconds"], {case["id"]: case["metrics"]["kernel_ms"] for case in document["cases"]}


def stolen_s() -> float:
    """What the host took from all processors, so far."""
    return int(pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[8]) / os.sysconf("SC_CLK_TCK")


def measured(lab: pathlib.Path, results: pathlib.Path, sandboxes: list[str], rounds: int) -> list[dict[str, tuple]]:
    """Rounds in which the machine was ours, in turns forwards and backwards."""
    seen: list = []
    for i in range(2 * rounds):
        before, start = stolen_s(), time.perf_counter()
        one = {sandbox: run(lab, results, sandbox) for sandbox in sandboxes[::-1 if i % 2 else 1]}
        share = (stolen_s() - before) / (time.perf_counter() - start) / os.cpu_count()
        if share <= MOST_STOLEN:
            seen.append(one)
        else:
            print(f"round {i + 1} left out: the host took {share:.0%} of the processors", flush=True)
        if len(seen) == rounds:
            break
    return seen


def moved(here: dict[str, dict], there: dict[str, dict]) -> int:
    """Cases whose intervals do not touch."""
    return sum("low" in a and "low" in b and (a["high"] < b["low"] or b["high"] < a["low"])
               for a, b in ((here[name], there[name]) for name in here))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    sandboxes = ["none", *(sys.argv[2:] or ["bwrap"])]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        lab = config(folder)
        for sandbox in sandboxes:
            run(lab, folder / "results", sandbox)  # compiles
        seen = measured(lab, folder / "results", sandboxes, rounds)
    if not seen:
        sys.exit("no round was ours alone: measure again when the host is quieter")
    cases = len(seen[0]["none"][1])
    for sandbox in sandboxes:
        seconds = [one[sandbox][0] for one in seen]
        ratios = [one[sandbox][0] / one["none"][0] for one in seen]
        factors = [a["median"] / b["median"] for one in seen
                   for a, b in ((one[sandbox][1][name], one["none"][1][name]) for name in one["none"][1])]
        print(f"{sandbox}: {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), "
              f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}) times none; "
              f"kernel times {statistics.median(factors):.4f} of none's in the median")
        others = [(one[sandbox][1], seen[i - 1]["none"][1]) for i, one in enumerate(seen)]
        print(f"  of {cases} kernel times moved beyond their intervals, against none in the round before: "
              f"{[moved(*pair) for pair in others]}")


if __name__ == "__main__":
    main()
