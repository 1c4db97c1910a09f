"""A plot of the configuration, `{title, sweep, kind, x, y, series}`: its points, its caption and its alternative text."""

import math
from dataclasses import dataclass
from typing import Sequence

from reports import captions, emulated
from reports.compare import by_problem, leaders, ranked
from reports.document import Figure
from reports.errors import suggestion
from reports.fields import Fields, Scalar
from reports.language import mark, tr, tr_many
from reports.metrics import MetricInfo, metric_info
from reports.record import Case, Run
from reports.numbers import significant
from reports.published import find_case
from reports.selection import METRIC, Selection, axis_text, axis_value, names, ordered, selection, varying
from reports.text import plural, unique

KINDS = ("lines", "bars", "heatmap", "roofline")
INTENSITY = mark("arithmetic intensity, FLOP per byte")
MOST_OVERLAID = 6  # with more series, published lines would hide the measured ones; a table shows them anyway


@dataclass(frozen=True)
class PlotSpec:
    select: Selection
    kind: str
    x: str
    metrics: tuple[str, ...]
    series: tuple[str, ...]
    log: tuple[str, ...] | None  # logarithmic axes; None: depends on the values


@dataclass(frozen=True)
class Point:
    x: Scalar
    y: float
    low: float | None = None
    high: float | None = None
    best: bool = False  # best of its problem, or tied with the best


@dataclass(frozen=True)
class Series:
    label: str
    rank: int  # chooses colour and marker, which are the same in all plots of the same variants
    points: tuple[Point, ...]
    published: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Roof:
    """Machine limits of one device: no rate can exceed the peak, or bandwidth x intensity."""

    label: str
    peak: float  # GFLOP/s
    bandwidth: float  # GB/s


@dataclass(frozen=True)
class Chart:
    """All data of a drawing. It does not depend on matplotlib."""

    kind: str
    series: tuple[Series, ...]
    x_values: tuple[Scalar, ...]
    x_label: str
    y_info: MetricInfo
    x_log: bool
    y_log: bool
    roofs: tuple[Roof, ...] = ()


def plot_spec(fields: Fields) -> PlotSpec:
    kind = fields.text("kind", "lines")
    if kind not in KINDS:
        raise fields.fail(f'unknown plot kind "{kind}"{suggestion(kind, KINDS)}')
    heatmap = kind == "heatmap" and bool(fields.text("value"))  # here y is an axis, and value is the metric
    metrics = names(fields, "value") if heatmap else names(fields, "y")
    series = names(fields, "y") if heatmap else names(fields, "series")
    x = fields.text("x")
    if kind == "roofline":
        x, metrics, series = tr(INTENSITY), ("gflops",), series or ("variant",)
    if not metrics or not x:
        raise fields.fail(f'"{"y" if x else "x"}" is missing')
    if len(metrics) > 1 and METRIC not in series:
        series += (METRIC,)
    log = names(fields, "log") if "log" in fields.values else None
    return PlotSpec(selection(fields), kind, x, metrics, series, log)


def chart(run: Run, spec: PlotSpec) -> Chart | None:
    """None if no case of the plot has a number."""
    cases = [case for case in spec.select.cases(run) if x_value(case, spec) is not None]
    usable = [case for case in cases if case.comparable and any(name in case.metrics for name in spec.metrics)]
    if not usable:
        return None
    axes = series_axes(spec, usable)
    ranks = {key: i for i, key in enumerate(ordered(series_key(case, axes, name) for case in cases for name in spec.metrics))}
    best = best_ids(run, spec, cases)
    found: dict[tuple, list[Point]] = {}
    for case in usable:
        for name in spec.metrics:
            if name in case.metrics:
                metric = case.metrics[name]
                point = Point(x_value(case, spec), metric.median, *(metric.interval or (None, None)), case.id in best)
                found.setdefault(series_key(case, axes, name), []).append(point)
    xs = ordered(point.x for points in found.values() for point in points)
    infos = [metric_info(name, run.metrics_info) for name in spec.metrics]
    series = []
    for key in ordered(found):
        label = ", ".join(series_part(run, axis, value, len(axes)) for axis, value in zip(axes, key) if value is not None)
        points = tuple(sorted(found[key], key=lambda point: xs.index(point.x)))
        overlay = spec.kind == "lines" and len(found) <= MOST_OVERLAID
        known = published_points(run, spec, axes, key, usable) if overlay else ()
        series.append(Series(label or infos[0].label, ranks[key], points, known))
    numeric = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in xs)
    ys = [p.y for s in series for p in s.points + s.published]
    units = unique(info.unit for info in infos)
    y_info = infos[0] if len(infos) == 1 else MetricInfo("", tr("time") if units == ["ms"] else tr("value"),
                                                          units[0] if len(units) == 1 else "", "")
    kind = "bars" if spec.kind == "lines" and not numeric else spec.kind
    positive = min(ys) > 0
    x_log = numeric and (wide(xs, 8) if spec.log is None else "x" in spec.log and min(xs) > 0)
    y_log = positive and (kind == "lines" and wide(ys, 20) if spec.log is None else "y" in spec.log)
    return Chart(kind, tuple(series), tuple(xs), spec.x, y_info,
                 x_log and kind == "lines", y_log, roofs(run, usable) if kind == "roofline" else ())


