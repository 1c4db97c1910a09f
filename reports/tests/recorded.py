"""A run.json as the harness writes it for lab5 on a machine without a GPU, but small enough for assertions.

Its times are invented but plausible. Its intervals are real order statistics of the samples.
"""

import csv
import hashlib
import math
import random
import re
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "configs" / "published"
STATUSES = re.findall(r'X\((\w+), (true|false), "([^"]+)"\)', (ROOT / "harness/base/status.h").read_text(encoding="utf-8"))
NO_GPU = "no GPU was found on this machine"
WRONG = ("on m=17 n=31 k=13: 17 of 527 cells differ, first C[0][30]: got 2.5, want 4; every wrong cell lies in the last column: "
         "is the tail of n handled?")
CXX = "g++ -std=c++20 -O3 -march=native -ffp-contract=fast -fPIC -shared"

# variant: (GFLOP/s, head comment)
RATES = {
    "cpu_baseline": (1.9, "Three loops, i-j-k, one multiply-add at a time."),
    "cpu_unrolled": (1.905, "The inner loop unrolled four times: fewer branches, the same walk through B."),
    "cpu_avx": (21.0, "Eight columns of C at a time: broadcast A, load B, fused multiply-add."),
    "cpu_avx_blocked": (34.0, "The same in BLOCK x BLOCK tiles, so that B stays in cache."),
    "cpu_avx_blocked_bt": (9.0, "B transposed first, and then gathered."),
    "cpu_openblas": (118.0, "The vendor rung: cblas_sgemm on one thread."),
}
GPU = {"gpu_naive": "One thread an element of C.", "gpu_shared": "BLOCK x BLOCK tiles of A and B in shared memory."}
SIZES = (128, 256, 512, 1024, 2048)
BLOCKS = (8, 16, 32, 64, 128, 256, 512, 1024)
PEAK = 1.6e11


def interval(samples: list[float]) -> tuple[float, float] | None:
    """The 95 % interval of the median, from order statistics."""
    ordered, n = sorted(samples), len(samples)
    tail, k = 0.5**n, 0
    while tail <= 0.025:
        k += 1
        tail += math.comb(n, k) * 0.5**n
    return (ordered[k - 1], ordered[n - k]) if k else None


def metric(samples: list[float], **more) -> dict:
    made = {"median": median(samples), "n": len(samples), "min": min(samples), "max": max(samples), **more}
    if len(samples) > 1:
        made["q1"], _, made["q3"] = quantiles(samples, n=4, method="inclusive")
    if ends := interval(samples):
        made["low"], made["high"] = ends
    return made


def inverse(made: dict, factor: float, **more) -> dict:
    """The rate that belongs to a time."""
    result = {"median": factor / made["median"], "n": made["n"], **more}
    if "low" in made:
        result |= {"low": factor / made["high"], "high": factor / made["low"]}
    return result


def passed_check(ratio: float) -> dict:
    lines = [("shapes, exact", 0.0, 0.0), ("shapes, real data", ratio, ratio / 41), ("exact", 0.0, 0.0),
             ("real data", ratio / 2, 0.0), ("timed output", ratio / 2, 0.0)]
    return {"lines": [{"name": name, "right": True, "worst_ratio": r, "worst_ratio_gamma": g, "detail": ""}
                      for name, r, g in lines],
            "shapes": 24, "deterministic": True, "timed_output": True, "message": ""}


def note(code: str, text: str, **arguments) -> dict:
    return {"code": code, "arguments": arguments, "text": text}


def case(sweep: str, variant: str, axes: dict, status: str = "PASSED", **more) -> dict:
    size = axes["size"]
    name = " ".join(f"{axis}={value}" for axis, value in axes.items())
    macros = {axis: str(value) for axis, value in axes.items() if axis.isupper()}
    return {"id": f"lab5/{sweep}/{variant} {name}", "sweep": sweep, "variant": variant, "dtype": "f32", "axes": dict(axes),
            "parameters": {"m": size, "n": size, "k": size}, "label": f"m={size} n={size} k={size}", "threads": 1,
            "device": "gpu" if variant.startswith("gpu") else "cpu", "gpu": "", "status": status, "reason": "",
            "build_key": build_key(variant, macros), "run_key": "", "reused_from": "",
            "check": {"lines": [], "shapes": 0, "timed_output": False, "message": ""}, "flops": 2.0 * size**3,
            "bytes": 12.0 * size**2, "metrics": {}, "samples_ms": [], "rounds": [], "warmup_ms": [], "calls_per_sample": 1,
            "stop_reason": "none", "notes": [], **more}


