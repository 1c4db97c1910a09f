import pytest

from reports.document import Table, plain
from reports.errors import ReportError
from reports.layout import WIDEST, width
from reports.record import Run
from reports.results import without_numbers
from reports.tables import build_tables, table_spec
from reports.tests.recorded import NO_GPU
from reports.tests.small import SIZES, ms, small_run, timed


def made(run: Run, index: int = 0) -> Table:
    (table,) = build_tables(run, table_spec(run.asked("tables", "table")[index]))
    return table


def shown(cell) -> str:
    parts = [plain(cell.text), cell.spread, "~" if cell.tied else "", f"({cell.mark})" if cell.mark else ""]
    return ("*" if cell.best else "") + " ".join(part for part in parts if part)


def rows(table: Table) -> list[list[str]]:
    return [[shown(cell) for cell in row] for row in table.rows]


BASE = [timed("cpu_base", 128, ms(4.83, 0.02)), timed("cpu_base", 2048, ms(9054.2, n=3))]


def test_cells_are_medians_with_their_intervals():
    run = small_run([*BASE, timed("cpu_avx", 128, ms(0.99, 0.004)), timed("cpu_avx", 2048, ms(1496.2, 5.3))], [SIZES])
    table = made(run)
    assert [plain(c.head) for c in table.columns] == ["variant", "128", "2048"]
    assert [plain(c.flat) for c in table.columns[1:]] == ["size=128", "size=2048"]
    assert [(plain(name), count) for name, count in table.spanners] == [("size", 2)]
    assert rows(table) == [["cpu_base", "4.830 ±0.020", "9050 n=3"],
                           ["cpu_avx", "*0.990 ±0.004", "*1496 ±6"]]
    assert plain(table.caption) == (
        "Kernel time in ms (lower is better). Each cell shows the median of n = 12 samples ± the larger distance to an end of its "
        "95 % interval (order statistics). Time is the wall time of each call, in batches of at least 1 ms, with fresh inputs before "
        "each call, in the cache that the cores share (L3) or in one nearer to the core, and 1 pinned thread. If there are too few samples "
        "for an interval, the cell shows their number (n=…). Bold: the best of each column, and all that are tied with it.")


def test_captions_say_what_shares_and_speedups_are_relative_to():
    measured = {"speedup_recorded": {"median": 9.0, "n": 1}, "percent_of_vendor": {"median": 70.0, "n": 12}}
    spec = SIZES | {"values": list(measured), "columns": ["size", "metric"]}
    run = small_run([timed("cpu_avx", 128, measured)], [spec], vendors=["cpu_openblas", "gpu_cublas"],
                    recorded_baseline={"file": "configs/published/old.csv", "source": "an earlier lab"})
    caption = plain(made(run).caption)
    assert "The recorded baseline is configs/published/old.csv, an earlier lab; a size that it lacks has no speedup." in caption
    assert "The vendor library is cpu_openblas or gpu_cublas, on the same device and with the same precision." in caption
    assert "recorded baseline" not in plain(made(small_run([timed("cpu_avx", 128, ms(1, 0.1))], [SIZES])).caption)


def test_a_counted_number_is_exact():
    run = small_run([timed("cpu_x", 128, {"warps_occupied": {"median": 163845, "n": 1}})], [SIZES | {"values": ["warps_occupied"]}])
    assert rows(made(run)) == [["cpu_x", "163845"]]
    assert "too few samples" not in plain(made(run).caption)


def test_tied_cells_are_bold_together_and_marked():
    run = small_run([*BASE, timed("cpu_x", 128, ms(4.82, 0.02, median=1.002, low=0.99, high=1.01, equal=True, paired=True)),
                     timed("cpu_y", 128, ms(6.0, 0.02))], [SIZES])
    table = made(run)
    assert rows(table) == [["cpu_base", "*4.830 ±0.020", "9050 n=3"],
                           ["cpu_x", "*4.820 ±0.020 ~", "–"],
                           ["cpu_y", "6.000 ±0.020", "–"]]
    assert plain(table.caption).endswith("~: tied with cpu_base.")


