from reports.document import plain
from reports.findings import findings, outcome
from reports.tests.conftest import load
from reports.tests.recorded import NO_GPU, recorded_run
from reports.tests.small import ms, small_run, timed


def sentences(run) -> list[str]:
    return [plain(finding) for finding in findings(run)]


def test_the_outcome_counts_what_ran(plain_run, student_run, gpu_run):
    assert outcome(plain_run) == f"46 of 46 passed; 32 skipped: {NO_GPU}"
    assert outcome(student_run) == f"46 of 56 passed; 5 wrong; 5 compile error; 32 skipped: {NO_GPU}"
    assert outcome(gpu_run) == "78 of 78 passed"


def test_the_outcome_of_other_endings():
    assert outcome(small_run([])) == "no case was run"
    cases = [timed("a", 128, {}, status="SKIPPED", reason=reason) for reason in ("needs avx512f", "needs cblas")]
    assert outcome(small_run(cases)) == "no case was run; 2 skipped, for 2 reasons"
    run = small_run([timed("a", 128, ms(1, 0.1)), timed("a", 256, {}, status="CANCELLED")], state="interrupted")
    assert outcome(run) == "1 of 1 passed; 1 cancelled; the run is not complete: it was interrupted"


def test_the_summary_of_a_whole_run(student_run):
    found = sentences(student_run)
    assert found[0] == "10 cases failed (cpu_student and cpu_broken): what was wrong is shown below."
    assert found[1].startswith("In cpu_sizes, cpu_openblas is fastest at every size from 128 to 2048: 6")
    assert found[2] == ("In cpu_blocks, BLOCK=64 is fastest at size 1024 and 2048; the slowest, BLOCK=1024, takes 1.571 "
                        "(1.564 to 1.583) times as long at size=2048.")
    assert found[4] == ("These pairs cannot be told apart: cpu_baseline and cpu_unrolled (size 128, 256, 512, 1024 and 2048: medians "
                        "at most 0.38 % apart).")
    assert found[5] == ("The published order of cpu_sizes, by kernel time, holds at size 1024 and differs at size 128, 256, 512 and "
                        "2048: of 30 pairs 26 stand as published and 4 the other way round.")
    assert len(found) == 8


def test_the_fastest_with_its_speedup_and_interval():
    cases = [timed("cpu_base", size, ms(t, 0.01)) for size, t in ((128, 5), (256, 40), (512, 320))]
    cases += [timed("cpu_x", size, ms(t, 0.01, median=8.1, low=8.02, high=8.21, paired=True))
              for size, t in ((128, 6), (256, 5), (512, 39.5))]
    assert sentences(small_run(cases))[:2] == [
        "In sizes, cpu_base is fastest at size 128; the slowest, cpu_x, takes 1.200 (1.195 to 1.205) times as long at size=128.",
        "In sizes, cpu_x is fastest at size 256 and 512: 8.10 (8.02 to 8.21) times as fast as cpu_base at size=512."]


def test_a_speedup_of_few_samples_says_so():
    cases = [timed("cpu_base", 128, ms(80, n=3) | {}), timed("cpu_x", 128, ms(10, 0.1, n=9, median=8.0))]
    cases[0]["metrics"]["kernel_ms"] |= {"min": 79, "max": 81}
    cases[1]["metrics"]["speedup"]["n"] = 3
    assert sentences(small_run(cases)) == [
        "In sizes, cpu_x is fastest: 8.00 (n = 3: no interval) times as fast as cpu_base.",
        "1 case has too few samples for an interval: cpu_base size=128 (n = 3)."]


def test_single_samples_prove_no_order():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, n=1)), timed("cpu_c", 128, ms(9, 0.1))]
    assert sentences(small_run(cases))[0] == (
        "In sizes, cpu_a is fastest; the slowest, cpu_c, takes 1.80 (1.74 to 1.86) times as long; 1 comparison rests on single samples.")


def test_nobody_is_fastest_while_an_unsteady_time_may_be_less():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7, 0.1))]
    said = ["In sizes, cpu_a is fastest; the slowest, cpu_b, takes 1.40 (1.35 to 1.45) times as long."]
    def with_third(time, half, status="UNSTABLE"):
        return sentences(small_run([*cases, timed("cpu_c", 128, ms(time, half), status=status)]))
    assert with_third(3, 1)[0] != said[0] and with_third(5.2, 0.4)[0] != said[0] and with_third(3, 1, "THROTTLED")[0] != said[0]
    assert with_third(9, 1)[0] == said[0]  # slower even at its best
    assert with_third(3, 1, "SUSPECT")[-1] == said[0]  # not believed, so no contender


