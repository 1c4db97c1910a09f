import re
from dataclasses import replace

import pytest

from reports.document import plain
from reports.draw import FRAME, HEIGHT, apart, draw_svg, height, wrapped
from reports.errors import ReportError
from reports.plots import banded, build_figure, chart, plot_spec
from reports.tests.recorded import plot
from reports.tests.small import ms, small_run, timed

LINES = plot("Times", "sizes", "lines", "size", ["kernel_ms"], ["variant"])
CASES = [timed(v, size, ms(size / f, size / f / 100)) for v, f in (("a", 10), ("b", 30)) for size in (128, 256, 512, 1024)]


def made(run, index=0):
    return chart(run, plot_spec(run.asked("plots", "plot")[index]))


def test_lines_with_intervals():
    one = made(small_run(CASES, plots=[LINES]))
    assert [s.label for s in one.series] == ["a", "b"]
    assert one.x_values == (128, 256, 512, 1024)
    first = one.series[0].points[0]
    assert (first.x, first.y, first.low, first.high) == (128, 12.8, 12.672, 12.928)
    assert one.x_log and one.y_log


def test_the_configuration_decides_the_scales():
    one = made(small_run(CASES, plots=[{**LINES, "log": []}]))
    assert not one.x_log and not one.y_log
    one = made(small_run(CASES[:2], plots=[{**LINES, "log": ["y"]}]))
    assert one.y_log and not one.x_log


def test_published_figures_of_the_same_cases_only(plain_run):
    by_block = made(plain_run, 2)
    assert [(s.label, [p.y for p in s.published][:2]) for s in by_block.series] == [
        ("size=1024", [748.3, 691.7]), ("size=2048", [8220, 6245])]
    by_size = made(plain_run, 0)
    assert {s.label: len(s.published) for s in by_size.series} == {
        "cpu_baseline": 5, "cpu_unrolled": 0, "cpu_avx": 5, "cpu_avx_blocked": 5, "cpu_avx_blocked_bt": 5, "cpu_openblas": 0}


def test_axes_that_would_share_a_point_become_series():
    cases = [timed("a", 128, ms(b, 0.1), axes={"BLOCK": b}) for b in (16, 8)]
    assert [s.label for s in made(small_run(cases, plots=[LINES])).series] == ["a, BLOCK=8", "a, BLOCK=16"]


def test_colours_stay_with_the_variant(plain_run):
    rank = {s.label: s.rank for s in made(plain_run, 0).series}
    assert all(rank[s.label] == s.rank for s in made(plain_run, 1).series)
    assert "cpu_baseline" not in {s.label for s in made(plain_run, 1).series}


def test_several_metrics_are_series(gpu_run):
    one = made(gpu_run, 6)
    assert [s.label for s in one.series] == ["kernel time", "host-to-device copy", "device-to-host copy", "allocation"]
    assert one.y_info.head == "time, ms"


def test_words_on_the_x_axis_make_bars():
    cases = [timed(v, 128, ms(3, 0.1), axes={"PARTITION": p}) for v in ("a", "b") for p in ("row", "block")]
    one = made(small_run(cases, plots=[plot("t", "sizes", "lines", "PARTITION", ["kernel_ms"], ["variant"])]))
    assert one.kind == "bars" and one.x_values == ("row", "block")


def test_the_roofline_has_the_measured_limits(plain_run):
    one = made(plain_run, 4)
    assert [(roof.label, roof.peak, roof.bandwidth) for roof in one.roofs] == [("f32 limit, 1 thread", 160.0, 12.1)]
    assert one.series[0].points[0].x == pytest.approx(2 * 128**3 / (12 * 128**2))


def test_the_roofs_say_how_high_they_are(plain_run):
    assert re.findall(r"<text[^>]*>\s*(160 GFLOP/s|12.1 GB/s)<", draw_svg(made(plain_run, 4), "f")) == ["160 GFLOP/s", "12.1 GB/s"]


def test_a_band_needs_two_neighbours_with_intervals():
    def bands(*times):
        cases = [timed("a", 2**i, time) for i, time in enumerate(times, 7)]
        one = made(small_run(cases, plots=[LINES]))
        return banded(one.series[0]), draw_svg(one, "f").count('fill-opacity="0.25"')
    assert bands(ms(1, 0.1), ms(2, 0.1), ms(4, n=1)) == (True, 1)
    assert bands(ms(1, 0.1), ms(2, n=1), ms(4, 0.1)) == (False, 0)


MAP = {"title": "Map", "sweep": "sizes", "kind": "heatmap", "x": "BLOCK", "y": ["size"], "value": "kernel_ms"}


def test_a_heat_map_marks_the_best_of_each_problem_with_its_equals():
    times = {(64, 8): ms(5, 0.1), (64, 16): ms(4.95, 0.1), (64, 32): ms(9, 0.1), (128, 8): ms(50, 1), (128, 16): ms(40, 1), (128, 32): ms(45, n=1)}
    run = small_run([timed("a", size, time, axes={"BLOCK": block}) for (size, block), time in times.items()], plots=[MAP])
    one = made(run)
    assert [(s.label, [p.x for p in s.points if p.best]) for s in one.series] == [("size=64", [8, 16]), ("size=128", [16])]
    figure, _ = build_figure(run, plot_spec(run.asked("plots", "plot")[0]))
    assert plain(figure.caption) == ("Kernel time in ms (lower is better). Medians of n = 12 samples. Framed: the best for each problem, "
                                     "and all that are tied with it.")
    assert draw_svg(one, "f").count(f'stroke="{FRAME.lower()}"') == 3