def test_nothing_is_bold_if_all_are_tied_or_there_is_only_one():
    run = small_run([timed("a", 128, ms(5, 0.1)), timed("b", 128, ms(5.05, 0.1)), timed("a", 256, ms(9, 0.1))], [SIZES])
    assert not any(cell.best for row in made(run).rows for cell in row)


def test_a_paired_comparison_is_preferred_to_intervals():
    faster = timed("cpu_x", 128, ms(4.82, 0.02, median=1.002, low=1.001, high=1.003, equal=False, paired=True))
    assert rows(made(small_run([BASE[0], faster], [SIZES]))) == [["cpu_base", "4.830 ±0.020"], ["cpu_x", "*4.820 ±0.020"]]


def test_cases_that_did_not_pass_show_their_status_with_a_footnote():
    run = small_run([*BASE, timed("cpu_bad", 128, {}, status="WRONG", reason="on m=1: 1 cell differs"),
                     timed("cpu_bad", 2048, {}, status="WRONG", reason="on m=1: 1 cell differs"),
                     timed("cpu_slow", 128, ms(7, 1), status="UNSTABLE", reason="still 14 % wide"),
                     timed("cpu_slow", 2048, {}, status="TIMEOUT")], [SIZES])
    table = made(run)
    assert rows(table)[1:] == [["cpu_bad", "WRONG (a)", "WRONG (a)"], ["cpu_slow", "7.0 ±1.0 (b)", "TIMEOUT (c)"]]
    assert [(mark, plain(note)) for mark, note in table.notes] == [
        ("a", "wrong: on m=1: 1 cell differs"), ("b", "unstable: still 14 % wide"), ("c", "timeout")]
    assert "Numbers with a footnote are not ranked." in plain(table.caption)


def test_excluded_points_say_why():
    run = small_run(BASE, [SIZES], excluded=[{"sweep": "sizes", "variant": "cpu_base", "axes": {"size": 512}, "reason": "slow"}])
    assert "excluded" not in str(rows(made(run)))  # no such column
    run = small_run([*BASE, timed("cpu_avx", 512, ms(3, 0.1))], [SIZES],
                    excluded=[{"sweep": "sizes", "variant": "cpu_base", "axes": {"size": 512}, "reason": "slow"}])
    table = made(run)
    assert rows(table) == [["cpu_base", "4.830 ±0.020", "excluded (a)", "9050 n=3"], ["cpu_avx", "–", "3.00 ±0.10", "–"]]
    assert [(mark, plain(note)) for mark, note in table.notes] == [("a", "excluded: slow")]


def test_axes_that_would_share_a_cell_become_rows():
    cases = [timed("a", 128, ms(b, 0.1), axes={"BLOCK": b}) for b in (16, 8)]
    table = made(small_run(cases, [SIZES]))
    assert [plain(c.head) for c in table.columns] == ["variant", "BLOCK", "128"]
    assert rows(table) == [["a", "8", "*8.00 ±0.10"], ["a", "16", "16.00 ±0.10"]]


def test_several_metrics_are_columns(gpu_run):
    table = made(gpu_run, 4)
    assert [plain(c.head) for c in table.columns] == [
        "size", "BLOCK", "kernel time, ms", "host-to-device copy, ms", "device-to-host copy, ms", "allocation, ms"]
    assert rows(table)[3][:2] == ["512", "32"] and rows(table)[3][2].startswith("*")
    assert "Bold: the best for each problem" in plain(table.caption)
    assert "Time is measured with device events, with fresh inputs and a flushed second-level cache before each call (cold)." in plain(table.caption)


def test_metrics_may_be_rows():
    spec = {**SIZES, "rows": ["variant", "metric"], "values": ["kernel_ms", "speedup"]}
    run = small_run([*BASE, timed("cpu_x", 128, ms(2.4, 0.1, median=2.01, low=1.9, high=2.1, paired=True))], [spec])
    assert rows(made(run)) == [
        ["cpu_base", "kernel time, ms", "4.830 ±0.020", "9050 n=3"], ["cpu_base", "speedup", "1", "1"],
        ["cpu_x", "kernel time, ms", "*2.40 ±0.10", "–"], ["cpu_x", "speedup", "2.01 ±0.11", "–"]]