def best_ids(run: Run, spec: PlotSpec, cases: Sequence[Case]) -> set[str]:
    """The cells of a heat map that are framed; none for a problem whose cells are all tied, or where a case that is not ranked
    may be better."""
    if spec.kind != "heatmap":
        return set()
    info = metric_info(spec.metrics[0], run.metrics_info)
    led = [(ranked(group, info), leaders(group, info)) for group in by_problem(cases).values()]
    return {case.id for group, lead in led if len(lead) < len(group) for case in lead}


def series_key(case: Case, axes: Sequence[str], metric: str) -> tuple:
    return tuple(metric if axis == METRIC else axis_value(case, axis) for axis in axes)


def x_value(case: Case, spec: PlotSpec) -> Scalar | None:
    if spec.kind != "roofline":
        return axis_value(case, spec.x)
    intensity = case.flops / case.bytes if case.flops and case.bytes else 0
    return intensity if 0 < intensity < math.inf else None


def roofs(run: Run, cases: Sequence[Case]) -> tuple[Roof, ...]:
    """The machine limits that apply to these cases. A roof needs a rate and a bandwidth."""
    found = []
    for case in cases:
        limits = run.limits_of(case)
        if {f"fma_{case.dtype}", "copy"} <= set(limits):
            of = plural(case.threads, "thread") if case.device == "cpu" else case.device
            found.append(Roof(tr("{type} limit, {of}", type=case.dtype, of=of), limits[f"fma_{case.dtype}"] / 1e9, limits["copy"] / 1e9))
    return tuple(unique(found))


def wide(values: Sequence[float], factor: float) -> bool:
    return min(values) > 0 and max(values) / min(values) >= factor


def series_axes(spec: PlotSpec, cases: Sequence[Case]) -> tuple[str, ...]:
    """The requested series, and every other axis without which two cases would share a point."""
    named = [axis for axis in spec.series if axis != METRIC] + [spec.x]
    if spec.kind == "roofline":
        return spec.series  # points of one series may have the same x
    groups: dict[tuple, list[Case]] = {}
    for case in cases:
        groups.setdefault(tuple(axis_value(case, axis) for axis in named), []).append(case)
    hidden = unique(axis for group in groups.values() if len(group) > 1 for axis in varying(group, but=named))
    return spec.series + tuple(hidden)


def series_part(run: Run, axis: str, value, count: int) -> str:
    if axis == METRIC:
        return metric_info(value, run.metrics_info).label
    return axis_text(value) if axis in ("variant", "dtype") else f"{axis}={axis_text(value)}"


def published_points(run: Run, spec: PlotSpec, axes: Sequence[str], key: tuple, cases: Sequence[Case]) -> tuple[Point, ...]:
    """The published figures of the cases in this series."""
    if len(spec.metrics) != 1:
        return ()
    mine = {case.id for case in cases if series_key(case, axes, spec.metrics[0]) == key}
    points = {}
    for file in run.published:
        for row in file.rows:
            case = find_case(run, file, row) if spec.metrics[0] in row.values else None
            if case and case.id in mine:
                x = axis_value(case, spec.x)
                points[x] = Point(x, row.values[spec.metrics[0]])
    return tuple(points[x] for x in ordered(points))


def build_figure(run: Run, spec: PlotSpec) -> tuple[Figure, Chart] | None:
    """The figure, which gets its number later, and its chart. None if there is nothing to show."""
    made = chart(run, spec)
    if made is None:
        return None
    selected = spec.select.cases(run)
    cases = [case for case in selected if case.comparable]
    log = [axis for axis, on in ((tr("x axis"), made.x_log), (tr("y axis"), made.y_log)) if on or made.kind == "roofline"]
    points = [point for series in made.series for point in series.points]
    caption = captions.plot(run, cases, [metric_info(name, run.metrics_info) for name in spec.metrics], captions.Marks(
        intervals=any(p.low is not None for p in points) and made.kind != "heatmap",
        bands=any(map(banded, made.series)) and made.kind == "lines",
        published=any(s.published for s in made.series), roofs=bool(made.roofs),
        bars=made.kind == "bars", best=any(p.best for p in points)),
        sum(case.status != "PASSED" for case in selected), log, spec.select.caption, emulated.left_out(selected))
    return Figure(0, spec.select.title, "", caption, alt_text(made)), made


def banded(series: Series) -> bool:
    """Two neighbouring points have intervals, so there is a band between them."""
    return any(a.low is not None and b.low is not None for a, b in zip(series.points, series.points[1:]))


def alt_text(made: Chart) -> str:
    what = {"lines": tr("Lines"), "bars": tr("Bars"), "heatmap": tr("Heat map"), "roofline": tr("Roofline"), "ladder": tr("Ladder")}[made.kind]
    xs = made.x_values
    span = tr("{low} to {high}", low=axis_text(xs[0]), high=axis_text(xs[-1])) if len(xs) > 1 else axis_text(xs[0])
    parts = []
    for series in made.series[:12]:
        first, last = series.points[0].y, series.points[-1].y
        values = tr("{low} to {high}", low=significant(first, 3), high=significant(last, 3)) if len(series.points) > 1 else significant(first, 3)
        parts.append(f"{series.label} {values}")
    rest = tr_many("; and {n} more line", "; and {n} more lines", len(made.series) - 12) if len(made.series) > 12 else ""
    axis = tr(" at {point}", point=made.x_label) * bool(made.x_label) if made.kind == "ladder" else tr(" over {axis} {values}", axis=made.x_label, values=span)
    return tr("{what}: {metric}{axis}. {series}{rest}.", what=what, metric=made.y_info.head, axis=axis, series=tr("; ").join(parts), rest=rest)
