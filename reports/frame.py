"""How large a drawing is and where its legend stands: known before it is drawn, so that the pages are laid out meanwhile."""

from reports.plots import Chart

WIDTH, HEIGHT = 6.5, 3.1  # inches: the text width of the page
LEGEND_ROW = 0.16


def legend_entries(chart: Chart) -> list[str]:
    """Published lines, of which there may be many, are one entry, the last."""
    entries = [series.label for series in chart.series] + [roof.label for roof in chart.roofs]
    return entries + ["published"] if any(series.published for series in chart.series) else entries


def legend_columns(entries: list[str]) -> int:
    """Of a legend below the axes; 0 where it stands beside them, or is none."""
    longest = max(map(len, entries))
    if len(entries) < 2 or (len(entries) <= 14 and longest <= 28):
        return 0
    return max(1, min(4, 100 // (longest + 8)))


def height(chart: Chart) -> float:
    if chart.kind == "heatmap":
        return max(1.7, min(HEIGHT * 1.6, 1.1 + 0.3 * len(chart.series)))
    entries = legend_entries(chart)
    columns = legend_columns(entries)
    return HEIGHT + LEGEND_ROW * -(-len(entries) // columns) if columns else HEIGHT
