"""Draws a Chart as SVG with matplotlib. The same chart always gives the same bytes."""

import io
import math
import textwrap
from typing import Sequence

import matplotlib

matplotlib.use("Agg")

from matplotlib import font_manager, rc_context
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from reports import draw_ladder
from reports.language import tr
from reports.numbers import general, rate, significant
from reports.plots import Chart, Point, Series, alt_text, banded
from reports.selection import axis_text
from reports.svg import slim

# the palette of Okabe and Ito for colour-blind readers; its yellow is left out because it is hard to see on paper
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "os^DvPX*<>"
STYLES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (4, 1.2, 1, 1.2)), (0, (7, 1.5, 1, 1.5, 1, 1.5)))
WIDTH, HEIGHT = 6.5, 3.1  # inches; the width is that of the text on a page
LEGEND_ROW = 0.16
LABEL_WIDTH = 44  # characters of 8 points along the y axis
CHARACTER = 0.015  # of a label below the x axis, as a share of the axis
GREY = "#555555"
FRAME = "#D55E00"  # frame of a best cell: visible on every colour of the map
NO_BAR = float("nan")

SETTINGS = {
    "font.size": 8, "axes.labelsize": 8, "xtick.labelsize": 7.5, "ytick.labelsize": 7.5, "legend.fontsize": 7.5,
    "font.family": ["DejaVu Sans"], "text.parse_math": False, "axes.formatter.use_mathtext": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6, "axes.edgecolor": GREY,
    "axes.axisbelow": True, "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.5,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "ytick.minor.width": 0.4, "xtick.major.size": 3,
    "ytick.major.size": 3, "ytick.minor.size": 1.8, "xtick.color": GREY, "ytick.color": GREY,
    "xtick.labelcolor": "black", "ytick.labelcolor": "black", "legend.frameon": False,
    "svg.hashsalt": "reports", "svg.fonttype": "none", "axes.unicode_minus": True,
}
CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP")  # of a file with all of them, matplotlib knows only the last name


def draw_svg(chart: Chart, prefix: str) -> str:
    """SVG that can be put into HTML. Its ids begin with `prefix`."""
    made = io.StringIO()
    with rc_context(settings(chart)):
        canvas(chart).savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    return slim(made.getvalue().replace(CJK_FONTS[1], CJK_FONTS[0]), prefix, alt_text(chart))


def wrapped(label: str) -> str:
    """A label beside the y axis, in lines that are no longer than the axis."""
    return "\n".join(textwrap.wrap(label, LABEL_WIDTH)) or label


def settings(chart: Chart) -> dict:
    shown = (chart.x_label, chart.y_info.head, *legend_entries(chart))
    if not any(ord(c) > 0x2E7F for label in shown for c in label):
        return SETTINGS
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return SETTINGS | {"font.family": ["DejaVu Sans", *(name for name in CJK_FONTS if name in installed)]}


def canvas(chart: Chart) -> Canvas:
    figure = Canvas(figsize=(WIDTH, height(chart)), layout="constrained")
    axes = figure.subplots()
    {"lines": lines, "bars": bars, "heatmap": heatmap, "roofline": roofline, "ladder": ladder}[chart.kind](figure, axes, chart)
    return figure


def legend_entries(chart: Chart) -> list[str]:
    """All published lines share one entry, the last."""
    entries = [series.label for series in chart.series] + [roof.label for roof in chart.roofs]
    return entries + [tr("published")] if any(series.published for series in chart.series) else entries


