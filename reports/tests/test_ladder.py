"""The first page: one chart, and five sentences for a reader who reads no more."""

from reports import highlights, ladder
from reports.document import Figure, plain
from reports.naming import point, sweep_name
from reports.sections import document
from reports.tests.conftest import load, part
from reports.tests.small import SIZES, run_of, small_run, timed


def rated(variant: str, size: int, ms: float, gflops: float, **more) -> dict:
    around = lambda value: {"median": value, "low": value * 0.99, "high": value * 1.01, "n": 12}
    metrics = {"kernel_ms": around(ms), "gflops": around(gflops)} | more.pop("metrics", {})
    return timed(variant, size, metrics, device="gpu", flops=2.0 * size**3, parameters={"size": size}, **more)


CASES = [rated("slow", 128, 8, 100), rated("fast", 128, 4, 200, axes={"BLOCK": 8}), rated("fast", 128, 2, 400, axes={"BLOCK": 16},
         metrics={"percent_of_limit": {"median": 20.0, "n": 12}}), rated("vendor", 128, 1, 800), rated("slow", 256, 64, 100),
         rated("fast", 256, 16, 400, axes={"BLOCK": 16})]


def made(cases=CASES):
    return small_run(cases, [SIZES], vendors=["vendor"])


def said(run) -> list[str]:
    return [plain(sentence) for sentence in highlights.first_page(run, ladder.ladder(run))]


def test_the_best_of_each_variant_where_most_were_measured():
    found = ladder.ladder(made())
    assert [ladder.name(made(), case) for case in found.rungs] == ["vendor", "fast BLOCK=16", "slow"] and found.where == "size=128"
    figure, chart = ladder.figure(made(), found)
    assert [(series.label, series.rank, series.points[0].y) for series in chart.series] == [
        ("vendor", 2, 800), ("fast BLOCK=16", 1, 400), ("slow", 1, 100)]
    assert figure.alt == "Ladder: arithmetic rate, GFLOP/s at size=128. vendor 800; fast BLOCK=16 400; slow 100."
    assert "Grey: the vendor's library." in plain(figure.caption)


def test_the_largest_problem_if_several_have_all_variants():
    assert ladder.ladder(made(CASES + [rated("vendor", 256, 8, 800)])).where == "size=256"


def test_no_ladder_without_a_second_variant():
    assert ladder.ladder(made([rated("slow", 128, 8, 100)])) is None
    assert not any(isinstance(block, Figure) for block in part(document(made([rated("slow", 128, 8, 100)]))[0], "summary").blocks)


def test_plain_sentences():
    run = made()
    assert said(run)[:2] == ["At size=128, vendor is the fastest of 3 variants: 800 GFLOP/s.",
                             "fast BLOCK=16, the best of the other variants, reaches 50 % of the rate of the vendor's library vendor and "
                             "20 % of what the machine can reach."]
    assert len(said(run)) <= 5 and said(run)[2].startswith("In “Times”, ")


def test_what_is_on_the_first_page_is_not_said_again(student_run):
    made, _ = document(student_run)
    first, more = ([plain(item) for item in part(made, anchor).blocks[0].items] for anchor in ("summary", "observations"))
    assert len(first) == 5 and first[0].startswith("10 cases failed") and not set(first) & set(more)
    assert first[3].startswith("Published figures come from other machines: of ")


def test_a_sentence_names_the_table_that_shows_all_of_its_sweep():
    assert plain(sweep_name(made(), "sizes", "kernel_ms")) == "“Times”"
    assert plain(sweep_name(made(), "sizes", "gflops", "kernel_ms")) == "“Times”"
    assert plain(sweep_name(made(), "sizes", "gflops")) == "the sweep sizes"  # the table shows another metric
    partly = small_run(CASES, [{**SIZES, "where": {"size": 128}}])
    assert plain(sweep_name(partly, "sizes", "kernel_ms")) == "the sweep sizes"


def test_a_parameter_that_never_changes_is_not_repeated():
    cases = [rated("slow", size, 8, 100, axes={"alpha": 1.5, "BLOCK": 16}) for size in (128, 256)]
    run = made(cases)
    assert [point(run, case) for case in run.cases] == ["size=128", "size=256"]
    assert point(made(cases[:1]), run.cases[0]) == "size=128 alpha=1.5 BLOCK=16"


