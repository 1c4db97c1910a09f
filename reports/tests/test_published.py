from reports import published, published_tables, results
from reports.document import cell, plain
from reports.tests.recorded import NO_GPU, plot
from reports.tests.small import SIZES, ms, small_run, timed
from reports.tests.test_tables import rows


def file(*figures, **more) -> dict:
    return {"file": "configs/published/small.csv", "machine": "an old laptop",
            "rows": [{"variant": v, "dtype": "f32", "axes": axes, "values": {"kernel_ms": value}} for v, axes, value in figures],
            **more}


CASES = [timed("base", 128, ms(4.0, 0.02)), timed("avx", 128, ms(1.0, 0.02)), timed("blocked", 128, ms(1.01, 0.02)),
         timed("base", 256, ms(32, 0.1)), timed("avx", 256, ms(8, 0.1)), timed("blocked", 256, ms(6, 0.1))]
OLD = file(("base", {"size": 128}, 4.83), ("avx", {"size": 128}, 0.99), ("blocked", {"size": 128}, 1.28),
           ("base", {"size": 256}, 39.5), ("avx", {"size": 256}, 8.65), ("blocked", {"size": 256}, 9.18))


def compared(cases, old):
    run = small_run(cases, [SIZES], published=[old])
    (comparison,) = published.compare(run, run.published[0])
    return run, comparison


def test_values_and_ratios_are_side_by_side():
    run, comparison = compared(CASES, OLD)
    table = published_tables.value_table(run, comparison)
    assert [plain(c.flat or c.head) for c in table.columns] == [
        "variant", "size=128 published", "size=128 measured", "size=128 ratio", "size=256 published", "size=256 measured", "size=256 ratio"]
    assert rows(table) == [
        ["base", "4.83", "4.000 ±0.020", "1.21", "39.5", "32.00 ±0.10", "1.23"],
        ["avx", "0.99", "1.000 ±0.020", "0.990", "8.65", "8.00 ±0.10", "1.08"],
        ["blocked", "1.28", "1.010 ±0.020", "1.27", "9.18", "6.00 ±0.10", "1.53"]]
    assert plain(table.caption) == (
        "Kernel time in ms. Published: configs/published/small.csv, from an old laptop, without a spread. Ratio: published divided by "
        "measured, so this machine is better if the ratio is above 1. The two machines differ, so a ratio does not compare the "
        "programs alone.")


def test_many_problems_run_down_the_page():
    sizes = range(100, 1000, 100)
    cases = [timed("base", size, ms(size / 100, 0.02), axes={"filters": 4}) for size in sizes]
    run, comparison = compared(cases, file(*(("base", {"filters": 4, "size": size}, size / 50) for size in sizes)))
    table = published_tables.value_table(run, comparison)
    assert [plain(c.flat or c.head) for c in table.columns] == ["size", "base published", "base measured", "base ratio"]
    assert rows(table)[:2] == [["100", "2", "1.000 ±0.020", "2.00"], ["200", "4", "2.000 ±0.020", "2.00"]] and len(rows(table)) == 9
    assert plain(table.caption).startswith("Kernel time in ms, filters=4. Published: configs/published/small.csv")


def test_a_caption_has_the_note_of_the_published_file():
    run, comparison = compared(CASES, OLD | {"note": "the first call's set-up was timed"})
    note = "The first call's set-up was timed."
    assert plain(published_tables.value_table(run, comparison).caption).endswith(f"programs alone. {note}")
    assert plain(published_tables.value_table(run, comparison, explained=True).caption).endswith(f"published divided by measured. {note}")


def test_a_long_order_names_the_first():
    many = [timed("tiled", 128, ms(block, 0.001), axes={"BLOCK": block}) for block in range(1, 13)]
    _, comparison = compared(many, file(*(("tiled", {"size": 128, "BLOCK": block}, 13 - block) for block in range(1, 13))))
    table = published_tables.order_table(comparison, published.orders(comparison))
    assert rows(table) == [["128", "12 < 11 < 10 < 9 < 8 < 7 more", "1 < 2 < 3 < 4 < 5 < 7 more",
                            "differs in 66 of 66 pairs: in this run, 1 is better than 2"]]