def build_key(variant: str, macros: dict) -> str:
    return f"{variant}-{'-'.join(macros.values()) or 'default'}"


def timed_case(sweep: str, variant: str, axes: dict, gflops: float, draw: random.Random, samples: int, base: dict | None) -> dict:
    flops = 2.0 * axes["size"] ** 3
    ms = flops / gflops / 1e6
    times = [ms * (1 + abs(draw.gauss(0, 0.006))) for _ in range(samples)]
    kernel = metric(times)
    rate = inverse(kernel, flops / 1e6)
    metrics = {"kernel_ms": kernel, "gflops": rate,
               "percent_of_limit": {key: value * 1e9 / PEAK * 100 if key != "n" else value for key, value in rate.items()}
               | {"limit": "fma_f32"}}
    if base is not None:
        metrics["speedup"] = inverse(kernel, base["median"], paired=samples > 5, over="cpu_baseline",
                                     equal=variant == "cpu_unrolled")
    return case(sweep, variant, axes, check=passed_check(0.02 + gflops / 4000), metrics=metrics, samples_ms=times,
                rounds=list(range(samples)), warmup_ms=[ms * 1.2], calls_per_sample=max(1, round(1 / ms)),
                stop_reason="precision" if samples > 5 else "time_cap",
                notes=[] if samples > 5 else [note("few_samples", f"few samples: {samples}", samples=samples)])


def cases() -> list[dict]:
    draw, made = random.Random(5), []
    bases: dict[int, dict] = {}
    for variant, (gflops, _) in RATES.items():
        for size in SIZES:
            slow = variant in ("cpu_baseline", "cpu_unrolled") and size == 2048
            speed = gflops * (0.55 if variant == "cpu_avx" and size > 1000 else 1)
            one = timed_case("cpu_sizes", variant, {"size": size}, speed, draw, 3 if slow else 14, bases.get(size))
            bases.setdefault(size, one["metrics"]["kernel_ms"])
            made.append(one)
    for block in BLOCKS:
        for size in (1024, 2048):
            speed = 34 - 3.1 * abs(math.log2(block) - 6)
            made.append(timed_case("cpu_blocks", "cpu_avx_blocked", {"size": size, "BLOCK": block}, speed, draw, 12, None))
    for variant in GPU:
        for size in (512, 1024, 2048, 4096):
            for block in (4, 8, 16, 32):
                made.append(case("gpu_blocks", variant, {"size": size, "BLOCK": block}, "SKIPPED", reason=NO_GPU))
    return made


def builds() -> list[dict]:
    made = []
    for variant in RATES:
        for macros in [{}] + ([{"BLOCK": str(b)} for b in BLOCKS] if variant == "cpu_avx_blocked" else []):
            defines = "".join(f" -D{name}={value}" for name, value in macros.items())
            made.append({"key": build_key(variant, macros), "variant": variant, "macros": macros, "state": "built",
                         "seconds": 1.4, "command": f"{CXX}{defines} labs/gemm/{variant}.cpp -o variant.so",
                         "compiler": "g++ 12.2.0", "log": "", "source_hash": f"{hash_text(variant):064x}"})
    return made


def hash_text(value: str) -> int:
    return int.from_bytes(hashlib.sha256(value.encode()).digest())


