"""Reads run.json into a Run. Every error is one line that says where in the file."""

import json
from pathlib import Path
from typing import Mapping

from reports.errors import ReportError, suggestion
from reports.fields import Fields, Scalar
from reports.model import (ADVICE, MISTAKE, Build, Case, MachineLimit, Check, CheckLine, Emulated, Excluded, Diagnostic, Note, RecordedBaseline, Metric,
                           PublishedFile, PublishedRow, Run, SelfTestRow, Variant)
from reports.selection import is_macro
from reports.statuses import STATUSES

SCHEMA = "harness/run/2"


def load_run(folder: Path) -> Run:
    path = folder / "run.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReportError(f"{path}: there is no such file; give the folder of a run, such as results/lab5/latest") from None
    except UnicodeDecodeError as error:
        raise ReportError(f"{path}: byte {error.start} is not UTF-8; the file is damaged, run the lab again") from None
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_run(text, str(path))


def parse_run(text: str, where: str = "run.json") -> Run:
    def constant(name: str):
        raise ReportError(f"{where}: {name} is not a JSON number")

    try:
        data = json.loads(text, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise ReportError(f"{where}:{error.lineno}:{error.colno}: not JSON: {error.msg.lower()}; "
                          "`harness report` writes the file again from the store") from None
    except RecursionError:
        raise ReportError(f"{where}: nested too deeply to be a run") from None
    root = Fields(data, where)
    schema = root.text("schema")
    if schema != SCHEMA:
        raise ReportError(f'{where}: schema is "{schema}" but must be "{SCHEMA}"; '
                          "render with the harness that wrote the run")
    return build_run(root)


def build_run(root: Fields) -> Run:
    run, kernel, noise = root.object("run"), root.object("kernel"), root.object("noise")
    harness, config, self_test = run.object("harness"), run.object("config"), root.object("selftest")
    report = root.object("report")
    statuses = {f.required("name"): (bool(f.flag("fails")), f.text("meaning")) for f in root.objects("statuses", "status")}
    statuses = statuses or STATUSES
    return Run(
        id=run.required("id"), lab=run.required("lab"), title=run.text("title") or run.required("lab"),
        about=run.text("about"), started=run.text("started"), finished=run.text("finished"), state=run.text("state"),
        seconds=run.number("seconds"), harness_version=harness.text("version"), harness_commit=harness.text("commit"),
        harness_dirty=bool(harness.flag("dirty")), command=run.texts("command"), budget_s=run.number("budget_s"),
        seed=run.text("seed"), sandbox=run.text("sandbox"), container=root.object("container"),
        config_path=config.text("path"), config_text=config.text("text"), kernel=kernel.text("name"), formula=kernel.text("formula"),
        dtype=kernel.text("dtype"), baseline=root.text("baseline"), machine=root.object("machine"),
        noise_before=noise.object("before").values, noise_after=noise.object("after").values,
        policy=policy(root.object("policy")),
        machine_limits=tuple(machine_limit(f) for f in root.objects("machine_limits", "machine limit")),
        self_test=tuple(SelfTestRow(f.required("name"), f.text("mistake"), bool(f.flag("rejected")), f.text("by"))
                        for f in self_test.objects("rows", "row")),
        accepts_reference=self_test.flag("accepts_reference"),
        variants=tuple(variant(f) for f in root.objects("variants", "variant")),
        builds=tuple(build(f) for f in root.objects("builds", "build")),
        cases=tuple(case(f, statuses) for f in root.objects("cases", "case")),
        excluded=tuple(Excluded(f.text("sweep"), f.text("variant"), problem_first(f.scalars("axes")), f.text("reason"))
                       for f in root.objects("excluded", "excluded point")),
        tables=tuple(report.objects("tables", "table")), plots=tuple(report.objects("plots", "plot")),
        exports=tuple(report.objects("exports", "export")), example=report.object("example"),
        published=tuple(published(f) for f in root.objects("published", "published file")),
        metrics_info=metrics_info(root.object("metrics_info")), statuses=statuses,
        emulated=emulated(root.object("emulated")), vendors=root.texts("vendors"), recorded_baseline=recorded_baseline(root.object("recorded_baseline")))


def policy(fields: Fields) -> dict[str, float | str]:
    numbers = {name: fields.number(name) for name in fields.values if name != "gpu_cache"}
    return {name: value for name, value in numbers.items() if value is not None} | {"gpu_cache": fields.text("gpu_cache", "cold")}


def case(fields: Fields, statuses: Mapping[str, tuple[bool, str]]) -> Case:
    status = fields.required("status")
    if status not in statuses:
        raise fields.fail(f'unknown status "{status}"{suggestion(status, statuses)}')
    metrics = fields.object("metrics")
    return Case(
        id=fields.required("id"), sweep=fields.required("sweep"), variant=fields.required("variant"), status=status,
        dtype=fields.text("dtype"), axes=problem_first(fields.scalars("axes")), parameters=fields.scalars("parameters"),
        label=fields.text("label"), threads=fields.integer("threads", 1), device=fields.text("device", "cpu"),
        reason=fields.text("reason"), build_key=fields.text("build_key"), reused_from=fields.text("reused_from"),
        check=check(fields.object("check")),
        metrics={name: metric(metrics.object(name)) for name in metrics.values if metrics.values[name] is not None},
        flops=fields.number("flops"), bytes=fields.number("bytes"), stop_reason=fields.text("stop_reason"),
        notes=tuple(Note(f.required("code"), f.scalars("arguments"), f.text("text")) for f in fields.objects("notes", "note")), diagnostics=tuple(diagnostic(f) for f in fields.objects("diagnostics", "diagnostic")))


def diagnostic(fields: Fields) -> Diagnostic:
    severity = fields.required("severity")
    if severity not in (ADVICE, MISTAKE):
        raise fields.fail(f'unknown severity "{severity}" (known severities: {ADVICE}, {MISTAKE})')
    words = {name: fields.text(name) for name in ("what", "fix", "kernel", "file", "other_file", "source")}
    counts = {name: fields.integer(name) for name in ("line", "other_line", "count", "have", "ideal")}
    return Diagnostic(fields.required("kind"), severity, **words, **counts)


def emulated(fields: Fields) -> Emulated | None:
    if not fields.values:
        return None
    return Emulated(fields.integer("lanes"), fields.text("schedule"), bool(fields.flag("diagnostics")))


def problem_first(axes: dict[str, Scalar]) -> dict[str, Scalar]:
    """Axes of the problem before macros: size before BLOCK, in any order of the file."""
    return dict(sorted(axes.items(), key=lambda axis: is_macro(axis[0])))


def metric(fields: Fields) -> Metric:
    median, low, high = fields.number("median"), fields.number("low"), fields.number("high")
    if median is None:
        raise fields.fail('"median" is missing')
    if low is not None and high is not None and not low <= median <= high:
        raise fields.fail(f"the median {median} is outside its interval, {low} to {high}")
    return Metric(median, low, high, fields.integer("n"), fields.number("min"), fields.number("max"),
                  fields.number("q1"), fields.number("q3"), fields.text("limit"), fields.text("over"),
                  bool(fields.flag("paired")), bool(fields.flag("equal")))


def check(fields: Fields) -> Check:
    lines = tuple(CheckLine(f.required("name"), bool(f.flag("right")), f.number("worst_ratio"),
                            f.number("worst_ratio_gamma"), f.text("detail"))
                  for f in fields.objects("lines", "line"))
    return Check(lines, fields.integer("shapes"), fields.flag("deterministic"), bool(fields.flag("timed_output")),
                 fields.text("message"))


def variant(fields: Fields) -> Variant:
    return Variant(fields.required("name"), fields.text("file"), fields.text("summary"), bool(fields.flag("gpu")),
                   fields.texts("needs"), bool(fields.flag("from_submission")), fields.text("precision"))


def build(fields: Fields) -> Build:
    return Build(fields.text("key"), fields.required("variant"), fields.scalars("macros"), fields.text("state"),
                 fields.number("seconds"), fields.text("command"), fields.text("compiler"), fields.text("log"),
                 fields.text("source_hash"))


def machine_limit(fields: Fields) -> MachineLimit:
    value = fields.number("value")
    if value is None:
        raise fields.fail('"value" is missing')
    return MachineLimit(fields.required("name"), fields.text("device"), fields.integer("threads", 1), value,
                   fields.text("method"))


def published(fields: Fields) -> PublishedFile:
    rows = []
    for row in fields.objects("rows", "row"):
        values = row.object("values")
        numbers = {name: values.number(name) for name in values.values}
        rows.append(PublishedRow(row.required("variant"), row.text("dtype"), row.scalars("axes"),
                                 {name: value for name, value in numbers.items() if value is not None}))
    return PublishedFile(fields.required("file"), fields.text("machine"), fields.text("sweep"), tuple(rows),
                         fields.text("note"))


def recorded_baseline(fields: Fields) -> RecordedBaseline | None:
    return RecordedBaseline(fields.required("file"), fields.text("source")) if fields.values else None


def metrics_info(fields: Fields) -> dict[str, dict[str, str]]:
    """Labels, units and descriptions of metrics. Optional: without them the report uses the names."""
    result = {}
    for name in fields.values:
        entry = fields.object(name)
        result[name] = {key: entry.text(key) for key in ("label", "unit", "better", "doc") if entry.text(key) or key == "unit"}
    return result
