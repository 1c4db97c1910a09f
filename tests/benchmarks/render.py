"""How long a report takes, all formats together: every run of docs/examples, in turns. Run by hand:

    .venv/bin/python tests/benchmarks/render.py [ROUNDS [FOLDER]]

FOLDER holds another `reports`, such as that of a `git worktree`, which is rendered in the same rounds. Prints the medians and ranges
of wall and processor seconds; on a busy machine only the latter, and ratios, say much.
"""

import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def render(root: pathlib.Path, run: pathlib.Path) -> tuple[float, float]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "reports", "render", run], cwd=root, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def spread(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    roots = [ROOT, *map(pathlib.Path, sys.argv[2:3])]
    runs = sorted(path.parent for path in ROOT.glob("docs/examples/*/run.json"))
    seen = {(run.name, root): [] for run in runs for root in roots}
    with tempfile.TemporaryDirectory() as temporary:
        for _ in range(rounds):
            for run in runs:
                for root in roots:
                    copy = pathlib.Path(temporary, run.name)
                    copy.mkdir(exist_ok=True)
                    shutil.copy(run / "run.json", copy)
                    seen[run.name, root].append(render(root, copy.resolve()))
    for (name, root), times in seen.items():
        walls, cpus = zip(*times)
        print(f"{name}{'' if root == ROOT else f' by {root}'}: {spread(walls)} wall, {spread(cpus)} of processors")


if __name__ == "__main__":
    main()