def test_a_share_above_100_percent_keeps_its_digits():
    cases = [rated("mine", 128, 1, 1132), rated("vendor", 128, 1, 1000)]
    assert said(made(cases))[1] == "mine reaches 113 % of the rate of the vendor's library vendor."


def test_a_busy_machine_is_told_before_what_is_fastest(recorded):
    recorded["noise"]["before"]["load_1min"] = 9.7
    found = said(load(recorded))
    assert found[0].startswith("The machine was busy when the run began: its load was 9.7 on 2 cores.")


def test_a_less_precise_variant_says_so(recorded):
    recorded["variants"][0]["precision"] = "tf32"
    run = load(recorded)
    assert ladder.name(run, run.cases[0]) == f"{run.cases[0].variant} (tf32)"


def test_without_an_interval_nothing_is_the_fastest():
    one = rated("fast", 128, 1, 800)
    one["metrics"] = {name: {"median": metric["median"], "n": 1} for name, metric in one["metrics"].items()}
    assert said(made([one, rated("slow", 128, 8, 100)]))[0] == (
        "At size=128, fast has the highest rate of 2 variants: 800 GFLOP/s (too few samples for an interval: n = 1).")


def test_few_samples_are_told_once():
    one = rated("fast", 128, 1, 800_000)
    one["metrics"] = {name: {"median": metric["median"], "n": 1} for name, metric in one["metrics"].items()}
    base = rated("cpu_base", 128, 800, 1)
    base["metrics"]["gflops"] = {"median": 39.2, "n": 1}
    assert said(small_run([one, base]))[0] == (
        "At size=128, fast has the highest rate of 2 variants: 800 TFLOP/s, 20,400 times as fast as the baseline cpu_base "
        "(too few samples for an interval: n = 1).")


def test_a_baseline_with_few_samples_says_so():
    base = rated("cpu_base", 128, 800, 1)
    base["metrics"]["gflops"] = {"median": 1.0, "n": 1}
    assert said(small_run([rated("fast", 128, 1, 800), rated("slow", 128, 8, 100), base]))[0] == (
        "At size=128, fast is the fastest of 3 variants: 800 GFLOP/s, 800 times as fast as the baseline cpu_base (n = 1).")
    mine = rated("fast", 128, 1, 800, metrics={"speedup": {"median": 750.0, "low": 740, "high": 760, "n": 12, "over": "cpu_base"}})
    assert said(small_run([mine, base]))[0].endswith(": 800 GFLOP/s, 750 times as fast as the baseline cpu_base.")


def test_nothing_is_the_fastest_if_an_unranked_case_may_be():
    wide = rated("wide", 128, 1, 800, status="UNSTABLE")
    wide["metrics"] = {"kernel_ms": {"median": 1, "low": 0.2, "high": 3, "n": 9}, "gflops": {"median": 800, "low": 300, "high": 4000, "n": 9}}
    assert said(made([rated("fast", 128, 1, 800), rated("slow", 128, 8, 100), wide]))[0] == (
        "At size=128, fast has the highest rate of 2 variants: 800 GFLOP/s (not ranked, and maybe faster: wide).")


def test_a_share_is_relative_to_a_library_of_the_same_precision():
    cases = [rated("tensor", 128, 1, 800), rated("library", 128, 2, 400), rated("library_tf32", 128, 0.5, 1600)]
    variants = [{"name": name, "file": "", "summary": "", "gpu": True, "needs": [], "about": "", "from_submission": False, "precision": precision}
                for name, precision in (("tensor", "tf32"), ("library", ""), ("library_tf32", "tf32"))]
    run = run_of(cases=cases, vendors=["library", "library_tf32"], variants=variants)
    share = "tensor (tf32), the best of the other variants, reaches 50 % of the rate of the vendor's library library_tf32 (tf32)."
    assert said(run)[1] == share
    without = run_of(cases=cases[:2], vendors=["library"], variants=variants)
    assert not any("vendor's library" in sentence for sentence in said(without))
