"""Runs with a few cases and chosen numbers, for exact assertions."""

import json

from reports.load import parse_run
from reports.model import Run
from reports.tests.recorded import case


def ms(time: float, half: float | None = None, /, n: int = 12, **speedup) -> dict:
    """Metrics of a case: kernel time and, if given, a speedup."""
    kernel = {"median": time, "n": n}
    if half is not None:
        kernel |= {"low": time - half, "high": time + half}
    return {"kernel_ms": kernel} | ({"speedup": {"over": "cpu_base", "n": n, **speedup}} if speedup else {})


def timed(variant: str, size: int, metrics: dict, sweep: str = "sizes", status: str = "PASSED", **more) -> dict:
    axes = {"size": size, **more.pop("axes", {})}
    return case(sweep, variant, axes, status, metrics=metrics, **more)


def small_run(cases: list[dict], tables=(), plots=(), published=(), excluded=(), exports=(), recorded_baseline=None, vendors=(), **run) -> Run:
    return parse_run(json.dumps({
        "schema": "harness/run/2", "run": {"id": "20261121-091500-3f2a", "lab": "small", **run}, "baseline": "cpu_base",
        "kernel": {"name": "gemm", "formula": "C = A B", "dtype": "f32"}, "policy": {"min_batch_ms": 1}, "cases": cases,
        "report": {"tables": list(tables), "plots": list(plots), "exports": list(exports)}, "published": list(published), "excluded": list(excluded),
        "vendors": list(vendors), "recorded_baseline": recorded_baseline or {}}))


SIZES = {"title": "Times", "sweep": "sizes", "rows": ["variant"], "columns": ["size"], "values": ["kernel_ms"]}
