"""What a run says of one printed figure."""

from reports import printed
from reports.tests.recorded import NO_GPU
from reports.tests.small import ms, small_run, timed
from reports.tests.test_published import file


def outcomes(cases: list[dict], figures: dict[str, float], metric: str = "kernel_ms") -> dict[str, tuple[str, str]]:
    """By variant, of one problem."""
    old = file(*((variant, {"size": 128}, value) for variant, value in figures.items()))
    for row in old["rows"]:
        row["values"] = {metric: row["values"]["kernel_ms"]}
    run = small_run(cases, published=[old])
    return {row.variant: printed.outcome(run, run.published[0], row, metric) for row in run.published[0].rows}


def slow_and_fast(slow: dict = ms(2, 0.01), fast: dict = ms(1, 0.01)) -> list[dict]:
    return [timed("slow", 128, slow), timed("fast", 128, fast)]


def test_an_order_holds_or_differs():
    assert outcomes(slow_and_fast(), {"slow": 90, "fast": 10}) == {"slow": ("ORDER HOLDS", "1 as printed"), "fast": ("ORDER HOLDS", "1 as printed")}
    assert outcomes(slow_and_fast(), {"slow": 10, "fast": 90})["slow"] == ("DIFFERENT", "1 opposite")


def test_one_opposite_pair_is_enough():
    cases = [*slow_and_fast(), timed("middle", 128, ms(1.5, 0.01)), timed("like_slow", 128, ms(2.005, 0.01))]
    found = outcomes(cases, {"slow": 90, "fast": 10, "middle": 95, "like_slow": 80})
    assert found["slow"] == ("DIFFERENT", "1 as printed, 1 opposite, 1 tied")
    assert found["fast"] == ("ORDER HOLDS", "3 as printed")


def test_a_rate_has_an_order_too():
    rate = lambda value: {"gflops": {"median": value, "low": value - 1, "high": value + 1, "n": 12}}
    cases = slow_and_fast(rate(100), rate(200))
    assert outcomes(cases, {"slow": 1, "fast": 2}, "gflops")["slow"] == ("ORDER HOLDS", "1 as printed")
    assert outcomes(cases, {"slow": 2, "fast": 1}, "gflops")["slow"] == ("DIFFERENT", "1 opposite")


def test_numbers_without_an_interval_decide_nothing():
    few = {"kernel_ms": {"median": 2, "n": 3, "min": 1.9, "max": 2.1}}
    found = outcomes(slow_and_fast(few), {"slow": 90, "fast": 10})
    assert found == {"slow": ("UNDECIDED", "too few samples for an interval"), "fast": ("UNDECIDED", "1 without an interval")}


def test_tied_times_decide_nothing():
    assert outcomes(slow_and_fast(ms(1.005, 0.01)), {"slow": 90, "fast": 10})["slow"] == ("UNDECIDED", "1 tied")


def test_equal_printed_figures_and_other_problems_have_no_order():
    nothing = ("NO ORDER", "the report prints no other figure of this problem")
    assert outcomes(slow_and_fast(), {"slow": 10, "fast": 10}) == {"slow": nothing, "fast": nothing}
    old = file(("slow", {"size": 128}, 1), ("slow", {"size": 256}, 9))
    run = small_run([timed("slow", size, ms(size, 0.01)) for size in (128, 256)], published=[old])
    assert [printed.outcome(run, run.published[0], row, "kernel_ms") for row in run.published[0].rows] == [nothing, nothing]


def test_a_problem_is_found_even_if_no_parameter_is_recorded():
    cases = [timed("a", size, ms(size, 0.01), parameters={}) for size in (128, 256)] + [timed("b", 128, ms(1, 0.01), parameters={})]
    run = small_run(cases, published=[file(("a", {"size": 128}, 9), ("a", {"size": 256}, 1), ("b", {"size": 128}, 5))])
    assert printed.outcome(run, run.published[0], run.published[0].rows[0], "kernel_ms") == ("ORDER HOLDS", "1 as printed")


def test_without_a_number_the_reason_is_told():
    found = outcomes([timed("slow", 128, {}, status="SKIPPED", reason=NO_GPU), timed("fast", 128, ms(1, 0.01)),
                      timed("wide", 128, ms(1, 0.5), status="UNSTABLE", reason="still ±9 % wide")],
                     {"slow": 9, "fast": 1, "wide": 5, "gone": 7})
    assert found == {"slow": ("NOT RUN", NO_GPU), "fast": ("UNDECIDED", "3 without an interval"),
                     "wide": ("UNDECIDED", "unstable: still ±9 % wide"), "gone": ("NOT RUN", "the lab has no such case")}
    assert outcomes(slow_and_fast(), {"slow": 1}, "h2d_ms") == {"slow": ("NOT RUN", "this run has no such number")}
