"""Draws the ladder: one bar for each variant, the fastest at the top."""

from matplotlib.ticker import NullLocator

from reports.numbers import significant
from reports.plots import Chart

COLOURS = ("#56B4E9", "#0072B2", "#BBBBBB")  # CPU, GPU, vendor
GREY = "#555555"


def draw(axes, chart: Chart, label_decades, error_sizes) -> None:
    for row, series in enumerate(chart.series):
        (point,) = series.points
        axes.barh(row, point.y, 0.7, xerr=[[0 if size != size else size for size in ends] for ends in error_sizes(series)],
                  color=COLOURS[series.rank], edgecolor="black", linewidth=0.4,
                  error_kw={"elinewidth": 0.8, "ecolor": "black"})
    if chart.x_log:
        axes.set_xscale("log")
        label_decades(axes.xaxis)
    for roof in chart.roofs:
        axes.axvline(roof.peak, color=GREY, linewidth=0.9, linestyle=(0, (5, 2)))
        axes.text(roof.peak, -0.6, roof.label, ha="right", va="bottom", fontsize=7, color=GREY)
    axes.margins(x=0.12)
    for row, series in enumerate(chart.series):
        axes.annotate(f" {significant(series.points[0].y, 3)}", (series.points[0].high or series.points[0].y, row), va="center", fontsize=7,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6}, xytext=(2, 0), textcoords="offset points")
    axes.set_yticks(range(len(chart.series)), [series.label for series in chart.series])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(chart.series) - 0.5, -1.2 if chart.roofs else -0.5)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(chart.y_info.head)
