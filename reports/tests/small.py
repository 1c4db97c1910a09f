"""Runs with a few cases and chosen numbers, for exact assertions."""

import json

from reports.load import parse_run
from reports.record import Run
from reports.tests.recorded import bare_run, case


def ms(time: float, half: float | None = None, /, n: int = 12, **speedup) -> dict:
    """Metrics of a case: kernel time and, if given, a speedup."""
    kernel = {"median": time, "n": n}
    if half is not None:
        kernel |= {"low": time - half, "high": time + half}
    return {"kernel_ms": kernel} | ({"speedup": {"over": "cpu_base", "n": n, **speedup}} if speedup else {})


def timed(variant: str, size: int, metrics: dict, sweep: str = "sizes", status: str = "PASSED", **more) -> dict:
    axes = {"size": size, **more.pop("axes", {})}
    return case(sweep, variant, axes, status, metrics=metrics, **more)


def run_of(**parts) -> Run:
    """A run without cases that has these parts."""
    return parse_run(json.dumps(bare_run() | parts))


def small_run(cases: list[dict], tables=(), plots=(), published=(), excluded=(), exports=(), recorded_baseline=None, vendors=(), claims=(),
              **run) -> Run:
    made = bare_run() | {
        "baseline": "cpu_base", "cases": cases, "report": {"tables": list(tables), "plots": list(plots), "exports": list(exports)},
        "published": list(published), "excluded": list(excluded), "vendors": list(vendors), "claims": list(claims)}
    made["run"] |= {"lab": "small", "state": "complete", **run}
    if recorded_baseline:
        made["recorded_baseline"] = recorded_baseline
    return parse_run(json.dumps(made))


SIZES = {"title": "Times", "sweep": "sizes", "rows": ["variant"], "columns": ["size"], "values": ["kernel_ms"]}
