"""`python -m reports.performance`: writes the results in docs/performance.md and their summary in README.md, from the recorded runs of
the peaks."""

import math
from pathlib import Path
from typing import Callable

from reports.load import load_run
from reports.numbers import significant
from reports.record import Case, Metric, Run

ROOT = Path(__file__).resolve().parents[1]
PAGE, README = ROOT / "docs/performance.md", ROOT / "README.md"
RUNS = ("peaks-h200", "peaks-h100", "peaks_conv2d-h200", "peaks_cpu-zen5", "peaks_cpu_avx2-zen5", "peaks_cpu_16-xeon", "peaks_cpu_conv2d-zen5")
BEGIN, END = "<!-- written by `python -m reports.performance`; do not edit -->\n", "<!-- end -->\n"
COPY_BAR, CUDNN_BAR = 85, 8  # percent of the limit of copies; times as fast as cuDNN
RATE_BARS = {"gpu_naive": 6.3, "gpu_shared": 9.1}  # TFLOP/s


def found(run: Run, variant: str, sweep: str, **parameters: int) -> Case:
    return next(case for case in run.cases
                if (case.variant, case.sweep) == (variant, sweep) and all(case.parameters[name] == value for name, value in parameters.items()))


def limit(run: Run, name: str) -> float:
    """Of the GPU."""
    return next(limit.value for limit in run.machine_limits if limit.name == name and limit.device != "cpu")