def test_a_heat_map_marks_none_if_an_unranked_case_may_be_better():
    cases = [timed("a", 64, ms(t, 0.01), axes={"BLOCK": b}) for b, t in ((8, 1.0), (16, 2.0))]
    wide = timed("a", 64, ms(1.0, 0.5), axes={"BLOCK": 32}, status="UNSTABLE")
    marked = lambda found: [p.x for s in made(small_run(found, plots=[MAP])).series for p in s.points if p.best]
    assert marked(cases) == [8] and marked([*cases, wide]) == []


def test_caption_and_alternative_text(plain_run):
    figure, _ = build_figure(plain_run, plot_spec(plain_run.asked("plots", "plot")[0]))
    assert plain(figure.caption) == (
        "Kernel time in ms (lower is better): one call on data that is in place, set-up and copies apart. Medians of n = 14 samples; "
        "bars and bands are 95 % intervals. Points without a bar have too few samples for an interval. The x axis and y axis are "
        "logarithmic. Thin dashed lines: published figures, from another machine.")
    assert figure.alt.startswith("Lines: kernel time, ms over size 128 to 2048. cpu_baseline 2.2")


def test_the_caption_of_bars_of_several_metrics(gpu_run):
    figure, _ = build_figure(gpu_run, plot_spec(gpu_run.asked("plots", "plot")[6]))
    text = plain(figure.caption)
    assert text.startswith("Kernel time: one call on data that is in place") and "; host-to-device copy" in text and " Medians of n = " in text
    assert text.endswith(" The y axis is logarithmic. Compare the ends of the bars, not their lengths.")


def test_nothing_measured_is_nothing_to_draw(plain_run):
    assert made(plain_run, 5) is None


@pytest.mark.parametrize("change, expected", [
    ({"kind": "pie"}, 'run.json: report: plot 1: unknown plot kind "pie"'),
    ({"kind": "linse"}, 'run.json: report: plot 1: unknown plot kind "linse" (did you mean "lines"?)'),
    ({"x": ""}, 'run.json: report: plot 1: "x" is missing'),
    ({"y": []}, 'run.json: report: plot 1: "y" is missing'),
])
def test_mistakes_in_a_plot(change, expected):
    run = small_run(CASES, plots=[{**LINES, **change}])
    with pytest.raises(ReportError) as caught:
        plot_spec(run.asked("plots", "plot")[0])
    assert str(caught.value) == expected


@pytest.mark.parametrize("index", range(5))
def test_every_kind_draws_the_same_bytes_twice(plain_run, index):
    one = made(plain_run, index)
    svg = draw_svg(one, "figure-1")
    assert svg == draw_svg(one, "figure-1")
    assert "font-family=\"'DejaVu Sans', Verdana, sans-serif\"" in svg
    assert svg.startswith("<svg") and not re.search("<(!--|image|style|metadata)| style=", svg)
    assert set(re.findall(r'(?:href="|url\()#?([^")]*)', svg)) <= set(re.findall(r'\bid="([^"]+)"', svg))


def test_a_legend_below_makes_a_drawing_higher():
    cases = [timed(f"{'long' * 8}_{v}", size, ms(3, 0.1)) for v in range(5) for size in (128, 256)]
    one = made(small_run(cases, plots=[LINES]))
    assert height(one) > HEIGHT and f'height="{72 * height(one):g}pt"' in draw_svg(one, "f")


def test_labels_of_an_axis_do_not_touch():
    assert apart((100, 250, 500, 1000, 1023, 1500, 2000, 2047, 3000), True) == [100, 250, 500, 1000, 1500, 2000, 3000]
    assert apart((64,), True) == [64] and apart(tuple(range(1, 11)), False) == list(range(1, 11))


def test_labels_are_text_whatever_they_say():
    cases = [timed(v, size, ms(3, 0.1)) for v in ("$\\frac{a}{$", "<script>--> x", "变体") for size in (128, 256)]
    one = made(small_run(cases, plots=[LINES]))
    svg = draw_svg(one, "f")
    assert "&lt;script&gt;" in svg and "<script" not in svg and "变体" in svg


def test_a_long_label_of_the_y_axis_is_broken_into_lines():
    """matplotlib would cut it at the edge of the figure."""
    label = "occupied wavefronts (stated device: 2560 wavefronts of 64 lanes)"
    assert wrapped(label) == "occupied wavefronts (stated device: 2560\nwavefronts of 64 lanes)"
    assert wrapped("kernel time, ms") == "kernel time, ms"
    run = small_run(CASES, plots=[LINES])
    one = made(run)
    svg = draw_svg(replace(one, y_info=replace(one.y_info, label=label)), "figure-1")
    lines = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", svg)
    assert "wavefronts of 64 lanes), ms" in lines and f"{label}, ms" not in lines