def legend_columns(entries: list[str]) -> int:
    """Number of columns of a legend below the axes; 0 if the legend is beside the axes or absent."""
    longest = max(map(len, entries))
    if len(entries) < 2 or (len(entries) <= 14 and longest <= 28):
        return 0
    return max(1, min(4, 100 // (longest + 8)))


def ladder(_, axes, chart: Chart) -> None:
    draw_ladder.draw(axes, chart, label_decades, error_sizes)


def height(chart: Chart) -> float:
    if chart.kind == "ladder":
        return 0.8 + min(0.19 * len(chart.series), max(2.4, 0.12 * len(chart.series)))  # about 20 fit on the first page
    if chart.kind == "heatmap":
        return max(1.7, min(HEIGHT * 1.6, 1.1 + 0.3 * len(chart.series)))
    entries = legend_entries(chart)
    columns = legend_columns(entries)
    return HEIGHT + LEGEND_ROW * -(-len(entries) // columns) if columns else HEIGHT


def error_sizes(series: Series) -> list[list[float]]:
    points = series.points
    return [[p.y - p.low if p.low is not None else NO_BAR for p in points],
            [p.high - p.y if p.high is not None else NO_BAR for p in points]]


def lines(figure, axes, chart: Chart) -> None:
    published = any(series.published for series in chart.series)
    for series in chart.series:
        i = series.rank
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        if series.published:
            axes.plot([p.x for p in series.published], [p.y for p in series.published], color=colour, linewidth=0.7,
                      linestyle=(0, (4, 2)), marker=marker, markersize=2.6, markerfacecolor="white", markeredgewidth=0.5)
        # if there are published lines, dashes mean "published", and only markers distinguish the series
        style = STYLES[(i // len(COLOURS) if published else i) % len(STYLES)]
        band(axes, series, colour)
        axes.errorbar([p.x for p in series.points], [p.y for p in series.points], yerr=error_sizes(series),
                      color=colour, linestyle=style, linewidth=1.3, marker=marker, markersize=4.2,
                      markeredgewidth=0, elinewidth=0.8, label=series.label)
    mark_one(axes, chart)
    axes.grid(axis="x", visible=False)
    if chart.x_log:
        axes.set_xscale("log", base=2)
    if chart.y_log:
        axes.set_yscale("log")
        label_decades(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    # a tick at each swept value, without a label where labels would touch
    axes.xaxis.set_major_locator(FixedLocator(apart(chart.x_values, chart.x_log)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: general(float(value))))
    axes.xaxis.set_minor_locator(FixedLocator(chart.x_values))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(wrapped(chart.y_info.head))
    # the legend in the order in which the lines end, so that the eye finds its line
    order = sorted(range(len(chart.series)), key=lambda i: -chart.series[i].points[-1].y)
    legend(figure, axes, order, chart)


def apart(values: Sequence[float], log: bool) -> list[float]:
    """The values, in order, whose labels do not touch the one before."""
    spots = [math.log2(value) if log else value for value in values]
    width = spots[-1] - spots[0] or 1
    kept, end = [], -math.inf
    for value, spot in zip(values, spots):
        half = CHARACTER * len(general(float(value))) / 2
        if (at := (spot - spots[0]) / width) - half >= end:
            kept.append(value)
            end = at + half + CHARACTER
    return kept


def band(axes, series: Series, colour: str) -> None:
    """A band between the ends of neighbouring intervals; no band next to a point without an interval."""
    if banded(series):
        ends = [(NO_BAR, NO_BAR) if p.low is None else (p.low, p.high) for p in series.points]
        axes.fill_between([p.x for p in series.points], *zip(*ends), color=colour, alpha=0.25, linewidth=0)


def mark_one(axes, chart: Chart) -> None:
    """A speedup of 1 is the baseline itself."""
    if chart.y_info.name == "speedup":
        axes.axhline(1, color=GREY, linewidth=0.7)


def label_decades(axis) -> None:
    """Labels decades with plain numbers; if there are few decades, also 2 and 5."""
    axis.set_major_locator(LogLocator(base=10, numticks=12))
    axis.set_minor_locator(LogLocator(base=10, subs=(2, 5), numticks=12))
    low, high = axis.get_view_interval()
    axis.set_major_formatter(FuncFormatter(tick))
    axis.set_minor_formatter(FuncFormatter(tick) if high / low < 200 else NullFormatter())


def tick(value: float, _) -> str:
    text = significant(value, 1)
    return text if "e" in text else general(float(text))


def legend(figure, axes, order: list[int], chart: Chart) -> None:
    handles, labels = axes.get_legend_handles_labels()
    pairs = dict(zip(labels, handles))  # matplotlib has another order: lines before bars with whiskers
    entries = legend_entries(chart)
    handles = [pairs[label] for label in entries[:len(chart.series) + len(chart.roofs)]]
    if len(entries) > len(handles):
        handles += axes.plot([], [], color=GREY, linewidth=0.7, linestyle=(0, (4, 2)))
        order = [*order, len(entries) - 1]
    if len(entries) < 2:
        return
    shown = [handles[i] for i in order], [entries[i] for i in order]
    if columns := legend_columns(entries):
        figure.legend(*shown, loc="outside lower center", ncols=columns, handlelength=2.6)
    else:
        figure.legend(*shown, loc="outside right upper", handlelength=2.6)


def bars(figure, axes, chart: Chart) -> None:
    xs = list(chart.x_values)
    width = 0.8 / len(chart.series)
    for i, series in enumerate(chart.series):
        colour = COLOURS[series.rank % len(COLOURS)]
        centres = [xs.index(p.x) + (i - (len(chart.series) - 1) / 2) * width for p in series.points]
        axes.bar(centres, [p.y for p in series.points], width * 0.94, yerr=error_sizes(series), label=series.label,
                 color=colour, edgecolor="black", linewidth=0.4,
                 error_kw={"elinewidth": 0.8, "capsize": 2, "capthick": 0.8, "ecolor": "black"})
    mark_one(axes, chart)
    axes.grid(axis="x", visible=False)
    if chart.y_log:
        axes.set_yscale("log")
        label_decades(axes.yaxis)
    axes.tick_params(axis="x", length=0)
    long = max(len(axis_text(x)) for x in xs) * len(xs) > 90
    axes.set_xticks(range(len(xs)), [axis_text(x) for x in xs], rotation=30 if long else 0, ha="right" if long else "center")
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(wrapped(chart.y_info.head))
    legend(figure, axes, list(range(len(chart.series))), chart)


def heatmap(figure, axes, chart: Chart) -> None:
    xs = list(chart.x_values)
    cells: list[list[Point | None]] = [[next((p for p in series.points if p.x == x), None) for x in xs] for series in chart.series]
    values = [[p.y if p else float("nan") for p in row] for row in cells]
    known = [p.y for row in cells for p in row if p]
    low, high = min(known), max(known)
    log = low > 0 and high / low >= 10
    norm = matplotlib.colors.LogNorm(low, high) if log else matplotlib.colors.Normalize(low, high)
    axes.pcolormesh(range(len(xs)), range(len(values)), values, cmap="cividis", norm=norm, edgecolors="white", linewidth=0.8)
    axes.invert_yaxis()
    axes.grid(visible=False)
    for r, row in enumerate(cells):
        for c, point in enumerate(row):
            if point:
                axes.text(c, r, significant(point.y, 3), ha="center", va="center", fontsize=7,
                          color="white" if norm(point.y) < 0.55 else "black", fontweight="bold" if point.best else "normal")
            if point and point.best:
                axes.add_patch(Rectangle((c - 0.46, r - 0.43), 0.92, 0.86, fill=False, edgecolor=FRAME, linewidth=1.6))
    axes.set_xticks(range(len(xs)), [axis_text(x) for x in xs])
    axes.set_yticks(range(len(chart.series)), [series.label for series in chart.series])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel(chart.x_label)
    axes.set_title(chart.y_info.head, loc="left", fontsize=8)


def roofline(figure, axes, chart: Chart) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    for series in chart.series:
        i = series.rank
        axes.errorbar([p.x for p in series.points], [p.y for p in series.points], yerr=error_sizes(series),
                      color=COLOURS[i % len(COLOURS)], linestyle="none", marker=MARKERS[i % len(MARKERS)], markersize=4.2,
                      markeredgewidth=0, elinewidth=0.8, label=series.label)
    low, high = min(chart.x_values), max(chart.x_values)
    for i, roof in enumerate(chart.roofs):
        ridge = roof.peak / roof.bandwidth
        xs = sorted({min(low, ridge) / 2, ridge, max(high, ridge) * 2})
        axes.plot(xs, [min(roof.peak, roof.bandwidth * x) for x in xs], color=GREY, linewidth=1.0,
                  linestyle=STYLES[i % len(STYLES)], label=roof.label)
        for x, y, ha, va, value in ((xs[-1], roof.peak, "right", "bottom", rate(roof.peak * 1e9, "FLOP/s")),
                                    (xs[0], roof.bandwidth * xs[0], "left", "top", "   " + rate(roof.bandwidth * 1e9, "B/s"))):
            axes.text(x, y, value, ha=ha, va=va, fontsize=7, color=GREY)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(wrapped(chart.y_info.head))
    for axis in (axes.xaxis, axes.yaxis):
        label_decades(axis)
    legend(figure, axes, list(range(len(chart.series) + len(chart.roofs))), chart)
