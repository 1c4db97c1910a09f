from reports.document import plain
from reports.tests.small import ms, small_run, timed
from reports.trends import highlights


def sentences(cases) -> list[str]:
    return [plain(found) for found in highlights(small_run(cases))]


def rated(variant: str, size: int, gflops: float, half: float | None = 0.1, **more) -> dict:
    ends = {} if half is None else {"low": gflops - half, "high": gflops + half}
    return timed(variant, size, {"gflops": {"median": gflops, "n": 12 if ends else 1, **ends}}, **more)


def curve(variant: str, *rates: float, **more) -> list[dict]:
    return [rated(variant, 128 * 2**i, rate, **more) for i, rate in enumerate(rates)]


def blocks(variant: str, size: int, times: dict[int, dict]) -> list[dict]:
    return [timed(variant, size, time, axes={"BLOCK": block}) for block, time in times.items()]


def test_the_best_parameter_of_each_of_several_variants():
    cases = [case for size in (64, 128) for case in blocks("gpu_a", size, {8: ms(5, 0.1), 16: ms(4, 0.1)})]
    cases += blocks("gpu_a", 256, {8: ms(10, 0.1), 16: ms(30, 0.1)})
    cases += blocks("gpu_b", 64, {8: ms(3, 0.1), 16: ms(3.05, 0.1)})
    assert sentences(cases) == [
        "The best BLOCK of gpu_a is 16 at size 64 and 128 (1.2 times as fast as 8 at size=128); 8 at size 256 (3.0 "
        "times as fast as 16).",
        "The best BLOCK of gpu_b is 8 and 16 (tied) (3.00 ms and 3.05 ms)."]


def test_one_variant_needs_no_second_sentence():
    assert sentences(blocks("gpu_a", 64, {8: ms(5, 0.1), 16: ms(4, 0.1)})) == []


def test_the_next_best_is_measurably_slower():
    cases = blocks("gpu_a", 64, {8: ms(5, 0.1), 16: ms(5.2, n=1), 32: ms(6, 0.1)}) + blocks("gpu_b", 64, {8: ms(3, 0.1)})
    assert sentences(cases) == ["The best BLOCK of gpu_a is 8 (1.2 times as fast as 32)."]


def test_a_knee_is_the_first_size_near_all_that_larger_ones_reach():
    assert sentences(curve("cpu_a", 10, 50, 96, 100, 98)) == [
        "In the sweep sizes, rates stop growing where they reach at least 95 % of the rate at every larger size: cpu_a at size 512 (96.0 "
        "GFLOP/s; 10.0 at size 128, at most 100 at larger ones)."]


def test_a_dip_before_the_top_is_no_knee():
    (found,) = sentences(curve("cpu_a", 10, 60, 50, 100, 101))
    assert "cpu_a at size 1024 (100 " in found


def test_no_knee_where_a_rate_grows_to_its_end_falls_or_has_two_points():
    assert sentences(curve("cpu_a", 10, 20, 40, 80)) == []
    assert sentences(curve("cpu_a", 80, 40, 20, 10)) == []
    assert sentences(curve("cpu_a", 10, 10)) == []


def test_a_rate_that_falls_again_does_not_saturate():
    assert sentences(curve("cpu_a", 10, 50, 100, 60)) == []
    (found,) = sentences(curve("cpu_a", 10, 50, 100, 91))
    assert "cpu_a at size 512 (100 " in found


def test_single_samples_make_no_knee():
    assert sentences([*curve("cpu_a", 10, 50), rated("cpu_a", 512, 51, None), rated("cpu_a", 1024, 90)]) == []


def test_each_variant_has_one_line_with_the_highest_end():
    cases = curve("gpu_a", 10, 50, 51, axes={"BLOCK": 8}) + curve("gpu_a", 10, 70, 71, axes={"BLOCK": 16}) + curve("gpu_b", 5, 9, 9)
    (found,) = sentences(cases)
    assert "gpu_a BLOCK=16 at size 256 (70.0 " in found and "; gpu_b at size 256 (9.00" in found and "BLOCK=8" not in found