def test_orders_agree_or_differ():
    _, comparison = compared(CASES, OLD)
    table = published_tables.order_table(comparison, published.orders(comparison))
    assert rows(table) == [
        ["128", "avx < blocked < base", "avx ~ blocked < base", "agrees; 1 pair is tied"],
        ["256", "avx < blocked < base", "blocked < avx < base", "differs in 1 of 3 pairs: in this run, blocked is better than avx"]]


def test_equal_orders_share_a_row():
    cases = [timed(name, size, ms(time, 0.01)) for size in (128, 256, 512) for name, time in (("a", 1.0), ("b", 2.0))]
    rows_of = [(name, {"size": size}, time) for size in (128, 256, 512) for name, time in (("a", 5.0), ("b", 6.0))]
    _, comparison = compared(cases, file(*rows_of))
    table = published_tables.order_table(comparison, published.orders(comparison))
    assert rows(table) == [["128, 256, 512", "a < b", "a < b", "agrees"]]


def test_tables_for_two_machines_name_them():
    run = small_run(CASES, [SIZES], published=[{**OLD, "machine": "an i7"}, {**OLD, "machine": "a Xeon"}])
    said = [plain(s) for s in published.highlights(run)]
    assert len(set(said)) == 2
    assert said[0].startswith("In “Times” (published for an i7), the published and ")
    assert said[1].startswith("In “Times” (published for a Xeon), the published and ")


def test_the_order_in_words():
    run, _ = compared(CASES, OLD)
    assert [plain(s) for s in published.highlights(run)] == [
        "In “Times”, the published and the measured order by kernel time agree at size 128 and differ at size 256: of 6 pairs, 4 have the "
        "published order, 1 the opposite order and 1 is tied."]


def test_an_order_of_one_tied_pair():
    _, comparison = compared(CASES[1:3], OLD)
    (order,) = published.orders(comparison)
    assert published_tables.agreement(comparison, order) == "undecided: all are tied"


def test_many_problems_become_rows(plain_run):
    (comparison,) = published.compare(plain_run, plain_run.published[0])
    table = published_tables.value_table(plain_run, comparison)
    assert [row[:3] for row in rows(table)[:3]] == [
        ["cpu_baseline", "published", "4.83"], ["cpu_baseline", "measured", rows(table)[1][2]], ["cpu_baseline", "ratio", "2.18"]]
    assert len(table.rows) == 12


def test_one_variant_by_its_parameter(plain_run):
    (comparison,) = published.compare(plain_run, plain_run.published[1])
    table = published_tables.value_table(plain_run, comparison)
    assert table.title == "Published and measured kernel time of cpu_avx_blocked"
    assert rows(table)[0][:2] == ["8", "748.3"]
    order = published_tables.order_table(comparison, published.orders(comparison))
    assert order.title == "Published and measured order of BLOCK"
    assert rows(order)[0][1] == "64 < 256 < 32 < 512 < 16 < 128 < 8 < 1024"


def test_a_row_prefers_the_case_swept_over_just_its_axes(plain_run):
    row = next(r for r in plain_run.published[0].rows if r.variant == "cpu_avx_blocked" and r.axes["size"] == 1024)
    assert published.find_case(plain_run, plain_run.published[0], row).sweep == "cpu_sizes"


def test_a_file_without_measured_cases_says_why(plain_run):
    assert published.compare(plain_run, plain_run.published[2]) == []
    assert published.not_compared(plain_run, plain_run.published[2]) == NO_GPU


def test_what_is_not_shown_is_listed_by_reason():
    cases = [timed("other", 128, ms(4.0, 0.02)), timed("gpu_x", 128, {}, "gpu", "SKIPPED", reason=NO_GPU)]
    tables = [SIZES, {**SIZES, "sweep": "gpu", "title": "On the GPU"}, {**SIZES, "sweep": "none", "title": "Nothing"}]
    run = small_run(cases, tables, [plot("Lines", "gpu", "lines", "size", ["kernel_ms"], [])], [OLD])
    found = results.sections(run)[0].results
    assert [plain(section.title) for section in found] == ["Times", "Not shown"]
    assert [plain(item) for item in found[1].blocks[0].items] == [
        f"On the GPU and Lines: {NO_GPU}.", "Nothing and configs/published/small.csv: the run has no such case."]


