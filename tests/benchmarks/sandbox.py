"""What a sandbox costs: the CPU part of lab5 with a fixed number of samples, variant by variant, in turns with and without one. Run by hand:

    HARNESS_BUILD=build .venv/bin/python tests/benchmarks/sandbox.py [ROUNDS [SANDBOX ...]]

Prints the wall time of all variants together, each at its median, against `none`, with the 95 % interval of that ratio (bootstrap over
the turns), and how many kernel times moved by more than their own 95 % intervals, beside the same count for `none` against itself, which
is what the machine's noise alone does. A virtual machine whose host took more than 3 % of the processors measures its host: such turns
are left out, and it is said how many. Each run starts workers of its own, so that the cost is rather too high than too low.
"""

import json
import os
import pathlib
import random
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


Turn = dict[str, tuple[float, dict[str, dict]]]  # by sandbox: wall seconds, and the kernel time of each case


def run(lab: pathlib.Path, results: pathlib.Path, sandbox: str, variant: str) -> tuple[float, dict[str, dict]]:
    harness = pathlib.Path(os.environ.get("HARNESS_BUILD", "build")) / "harness"
    subprocess.run([harness, "run", lab, "--results", results, "--variant", variant, "--sandbox", sandbox, "--no-report", "--quiet",
                    "--fresh"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HARNESS_ROOT": str(ROOT)})
    document = json.loads((results / "lab5/latest/run.json").read_text())
    return document["run"]["seconds"], {case["id"]: case["metrics"]["kernel_ms"] for case in document["cases"]}


def stolen_s() -> float:
    """What the host took from all processors, so far."""
    return int(pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[8]) / os.sysconf("SC_CLK_TCK")


def turn(lab: pathlib.Path, results: pathlib.Path, sandboxes: list[str], variant: str) -> tuple[Turn, float]:
    """And the share of the processors that the host took."""
    before, start = stolen_s(), time.perf_counter()
    seen = {sandbox: run(lab, results, sandbox, variant) for sandbox in sandboxes}
    return seen, (stolen_s() - before) / (time.perf_counter() - start) / os.cpu_count()


def together(turns: dict[str, list[Turn]], sandbox: str) -> float:
    return sum(statistics.median(one[sandbox][0] for one in of) for of in turns.values())


def interval(turns: dict[str, list[Turn]], sandbox: str) -> tuple[float, float]:
    chance, found = random.Random(1), []
    for _ in range(1000):
        drawn = {variant: chance.choices(of, k=len(of)) for variant, of in turns.items()}
        found.append(together(drawn, sandbox) / together(drawn, "none"))
    return statistics.quantiles(found, n=40)[0], statistics.quantiles(found, n=40)[-1]


def moved(here: dict[str, dict], there: dict[str, dict]) -> int:
    """Cases whose intervals do not touch."""
    return sum("low" in a and "low" in b and (a["high"] < b["low"] or b["high"] < a["low"])
               for a, b in ((here[name], there[name]) for name in here))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sandboxes = ["none", *(sys.argv[2:] or ["bwrap"])]
    turns: dict[str, list[Turn]] = {}
    left_out = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        lab = config(folder)
        for sandbox in sandboxes:
            every = run(lab, folder / "results", sandbox, "cpu_*")[1]  # compiles
        variants = sorted({name.split("/")[2].split(" ")[0] for name in every})
        for i in range(2 * rounds):
            for variant in variants:
                if len(turns.get(variant, ())) == rounds:
                    continue
                seen, stolen = turn(lab, folder / "results", sandboxes[::-1 if i % 2 else 1], variant)
                if stolen <= MOST_STOLEN:
                    turns.setdefault(variant, []).append(seen)
                left_out += stolen > MOST_STOLEN
    if set(turns) != set(variants):
        sys.exit("no turn of some variant was ours alone: measure again when the host is quieter")
    print(f"turns: {', '.join(f'{variant} {len(of)}' for variant, of in turns.items())}; {left_out} left out, in which the host took "
          f"more than {MOST_STOLEN:.0%} of the processors")
    for sandbox in sandboxes:
        factors = [one[sandbox][1][name]["median"] / one["none"][1][name]["median"]
                   for of in turns.values() for one in of for name in one["none"][1]]
        low, high = interval(turns, sandbox)
        print(f"{sandbox}: {together(turns, sandbox):.2f} s, {together(turns, sandbox) / together(turns, 'none'):.3f} ({low:.3f} to "
              f"{high:.3f}) times none; kernel times {statistics.median(factors):.4f} of none's in the median")
        pairs = [(one[sandbox][1], of[i - 1]["none"][1]) for of in turns.values() for i, one in enumerate(of)]
        print(f"  {sum(moved(*pair) for pair in pairs)} of {len(factors)} kernel times moved beyond their intervals, against none in "
              "the turn before")


if __name__ == "__main__":
    main()
