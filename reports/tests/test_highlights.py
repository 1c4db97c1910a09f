from reports.document import plain
from reports.highlights import highlights, totals
from reports.tests.conftest import load
from reports.tests.recorded import NO_GPU, recorded_run
from reports.tests.small import ms, small_run, timed


def sentences(run) -> list[str]:
    return [plain(sentence) for sentence in highlights(run)]


def test_the_totals_count_what_ran(plain_run, student_run, gpu_run):
    assert totals(plain_run) == f"46 of 46 passed; 32 skipped: {NO_GPU}"
    assert totals(student_run) == f"46 of 56 passed; 5 wrong; 5 compile error; 32 skipped: {NO_GPU}"
    assert totals(gpu_run) == "78 of 78 passed"


def test_the_totals_of_other_endings():
    assert totals(small_run([])) == "no case was run"
    cases = [timed("a", 128, {}, status="SKIPPED", reason=reason) for reason in ("needs avx512f", "needs cblas")]
    assert totals(small_run(cases)) == "no case was run; 2 skipped, for 2 reasons"
    run = small_run([timed("a", 128, ms(1, 0.1)), timed("a", 256, {}, status="CANCELLED")], state="interrupted")
    assert totals(run) == "1 of 1 passed; 1 cancelled; the run is not complete: it was interrupted"


def test_the_summary_of_a_whole_run(student_run):
    found = sentences(student_run)
    assert found[0] == "10 cases failed (cpu_student and cpu_broken), see cases that did not pass."
    assert found[1].startswith("In “CPU variants by size”, cpu_openblas is the fastest at every size from 128 to 2048. It is 6")
    assert found[2] == ("In “Block edge of the blocked kernel”, BLOCK=64 is the fastest at size 1024 and 2048. The slowest, BLOCK=1024, takes 1.6 "
                        "times as long at size=2048.")
    assert found[4] == ("These pairs are tied: cpu_baseline and cpu_unrolled (size 128, 256, 512, 1024 and 2048: medians differ by at "
                        "most 0.38 %).")
    assert found[5] == ("In “CPU variants by size”, the published and the measured order by kernel time agree at size 1024 and differ at size 128, "
                        "256, 512 and 2048: of 27 pairs, 23 have the published order and 4 the opposite order.")
    assert len(found) == 8


def test_the_fastest_with_its_speedup_and_interval():
    cases = [timed("cpu_base", size, ms(t, 0.01)) for size, t in ((128, 5), (256, 40), (512, 320))]
    cases += [timed("cpu_x", size, ms(t, 0.01, median=8.1, low=8.02, high=8.21, paired=True))
              for size, t in ((128, 6), (256, 5), (512, 39.5))]
    assert sentences(small_run(cases))[:2] == [
        "In the sweep sizes, cpu_base is the fastest at size 128. The slowest, cpu_x, takes 1.2 times as long at size=128.",
        "In the sweep sizes, cpu_x is the fastest at size 256 and 512. It is 8.1 times as fast as cpu_base at size=512."]


def test_a_speedup_of_few_samples_says_so():
    cases = [timed("cpu_base", 128, ms(80, n=3) | {}), timed("cpu_x", 128, ms(10, 0.1, n=9, median=8.0))]
    cases[0]["metrics"]["kernel_ms"] |= {"min": 79, "max": 81}
    cases[1]["metrics"]["speedup"]["n"] = 3
    assert sentences(small_run(cases)) == [
        "In the sweep sizes, cpu_x is the fastest. It is 8.0 times as fast as cpu_base (too few samples for an interval: n = 3). 1 comparison is uncertain, "
        "because of too few samples.",
        "1 case has too few samples for an interval: cpu_base size=128 (n = 3)."]


def test_an_order_of_single_samples_is_uncertain():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, n=1)), timed("cpu_c", 128, ms(9, 0.1))]
    assert sentences(small_run(cases))[0] == (
        "In the sweep sizes, cpu_a is the fastest. The slowest, cpu_c, takes 1.8 times as long. 1 comparison is uncertain, "
        "because of too few samples.")


def test_nothing_is_fastest_if_an_unstable_time_may_be_shorter():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7, 0.1))]
    said = ["In the sweep sizes, cpu_a is the fastest. The slowest, cpu_b, takes 1.4 times as long."]
    def with_third(time, half, status="UNSTABLE"):
        return sentences(small_run([*cases, timed("cpu_c", 128, ms(time, half), status=status)]))
    assert with_third(3, 1)[0] != said[0] and with_third(5.2, 0.4)[0] != said[0] and with_third(3, 1, "THROTTLED")[0] != said[0]
    assert with_third(9, 1)[0] == said[0]  # slower even at its best
    assert with_third(3, 1, "SUSPECT")[-1] == said[0]  # a suspect time is never the fastest