def test_failed_cases_show_their_status():
    run, comparison = compared([CASES[0], timed("avx", 128, {}, status="CRASHED", reason="signal 11")], OLD)
    table = published_tables.value_table(run, comparison)
    assert rows(table)[1] == ["avx", "0.99", "CRASHED (a)", "–"]


def test_metrics_without_intervals_are_not_ranked(gpu_run):
    copies = next(c for c in published.compare(gpu_run, gpu_run.published[2]) if c.info.name == "h2d_ms")
    assert published.orders(copies) == []


def test_higher_is_better_turns_the_ratio():
    rate = {"gflops": {"median": 20.0, "low": 19.9, "high": 20.1, "n": 12}}
    old = {**OLD, "rows": [{"variant": v, "axes": {"size": 128}, "values": {"gflops": g}} for v, g in (("base", 5.0), ("avx", 8.0))]}
    run, comparison = compared([timed("base", 128, rate), timed("avx", 128, {"gflops": {"median": 40.0, "low": 39, "high": 41, "n": 9}})], old)
    assert [row[3] for row in rows(published_tables.value_table(run, comparison))] == ["4.00", "5.00"]
    (order,) = published.orders(comparison)
    assert rows(published_tables.order_table(comparison, [order]))[0][1:] == ["avx > base", "avx > base", "agrees"]


def test_a_file_whose_columns_are_not_mapped_says_how():
    """With `published: [file.csv]`, the store writes rows without values."""
    old = {**OLD, "rows": [{"variant": v, "dtype": "f32", "axes": {}, "values": {}} for v in ("base", "avx")]}
    found = results.sections(small_run(CASES, [SIZES], published=[old]))[0].results
    assert [plain(item) for item in found[1].blocks[0].items] == [
        "configs/published/small.csv: the configuration maps none of its columns to a metric (published: values: {column: metric})."]


def test_only_the_first_caption_explains_the_ratio(gpu_run):
    found = results.sections(gpu_run)[0].published
    captions = [plain(table.caption) for section in found for table in section.blocks
                if type(table).__name__ == "Table" and table.title.startswith("Published and measured ") and "ratio" in str(table.caption).lower()]
    assert [caption.endswith("programs alone.") for caption in captions] == [True] + [False] * (len(captions) - 1)
    assert captions[1] == "Kernel time in ms. Published: configs/published/lab5_cpu_blocks.csv. Ratio: published divided by measured."


def test_numbers_without_an_interval_have_no_order():
    few = {"kernel_ms": {"median": 9.0, "n": 3, "min": 8.9, "max": 9.1}}
    cases = [*CASES[:3], timed("slow", 128, few)]
    _, comparison = compared(cases, file(*((name, {"size": 128}, value) for name, value in (("slow", 1), ("base", 4.83), ("avx", 0.99), ("blocked", 1.28)))))
    table = published_tables.order_table(comparison, published.orders(comparison))
    assert [row[2] for row in rows(table)] == ["avx ~ blocked < base"]
    assert plain(table.caption).endswith(" Cases with too few samples for an interval are left out.")


def test_what_does_not_occur_is_not_counted():
    order = lambda pairs, opposite, tied: published.Order((), (), (), pairs, tuple((("a",), ("b",)) for _ in range(opposite)), tied)
    assert published.counted([order(24, 0, 24)]) == "of 24 pairs, 24 are tied"
    assert published.counted([order(3, 1, 2)]) == "of 3 pairs, 1 has the opposite order and 2 are tied"
    assert published.counted([order(3, 2, 0), order(3, 0, 1)]) == "of 6 pairs, 3 have the published order, 2 the opposite order and 1 is tied"


def test_identical_orders_of_two_axes_are_one_row():
    made = [tuple(map(cell, (stride, size, "differs" if (stride, size) == ("3", "512") else "agrees")))
            for stride in ("1", "2", "3") for size in ("256", "512")]
    by_size = published_tables.merged(made, 1)
    told = [[plain(shown.text) for shown in row] for row in published_tables.merged(by_size, 0)]
    assert told == [["1, 2", "256, 512", "agrees"], ["3", "256", "agrees"], ["3", "512", "differs"]]