def published(name: str, columns: dict[str, str], values: dict[str, str], machine: str) -> dict:
    rows = []
    with open(PUBLISHED / name, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.append({"variant": row["variant"], "dtype": row["dtype"],
                         "axes": {axis: int(row[column]) for column, axis in columns.items()},
                         "values": {m: float(row[column]) for column, m in values.items() if row[column]}})
    return {"file": f"configs/published/{name}", "machine": machine, "rows": rows}


def table(title: str, sweep: str, rows: list[str], columns: list[str], values: list[str], **more) -> dict:
    return {"title": title, "sweep": sweep, "rows": rows, "columns": columns, "values": values, "published": True, **more}


def plot(title: str, sweep: str, kind: str, x: str, y: list[str], series: list[str], **more) -> dict:
    return {"title": title, "sweep": sweep, "kind": kind, "x": x, "y": y, "series": series, **more}


TABLES = [
    table("CPU variants by size", "cpu_sizes", ["variant"], ["size"], ["kernel_ms"]),
    table("Speedup of the CPU variants", "cpu_sizes", ["variant"], ["size"], ["speedup"]),
    table("Block edge of the blocked kernel", "cpu_blocks", ["BLOCK"], ["size"], ["kernel_ms"]),
    table("Naive and shared by block edge", "gpu_blocks", ["variant", "BLOCK"], ["size"], ["kernel_ms"]),
]
PLOTS = [
    plot("CPU variants by size", "cpu_sizes", "lines", "size", ["kernel_ms"], ["variant"], log=["x", "y"]),
    plot("Speedup of the CPU variants", "cpu_sizes", "bars", "size", ["speedup"], ["variant"]),
    plot("Block edge of the blocked kernel", "cpu_blocks", "lines", "BLOCK", ["kernel_ms"], ["size"]),
    {"title": "Block edge as a map", "sweep": "cpu_blocks", "kind": "heatmap", "x": "BLOCK", "y": ["size"], "value": "gflops"},
    {"title": "How close to the limits", "sweep": "cpu_sizes", "kind": "roofline", "series": ["variant"]},
    plot("Naive and shared by block edge", "gpu_blocks", "lines", "size", ["kernel_ms"], ["variant", "BLOCK"]),
]
CONFIG = """\
lab: lab5
title: 数据级并行 - data-level parallelism on CPU and GPU
kernel: gemm
baseline: cpu_baseline
sweeps:
  - name: cpu_sizes
    variants: [cpu_*]
    axes: {size: "128:2048:*2"}
  - name: cpu_blocks
    variants: [cpu_avx_blocked]
    axes: {size: [1024, 2048], BLOCK: "8:1024:*2"}
  - name: gpu_blocks
    variants: [gpu_naive, gpu_shared]
    axes: {size: "512:4096:*2", BLOCK: [4, 8, 16, 32]}
"""
MISTAKES = {"last_k_dropped": "the last step of the k loop is missing", "swapped_index": "B is read transposed",
            "tail_not_written": "the last rows are never written", "all_zeros": "the output is zero",
            "nan": "the output is NaN", "half_accumulation": "sums are kept in 16 bits", "tf32": "inputs are rounded to 10 bits",
            "twice": "the product is added twice", "column_shifted": "every column is one off"}


def recorded_run() -> dict:
    variants = [{"name": name, "file": f"labs/gemm/{name}.cpp", "summary": about, "gpu": False,
                 "needs": ["avx2"] if "avx" in name else [], "about": about, "from_submission": False, "precision": ""}
                for name, (_, about) in RATES.items()]
    variants += [{"name": name, "file": f"labs/gemm/{name}.cu", "summary": about, "gpu": True, "needs": [], "about": about,
                  "from_submission": False, "precision": ""} for name, about in GPU.items()]
    return {
        "schema": "harness/run/2",
        "run": {"id": "20261121-091500-3f2a", "lab": "lab5", "title": "数据级并行 - data-level parallelism on CPU and GPU",
                "about": "Four ways to walk through the same three loops, and what the caches make of them.",
                "started": "2026-11-21T09:15:00Z", "finished": "2026-11-21T09:16:58Z", "state": "complete", "seconds": 118.2,
                "harness": {"version": "0.1.0", "commit": "abc1234", "dirty": False},
                "command": ["run", "configs/lab5.yaml", "--budget", "120s"], "budget_s": 120, "seed": "8f3a11c09b2d4e55",
                "sandbox": "bwrap", "config": {"path": "configs/lab5.yaml", "text": CONFIG}},
        "kernel": {"name": "gemm", "formula": "C = alpha A B + beta C", "dtype": "f32"},
        "machine": {"cpu": {"model": "Intel(R) Xeon(R) Processor @ 2.60GHz", "cores": 2,
                            "features": ["sse4_2", "avx", "avx2", "fma", "avx512f"], "l1d_bytes": 49152, "l2_bytes": 2097152,
                            "l3_bytes": 110100480, "governor": "", "turbo": ""},
                    "memory_bytes": 25769803776, "os": "Debian GNU/Linux 12 (bookworm)", "kernel": "6.1.0-44-amd64",
                    "virtualization": "kvm", "gpus": [],
                    "tools": [{"name": "g++", "version": "g++ (Debian 12.2.0-14) 12.2.0", "path": "/usr/bin/g++"},
                              {"name": "bwrap", "version": "bubblewrap 0.8.0", "path": "/usr/bin/bwrap"}]},
        "noise": {"before": {"load_1min": 0.12, "throttle_count": 0}, "after": {"load_1min": 1.03, "throttle_count": 0, "gpus": [{"clocks_sm_mhz": 1980}]}},
        "machine_limits": [{"name": "fma_f32", "device": "cpu", "threads": 1, "value": PEAK,
                      "method": "16 independent chains of 512-bit fused multiply-adds"},
                     {"name": "copy", "device": "cpu", "threads": 1, "value": 1.21e10, "method": "copy of 256 MiB, read + written"}],
        "policy": {"precision": 0.005, "max_time_s": 15, "min_batch_ms": 1, "min_samples": 10, "max_samples": 2000,
                   "cpu_cache": "fresh", "gpu_cache": "cold"},
        "metrics_info": {"kernel_ms": {"label": "kernel time", "unit": "ms", "better": "lower",
                                       "doc": "one call on data that is in place, set-up and copies apart"},
                         "gflops": {"label": "arithmetic rate", "unit": "GFLOP/s", "better": "higher",
                                    "doc": "operations of the problem over kernel time"},
                         "speedup": {"label": "speedup", "unit": "", "better": "higher",
                                     "doc": "kernel time of the baseline over kernel time, same problem"}},
        "statuses": [{"name": name, "fails": fails == "true", "meaning": meaning} for name, fails, meaning in STATUSES],
        "baseline": "cpu_baseline",
        "selftest": {"accepts_reference": True,
                     "rows": [{"name": name, "mistake": mistake, "rejected": True, "by": "componentwise" if name == "tf32" else "exact"}
                              for name, mistake in MISTAKES.items()]},
        "variants": variants, "builds": builds(), "cases": cases(),
        "excluded": [{"sweep": "gpu_blocks", "variant": "gpu_naive", "axes": {"size": 8192, "BLOCK": block},
                      "reason": "the report stops at 4096"} for block in (4, 8, 16, 32)],
        "report": {"tables": [dict(t) for t in TABLES], "plots": [dict(p) for p in PLOTS]},
        "published": [
            published("lab5_cpu_sizes.csv", {"n": "size"}, {"time_ms": "kernel_ms"}, "a student's laptop of the lab report"),
            published("lab5_cpu_blocks.csv", {"n": "size", "block": "BLOCK"}, {"time_ms": "kernel_ms"},
                      "a student's laptop of the lab report"),
            published("lab5_gpu_blocks.csv", {"n": "size", "block": "BLOCK"},
                      {"kernel_ms": "kernel_ms", "h2d_ms": "h2d_ms", "d2h_ms": "d2h_ms"}, "the GPU of the lab report")],
    }


def bare_run() -> dict:
    """A run that has only begun."""
    recorded = recorded_run()
    run = {key: recorded["run"][key] for key in ("id", "started", "harness", "command", "sandbox", "config")}
    info = {name: info | {"doc": ""} for name, info in recorded["metrics_info"].items()}
    return {key: recorded[key] for key in ("schema", "kernel", "policy", "statuses")} | {"metrics_info": info} | {
        "run": run | {"lab": "b", "title": "", "state": "running"}, "noise": {}, "machine_limits": [], "variants": [], "builds": [], "cases": [],
        "machine": {"cpu": {"model": "", "cores": 0, "features": []}, "memory_bytes": 0, "os": "", "kernel": "", "gpus": [], "tools": []},
        "excluded": [], "report": {}, "published": []}


def add_student(run: dict) -> dict:
    """A submission with one wrong and one broken file."""
    for name in ("cpu_student", "cpu_broken"):
        run["variants"].append({"name": name, "file": f"submission/{name}.cpp", "summary": "", "gpu": False, "needs": [],
                                "about": "", "from_submission": True, "precision": ""})
    for size in SIZES:
        run["cases"].append(case("cpu_sizes", "cpu_student", {"size": size}, "WRONG", reason=WRONG))
        run["cases"].append(case("cpu_sizes", "cpu_broken", {"size": size}, "COMPILE_ERROR",
                                 reason="cpu_broken.cpp:7:19: error: expected ';' before 'return'"))
    run["builds"].append({"key": build_key("cpu_broken", {}), "variant": "cpu_broken", "macros": {}, "state": "failed", "seconds": 0.4,
                          "command": f"{CXX} submission/cpu_broken.cpp -o variant.so", "compiler": "g++ 12.2.0",
                          "log": "cpu_broken.cpp: In function 'void run(const Gemm&)':\n"
                                 "cpu_broken.cpp:7:19: error: expected ';' before 'return'\n"
                                 "    7 |   c[i] = a[i] + 1\n      |                   ^\n"
                                 "cpu_broken.cpp:9:1: error: expected declaration before '}' token\n",
                          "source_hash": "0f" * 32})
    return run


def add_gpu(run: dict) -> dict:
    """The same run on a machine with a GPU: kernel time, copies and allocation of all GPU cases."""
    draw = random.Random(9)
    run["machine"]["gpus"] = [{"index": 0, "name": "NVIDIA H200", "uuid": "GPU-0d1f", "vendor": "nvidia", "driver": "580.65.06", "architecture": "sm_90",
                               "memory_bytes": 150_754_820_096, "details": {"ecc": "on", "power_limit_w": 700}}]
    for old in [c for c in run["cases"] if c["variant"] in GPU]:
        size, block = old["axes"]["size"], old["axes"]["BLOCK"]
        rate = (900 if old["variant"] == "gpu_naive" else 2600) * (block / 32) ** 1.4 * (1.001 if size > 512 else 0.7)
        made = timed_case("gpu_blocks", old["variant"], old["axes"], rate, draw, 40, None)
        made["metrics"]["kernel_ms"] = metric([t * (1 + draw.random() * 0.01) for t in made["samples_ms"]])
        for name, ms in (("h2d_ms", size * size * 8 / 2.4e7), ("d2h_ms", size * size * 4 / 2.1e7), ("alloc_ms", 0.31)):
            made["metrics"][name] = {"median": ms * (1 + draw.random() * 0.02)}
        del made["metrics"]["percent_of_limit"]
        old.update(made | {"device": "gpu", "gpu": "GPU-0d1f", "stop_reason": "plateau", "status": "PASSED", "reason": ""})
    run["metrics_info"] |= {name: {"label": label, "unit": "ms", "better": "lower", "doc": ""} for name, label in
                            (("h2d_ms", "host-to-device copy"), ("d2h_ms", "device-to-host copy"), ("alloc_ms", "allocation"))}
    parts = ["kernel_ms", "h2d_ms", "d2h_ms", "alloc_ms"]
    run["report"]["tables"].append(table("Where the time of gpu_naive goes", "gpu_blocks", ["size", "BLOCK"], ["metric"], parts,
                                         variants=["gpu_naive"]))
    run["report"]["plots"].append(plot("Where the time of gpu_naive goes", "gpu_blocks", "bars", "size", parts, ["metric"],
                                       variants=["gpu_naive"], where={"BLOCK": [32]}, log=["y"]))
    return run