def table(head: str, align: str, rows: list[list[str]]) -> str:
    return "\n".join([f"| {head} |", f"|{align}|", *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def yes(reached: bool) -> str:
    return "yes" if reached else "no"


def interval(metric: Metric, scale: float, digits: int) -> str:
    if metric.low is None:
        return f"{metric.n} samples"
    return f"{metric.low / scale:.{digits}f} .. {metric.high / scale:.{digits}f}"


def at_clock(case: Case) -> list[str]:
    """Clocks at the samples, and the share of the machine limit at the median clock."""
    clock = case.metrics["sm_clock_mhz"]
    clocks = f"{clock.median:.0f}" if clock.min == clock.max else f"{clock.min:.0f} .. {clock.max:.0f}"
    return [clocks, f"{case.metrics['percent_of_limit_at_clock'].median:.0f} %"]


def beside_vendor(case: Case, vendor: Case, scale: float, bar: float) -> list[str]:
    """Both rates, the ratio with its interval, and whether the interval lies above the bar."""
    share = case.metrics["percent_of_vendor"]
    return [*(significant(c.metrics["gflops"].median / scale, 3) for c in (case, vendor)), f"{share.median / 100:.3f}", interval(share, 100, 3),
            yes(share.low is not None and share.low > 100 * bar)]


def f32(run: Run) -> str:
    cases = [case for case in run.cases if case.variant == "gpu_tuned" and case.dtype == "f32"]
    edges = lambda case: {edge: case.parameters[edge] for edge in "mnk"}
    rows = [[" x ".join(map(str, edges(case).values())), *beside_vendor(case, found(run, "gpu_cublas", case.sweep, **edges(case)), 1e3, 1),
             *at_clock(case)] for case in cases]
    mean = geometric_mean([case.metrics["percent_of_vendor"].median / 100 for case in cases])
    return ("SGEMM, `gpu_tuned` against cuBLAS (TF32 off), bar 1.00:\n\n" +
            table("m x n x k | `gpu_tuned`, TFLOP/s | cuBLAS | ratio | interval | reached | clock, MHz | of the limit at this clock",
                  "---|--:|--:|--:|---|---|---|--:", rows) +
            f"\nThe geometric mean of the {len(cases)} ratios is {mean:.3f} (bar 1.05).\n")


def bar_f64(n: int) -> float:
    return 1.0 if n <= 1024 else 0.95


def f64(run: Run) -> str:
    rows = []
    for case in (case for case in run.cases if case.variant == "gpu_tuned" and case.dtype == "f64"):
        n = case.parameters["n"]
        bar = bar_f64(n)
        *cells, reached = beside_vendor(case, found(run, "gpu_cublas", "f64", n=n), 1e3, bar)
        rows.append([str(n), *cells, f"{bar:.2f}", reached, *at_clock(case)])
    return ("DGEMM, `gpu_tuned` with FP64 tensor cores against cuBLAS:\n\n" +
            table("n | `gpu_tuned`, TFLOP/s | cuBLAS | ratio | interval | bar | reached | clock, MHz | of the limit at this clock",
                  "--:|--:|--:|--:|---|--:|---|---|--:", rows))


def tf32_and_low_rungs(run: Run) -> str:
    rows = []
    for n in (4096, 8192):
        case = found(run, "gpu_tensor", "tf32", n=n)
        rows.append(["`gpu_tensor`", str(n), *beside_vendor(case, found(run, "gpu_cublas_tf32", "tf32", n=n), 1e3, 0.9)])
    vendor = found(run, "gpu_cublas", "f32_low_rungs", n=4096)
    for variant, bar in RATE_BARS.items():
        rate, theirs = (case.metrics["gflops"] for case in (found(run, variant, "f32_low_rungs", n=4096), vendor))
        rows.append([f"`{variant}`", "4096", significant(rate.median / 1e3, 3), significant(theirs.median / 1e3, 3), "", f"bar {bar} TFLOP/s",
                     yes(rate.low / 1e3 > bar)])
    return ("TF32, `gpu_tensor` against cuBLAS TF32, bar 0.90, and the low rungs in f32:\n\n" +
            table("variant | n | TFLOP/s | cuBLAS | ratio | interval | reached", "---|--:|--:|--:|--:|---|---", rows))


def bf16(run: Run) -> str:
    rows = [[str(n), *beside_vendor(found(run, "gpu_tensor_bf16", "bf16", n=n), found(run, "gpu_cublas", "bf16", n=n), 1e3, 0.9)]
            for n in (4096, 8192)]
    return ("BF16, `gpu_tensor_bf16` against cuBLAS, bar 0.90:\n\n" +
            table("n | `gpu_tensor_bf16`, TFLOP/s | cuBLAS | ratio | interval | reached", "--:|--:|--:|--:|---|---", rows))


def conv2d(run: Run) -> str:
    copy = limit(run, "copy") / 1e9
    few = [(found(run, "gpu_tuned", "few_channels", stride=stride, size=size), found(run, "gpu_cudnn", "few_channels", stride=stride, size=size))
           for stride, size in ((1, 4096), (2, 4096), (3, 4096), (1, 2048), (1, 1024), (1, 512), (1, 256))]
    many = tuple(found(run, variant, "many_channels") for variant in ("gpu_tuned", "gpu_cudnn", "gpu_cudnn_transform"))
    rows = []
    for ours, theirs in [*few, many[:2]]:
        p, share, rate = ours.parameters, ours.metrics["percent_of_vendor"], ours.metrics["gbytes_s"].median
        problem = f"{p['channels']} -> {p['filters']} channels, {p['size']} x {p['size']}, stride {p['stride']}" + (
            f", {p['batch']} images" if p["batch"] > 1 else "")
        rows.append([problem, *(significant(case.metrics["kernel_ms"].median, 3) for case in (ours, theirs)), f"{share.median / 100:.2f}",
                     interval(share, 100, 2), f"{rate:.0f}", f"{100 * rate / copy:.1f} %"])
    shares = [case.metrics["gbytes_s"] for case, _ in few[:2]]
    winograd = many[2].metrics["kernel_ms"].median / many[0].metrics["kernel_ms"].median
    return ("Convolution, 3 x 3, `gpu_tuned` against the fastest algorithm of `gpu_cudnn`:\n\n" +
            table("problem | `gpu_tuned`, ms | cuDNN, ms | times as fast | interval | GB/s | of a copy", "---|--:|--:|--:|---|--:|--:", rows) +
            f"\n- {CUDNN_BAR} times cuDNN at 4096 with stride 1: {verdict(few[0][0].metrics['percent_of_vendor'], 100 * CUDNN_BAR)}.\n" +
            "".join(f"- {COPY_BAR} % of the machine limit of copies ({copy / 1e3:.2f} TB/s) at 4096 with stride {stride}: "
                    f"{verdict(share, copy * COPY_BAR / 100)}.\n" for stride, share in enumerate(shares, 1)) +
            f"- With 64 channels cuDNN's algorithms that add up the products are slower. Its Winograd algorithm (`gpu_cudnn_transform`) takes "
            f"{significant(many[2].metrics['kernel_ms'].median, 3)} ms, so the bar \"best f32 algorithm\" is missed if Winograd counts: "
            f"{winograd:.2f}.\n")


def verdict(metric: Metric, bar: float) -> str:
    return "reached" if metric.low > bar else "missed" if metric.high < bar else "undecided, the bar is inside the interval"


def fastest_library(run: Run, ours: Case) -> tuple[Case, Metric]:
    """The case, and its speedup over cpu_tuned, which is the baseline of these runs."""
    same = [case for case in run.cases if (case.sweep, case.parameters) == (ours.sweep, ours.parameters) and "speedup" in case.metrics]
    fastest = max((case for case in same if case is not ours), key=lambda case: case.metrics["speedup"].median)
    return fastest, fastest.metrics["speedup"]


def cpu(run: Run) -> str:
    rows = []
    for ours in (case for case in run.cases if case.variant == "cpu_tuned"):
        fastest, share = fastest_library(run, ours)
        rate = ours.metrics["gflops"].median
        bounds = f"{1 / share.high:.3f} .. {1 / share.low:.3f}" if share.low else f"{share.n} samples"
        rows.append([ours.dtype, str(ours.threads), " x ".join(str(ours.parameters[edge]) for edge in "mnk"),
                     significant(rate, 3), fastest.variant.removeprefix("cpu_"), significant(fastest.metrics["gflops"].median, 3),
                     f"{1 / share.median:.3f}", bounds, yes(bool(share.low) and share.high < 1)])
    return table("type | threads | m x n x k | `cpu_tuned`, GFLOP/s | fastest library | its GFLOP/s | ratio | interval | reached",
                 "---|--:|---|--:|---|--:|--:|---|---", rows)


def cpu_conv2d(run: Run) -> str:
    rows = []
    for ours in (case for case in run.cases if case.variant == "cpu_tuned" and "percent_of_vendor" in case.metrics):
        p, share = ours.parameters, ours.metrics["percent_of_vendor"]
        theirs = next(case for case in run.cases if case.variant == "cpu_onednn" and (case.sweep, case.parameters) == (ours.sweep, p))
        images = f", {p['batch']} images" if p["batch"] > 1 else ""
        rows.append([f"{p['channels']} -> {p['filters']} channels, {p['size']} x {p['size']}, stride {p['stride']}{images}",
                     *(significant(case.metrics["kernel_ms"].median, 3) for case in (ours, theirs)), f"{share.median / 100:.2f}",
                     interval(share, 100, 2), yes(share.low is not None and share.low > 100)])
    return ("CPU, convolution 3 x 3, one thread, `cpu_tuned` against oneDNN:\n\n" +
            table("problem | `cpu_tuned`, ms | oneDNN, ms | times as fast | interval | reached", "---|--:|--:|--:|---|---", rows))


def results(runs: list[Run]) -> str:
    gemm, on_h100, conv, cpu_gemm, cpu_avx2, cpu_16, cpu_conv = runs
    tera = lambda name: limit(gemm, name) / 1e12
    limits = (f"The machine limits of that run: {tera('fma_f32'):.1f} TFLOP/s f32, {tera('fma_f64'):.1f} TFLOP/s f64, "
              f"copy {tera('copy'):.2f} TB/s.\n")
    core = {limit.name: limit.value / 1e9 for limit in cpu_gemm.machine_limits if limit.device == "cpu" and limit.threads == 1}
    cpu_text = (f"CPU, `cpu_tuned` against the fastest of OpenBLAS, BLIS and oneDNN ({core['fma_f32']:.0f} GFLOP/s f32 and "
                f"{core['fma_f64']:.0f} f64 per core):\n")
    avx2_text = "The same with AVX2 only (`configs/peaks_cpu_avx2.yaml`), whose registers are half as wide:\n"
    many_text = "The same on the 16 cores of the GPU's machine, an Intel Xeon (`configs/peaks_cpu_16.yaml`):\n"
    h100_text = "The same products on one NVIDIA H100, and in BF16:\n"
    return "\n".join([limits, f32(gemm), f64(gemm), tf32_and_low_rungs(gemm), conv2d(conv), h100_text, f32(on_h100), f64(on_h100),
                      tf32_and_low_rungs(on_h100), bf16(on_h100), cpu_text, cpu(cpu_gemm), avx2_text, cpu(cpu_avx2), many_text,
                      cpu(cpu_16), cpu_conv2d(cpu_conv)])


def summary(runs: list[Run]) -> str:
    """A row for each library and type: how many ratios lie above their bar with their whole interval, and the geometric mean of all."""
    gemm, on_h100, conv, cpu_gemm, cpu_avx2, cpu_16, cpu_conv = runs
    rows = []

    def add(what: str, library: str, machine: str, ratios: list[tuple[float, float, float]]) -> None:
        """Each: the lower end of the interval, the median, the bar."""
        rows.append([what, library, machine, f"{sum(low > bar for low, _, bar in ratios)} of {len(ratios)}",
                     f"{geometric_mean([median for _, median, _ in ratios]):.2f}"])

    def shares(run: Run, variant: str, dtype: str, bar: Callable[[int], float]) -> list[tuple[float, float, float]]:
        cases = [case for case in run.cases if (case.variant, case.dtype) == (variant, dtype)]
        return [((share.low or 0) / 100, share.median / 100, bar(case.parameters.get("n", 0)))
                for case in cases for share in [case.metrics["percent_of_vendor"]]]

    def speedups(run: Run) -> list[tuple[float, float, float]]:
        shares_of_libraries = [fastest_library(run, case)[1] for case in run.cases if case.variant == "cpu_tuned"]
        return [(1 / share.high if share.high else 0, 1 / share.median, 1) for share in shares_of_libraries]

    one, nine_tenths = lambda n: 1.0, lambda n: 0.9
    for machine, run in (("H200", gemm), ("H100", on_h100)):
        add("`gpu_tuned` f32", "cuBLAS", machine, shares(run, "gpu_tuned", "f32", one))
        add("`gpu_tuned` f64", "cuBLAS", machine, shares(run, "gpu_tuned", "f64", bar_f64))
        add("`gpu_tensor` TF32, bar 0.90", "cuBLAS", machine, shares(run, "gpu_tensor", "f32", nine_tenths))
    add("`gpu_tensor_bf16`, bar 0.90", "cuBLAS", "H100", shares(on_h100, "gpu_tensor_bf16", "bf16", nine_tenths))
    add("`gpu_tuned` convolution", "cuDNN, without Winograd", "H200", shares(conv, "gpu_tuned", "f32", one))
    libraries = "the fastest of OpenBLAS, BLIS, oneDNN"
    add("`cpu_tuned`, 1 and 2 threads", libraries, "2 cores, Zen 5", speedups(cpu_gemm))
    add("`cpu_tuned`, AVX2 only", libraries, "2 cores, Zen 5", speedups(cpu_avx2))
    add("`cpu_tuned`, 16 threads and 1", libraries, "16 cores, Xeon", speedups(cpu_16))
    add("`cpu_tuned` convolution", "oneDNN", "2 cores, Zen 5", shares(cpu_conv, "cpu_tuned", "f32", one))
    return table("our variant | library | machine | above the bar | mean ratio", "---|---|---|---|--:", rows)


def with_part(file: Path, part: str) -> str:
    text = file.read_text()
    return text[:text.index(BEGIN) + len(BEGIN)] + part + text[text.index(END):]


def pages() -> dict[Path, str]:
    runs = [load_run(ROOT / "docs/examples" / name) for name in RUNS]
    return {PAGE: with_part(PAGE, results(runs)), README: with_part(README, summary(runs))}


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text)