def test_where_and_variants_select():
    cases = [timed(v, 128, ms(b, 0.1), axes={"BLOCK": b}) for v in ("cpu_a", "cpu_b", "gpu_a") for b in (8, 16)]
    run = small_run(cases, [{**SIZES, "variants": ["cpu_*"], "where": {"BLOCK": [16]}}])
    assert [row[0] for row in rows(made(run))] == ["cpu_a", "cpu_b"]


def test_a_sweep_without_cases_gives_no_table():
    run = small_run(BASE, [{**SIZES, "sweep": "others"}])
    assert build_tables(run, table_spec(run.asked("tables", "table")[0])) == []


def test_only_skipped_cases_make_no_table(plain_run):
    assert without_numbers(plain_run, table_spec(plain_run.asked("tables", "table")[3]).select) == NO_GPU
    assert without_numbers(plain_run, table_spec(plain_run.asked("tables", "table")[0]).select) == ""


def test_a_table_wider_than_a_page_is_cut():
    cases = [timed("a", 2**i, ms(1000 + i, 0.001)) for i in range(20)]
    run = small_run(cases, [SIZES])
    parts = build_tables(run, table_spec(run.asked("tables", "table")[0]))
    assert [part.title for part in parts] == ["Times (part 1 of 2)", "Times (part 2 of 2)"]
    assert [plain(c.head) for part in parts for c in part.columns[1:]] == [str(2**i) for i in range(20)]
    assert all(width(part) <= WIDEST for part in parts)


def test_a_spec_without_values():
    run = small_run(BASE, [{"title": "t", "sweep": "sizes", "rows": ["variant"]}])
    with pytest.raises(ReportError, match='^run.json: report: table 1: "values" is missing$'):
        table_spec(run.asked("tables", "table")[0])


def test_emulated_cases_have_no_times():
    run = small_run([*BASE, timed("gpu_x", 128, {}, device="emulated")], [SIZES])
    table = made(run)
    assert rows(table)[1] == ["gpu_x", "right (a)", "–"]
    assert plain(table.notes[0][1]) == (
        "right on the emulated device, at this size or at a smaller one of the same proportions; no time was measured")


def test_columns_that_are_empty_throughout_are_left_out():
    run = small_run([timed("cpu_a", 128, ms(2.0, 0.1)), timed("cpu_b", 128, ms(3.0, 0.1))],
                    [SIZES | {"columns": ["size", "metric"], "values": ["kernel_ms", "speedup"]}])
    table = made(run)
    assert [plain(column.flat or column.head) for column in table.columns] == ["variant", "size=128, kernel time, ms"]
    assert [count for _, count in table.spanners] == [1]
    assert plain(table.caption).endswith(" Columns without a number are left out: size=128, speedup.")


def test_a_column_of_excluded_and_missing_numbers_is_left_out():
    cases = [timed("cpu_a", 128, ms(2.0, 0.1)), *(timed("gpu_a", size, ms(1.0, 0.1) | {"total_ms": {"median": 3.0, "n": 1}}) for size in (128, 512))]
    run = small_run(cases, [SIZES | {"rows": ["size"], "columns": ["variant"], "values": ["total_ms"]}],
                    excluded=[{"sweep": "sizes", "variant": "cpu_a", "axes": {"size": 512}, "reason": "slow"}])
    table = made(run)
    assert [plain(column.flat or column.head) for column in table.columns] == ["size", "variant=gpu_a"] and table.notes == ()
    assert plain(table.caption).endswith(" Columns without a number are left out: variant=cpu_a.")


def test_a_computed_number_has_no_number_of_samples():
    run = small_run([timed("gpu_a", 128, {"warps_occupied": {"median": 2560, "n": 1}, "kernel_ms": {"median": 2.0, "n": 1}})],
                    [SIZES | {"columns": ["metric"], "values": ["warps_occupied", "kernel_ms"]}])
    assert rows(made(run)) == [["gpu_a", "2560", "2.00 n=1"]]