def test_tied_leaders():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(5.1, 0.1)), timed("cpu_c", 128, ms(9, 0.1))]
    assert sentences(small_run(cases)) == [
        "In the sweep sizes, cpu_a and cpu_b are tied as the fastest (medians differ by at most 2.0 %). The slowest, cpu_c, takes 1.8 "
        "times as long."]
    assert sentences(small_run(cases[:2])) == ["In the sweep sizes, cpu_a and cpu_b are tied (medians differ by at most 2.0 %)."]


def test_a_speedup_of_tied_leaders_names_one():
    cases = [timed("cpu_base", 128, ms(40, 0.1)), timed("cpu_x", 128, ms(5, 0.1, median=8.0, low=7.8, high=8.2)),
             timed("cpu_y", 128, ms(5.1, 0.1, median=7.8, low=7.6, high=8.0))]
    assert sentences(small_run(cases))[0] == (
        "In the sweep sizes, cpu_x and cpu_y are tied as the fastest (medians differ by at most 2.0 %). cpu_x is 8.0 times as "
        "fast as cpu_base.")


def test_tied_pairs_behind_the_leader():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, 0.1)), timed("cpu_c", 128, ms(7, 0.1))]
    assert sentences(small_run(cases))[1] == "These pairs are tied: cpu_b and cpu_c (medians differ by at most 1.4 %)."


def test_nothing_is_said_about_single_samples():
    cases = [timed("cpu_a", 128, ms(5.0, n=1)), timed("cpu_b", 128, ms(5.1, n=1))]
    assert sentences(small_run(cases)) == [
        "2 cases have too few samples for an interval: cpu_a size=128 (n = 1) and cpu_b size=128 (n = 1)."]


def test_numbers_of_cases_that_did_not_pass_are_never_ranked():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, 0.1)),
             timed("cpu_fake", 128, ms(0.1, 0.01), status="SUSPECT", reason="faster than the machine allows")]
    assert sentences(small_run(cases)) == [
        "1 case failed (cpu_fake), see cases that did not pass.",
        "In the sweep sizes, cpu_a is the fastest. The slowest, cpu_b, takes 1.4 times as long."]


def test_the_limit_of_the_machine(plain_run):
    (sentence,) = [s for s in sentences(plain_run) if "limit" in s]
    assert sentence.startswith("cpu_openblas comes closest to the machine limit fma_f32 (160 GFLOP/s with 1 thread): it reaches 74")
    assert sentence.endswith(" % of it at size=128.")


def test_reused_cases_and_a_changed_harness():
    recorded = recorded_run()
    for case in recorded["cases"][:3]:
        case["reused_from"] = "20261120-101010-aaaa"
    recorded["run"]["harness"]["dirty"] = True
    found = sentences(load(recorded))
    assert ("3 of 78 cases were reused from an earlier run (20261120-101010-aaaa) with the same sources, compiler, flags and "
            "machine.") in found
    assert found[-1].startswith("The harness had uncommitted changes")


def test_noise_is_reported():
    recorded = recorded_run()
    recorded["noise"]["before"]["load_1min"] = 9.7
    recorded["cases"][3].update(status="UNSTABLE", reason="wide")
    found = sentences(load(recorded))
    assert "1 case is right but not ranked (unstable): cpu_baseline size=1024." in found
    assert ("The machine was busy when the run began: its load was 9.7 on 2 cores. Times can be longer, and scatter more, than on an "
            "idle machine.") in found


def test_many_changes_of_the_lead_become_few_sentences():
    times = {"cpu_a": (1, 9, 1, 9, 1, 9, 9, 9), "cpu_b": (9, 1, 9, 1, 9, 9, 9, 9), "cpu_c": (5, 5, 5, 5, 5, 1, 9.5, 2), "cpu_d": (8, 8, 8, 8, 8, 8, 1, 8)}
    found = sentences(small_run([timed(v, 2**i, ms(t, 0.01)) for v, row in times.items() for i, t in enumerate(row)]))
    assert found[:4] == [
        "In the sweep sizes, cpu_a is the fastest at size 1, 4 and 16. The slowest, cpu_b, takes 9.0 times as long at size=16.",
        "In the sweep sizes, cpu_b is the fastest at size 2 and 8. The slowest, cpu_a, takes 9.0 times as long at size=8.",
        "In the sweep sizes, cpu_c is the fastest at size 32 and 128. The slowest, cpu_b, takes 4.5 times as long at size=128.",
        "In the sweep sizes, others are the fastest at 1 of 8 problems."]


def test_a_single_sample_is_not_called_the_slowest():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.0, 0.1)), timed("cpu_c", 128, ms(9, n=1))]
    assert sentences(small_run(cases))[0] == (
        "In the sweep sizes, cpu_a is the fastest. cpu_b takes 1.4 times as long. 1 comparison is uncertain, because of too "
        "few samples.")