def test_those_that_lead_together():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(5.1, 0.1)), timed("cpu_c", 128, ms(9, 0.1))]
    assert sentences(small_run(cases)) == [
        "In sizes, cpu_a and cpu_b lead and cannot be told apart (medians at most 2.0 % apart); the slowest, cpu_c, takes 1.80 (1.74 to 1.86) times as long."]
    assert sentences(small_run(cases[:2])) == ["In sizes, cpu_a and cpu_b cannot be told apart (medians at most 2.0 % apart)."]


def test_pairs_behind_the_leader_that_cannot_be_told_apart():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, 0.1)), timed("cpu_c", 128, ms(7, 0.1))]
    assert sentences(small_run(cases))[1] == "These pairs cannot be told apart: cpu_b and cpu_c (medians at most 1.4 % apart)."


def test_what_is_not_known_well_enough_is_not_said():
    cases = [timed("cpu_a", 128, ms(5.0, n=1)), timed("cpu_b", 128, ms(5.1, n=1))]
    assert sentences(small_run(cases)) == [
        "2 cases have too few samples for an interval: cpu_a size=128 (n = 1) and cpu_b size=128 (n = 1)."]


def test_numbers_of_cases_that_did_not_pass_are_never_ranked():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.1, 0.1)),
             timed("cpu_fake", 128, ms(0.1, 0.01), status="SUSPECT", reason="faster than the machine allows")]
    assert sentences(small_run(cases)) == [
        "1 case failed (cpu_fake): what was wrong is shown below.",
        "In sizes, cpu_a is fastest; the slowest, cpu_b, takes 1.42 (1.37 to 1.47) times as long."]


def test_the_limit_of_the_machine(plain_run):
    (sentence,) = [s for s in sentences(plain_run) if "limit" in s]
    assert sentence.startswith("The closest to the measured limit fma_f32 (160 GFLOP/s with 1 thread) is cpu_openblas at size=128: 73.")


def test_reused_cases_and_a_changed_harness():
    recorded = recorded_run()
    for case in recorded["cases"][:3]:
        case["reused_from"] = "20261120-101010-aaaa"
    recorded["run"]["harness"]["dirty"] = True
    found = sentences(load(recorded))
    assert ("3 cases of 78 are taken over from an earlier run (20261120-101010-aaaa), with the same sources, compiler, flags and "
            "machine.") in found
    assert found[-1].startswith("The harness itself had changes that its commit does not hold")


def test_noise_is_said():
    recorded = recorded_run()
    recorded["noise"]["before"]["load_1min"] = 9.7
    recorded["cases"][3].update(status="UNSTABLE", reason="wide")
    found = sentences(load(recorded))
    assert "1 case is right, but unstable, and not ranked: cpu_baseline size=1024." in found
    assert ("The machine was busy when the run began: a load of 9.7 on 2 cores. Its times can be too long, and scatter more than they "
            "would on a quiet machine.") in found


def test_many_changes_of_the_lead_become_few_sentences():
    times = {"cpu_a": (1, 9, 1, 9, 1, 9, 9, 9), "cpu_b": (9, 1, 9, 1, 9, 9, 9, 9), "cpu_c": (5, 5, 5, 5, 5, 1, 9.5, 2), "cpu_d": (8, 8, 8, 8, 8, 8, 1, 8)}
    found = sentences(small_run([timed(v, 2**i, ms(t, 0.01)) for v, row in times.items() for i, t in enumerate(row)]))
    assert found[:4] == [
        "In sizes, cpu_a is fastest at size 1, 4 and 16; the slowest, cpu_b, takes 9.00 (8.90 to 9.11) times as long at size=16.",
        "In sizes, cpu_b is fastest at size 2 and 8; the slowest, cpu_a, takes 9.00 (8.90 to 9.11) times as long at size=8.",
        "In sizes, cpu_c is fastest at size 32 and 128; the slowest, cpu_b, takes 4.500 (4.472 to 4.528) times as long at size=128.",
        "In sizes, others lead at 1 of its 8 problems."]


def test_whoever_is_not_proved_to_be_slower_is_not_called_the_slowest():
    cases = [timed("cpu_a", 128, ms(5.0, 0.1)), timed("cpu_b", 128, ms(7.0, 0.1)), timed("cpu_c", 128, ms(9, n=1))]
    assert sentences(small_run(cases))[0] == (
        "In sizes, cpu_a is fastest; cpu_b takes 1.40 (1.35 to 1.45) times as long; 1 comparison rests on single samples.")
