"""The sections around the results: failures, checks, method and provenance."""

from reports import appendix, captions, checks, failures, messages, method, provenance
from reports.document import Bullets, CodeBlock, Facts, Paragraph, Section, Table, plain
from reports.sections import description, document, title_facts
from reports.tests.conftest import load, part
from reports.tests.recorded import WRONG, add_gpu, add_student, note, passed_check, recorded_run
from reports.tests.small import ms, run_of, small_run, timed


def lines(section: Section) -> list[str]:
    """Every block as text. The cells of a table row are separated by |."""
    found = []
    for block in section.blocks:
        match block:
            case Paragraph():
                found.append(plain(block.text))
            case Bullets():
                found += [f"- {plain(item)}" for item in block.items]
            case CodeBlock():
                found += [plain(block.caption), *block.code.split("\n")]
            case Facts():
                found += [f"{key}: {plain(value)}" for key, value in block.rows]
            case Table():
                found += ["|".join(plain(cell.text) for cell in row) for row in block.rows]
    return found + [line for inner in section.sections for line in lines(inner)]


def test_failures_show_the_messages_of_check_and_compiler(student_run):
    assert lines(failures.section(student_run)) == [
        f"WRONG cpu_student (submission), 5 cases (size 128, 256, 512, 1024 and 2048): {WRONG}",
        "COMPILE_ERROR cpu_broken (submission), 5 cases (size 128, 256, 512, 1024 and 2048): cpu_broken.cpp:7:19: error: expected ';' before "
        "'return'.",
        "The compiler's first error:",
        "cpu_broken.cpp:7:19: error: expected ';' before 'return'",
        "    7 |   c[i] = a[i] + 1",
        "      |                   ^",
        "- 32 cases skipped (gpu_naive and gpu_shared): no GPU was found on this machine.",
        "The configuration leaves out 4 points, for this reason:",
        "- gpu_naive at size 8192; BLOCK 4, 8, 16 and 32 of gpu_blocks: the report stops at 4096.",
        "PASSED|46|output is right, time measured|no",
        "WRONG|5|a result differs from the reference by more than rounding can explain|yes",
        "COMPILE_ERROR|5|the compiler or the linker refused the source|yes",
        "SKIPPED|32|not run, for the reason given|no"]


def test_different_reasons_are_listed_by_case():
    cases = [timed("a", size, {}, status="CRASHED", reason=f"signal {size % 7}") for size in (8, 16, 32, 64, 128, 256)]
    assert lines(failures.section(small_run(cases))) == [
        "CRASHED a, 6 cases (size 8, 16, 32, 64, 128 and 256).",
        "- size 8 and 64: signal 1.", "- size 16 and 128: signal 2.", "- size 32 and 256: signal 4.",
        "CRASHED|6|the variant's process ended by a signal or by itself|yes"]


def test_a_clean_run():
    assert lines(failures.section(small_run([timed("a", 8, ms(1, 0.1))])))[0] == "Every case of the run passed."


def test_a_description_has_whole_sentences():
    assert [description(summary) for summary in ("Loops.", "Loops. Half of", "Half of", "")] == ["Loops.", "Loops.", "Half of …", ""]


def test_an_error_near_its_bound_is_on_the_right_side_of_1():
    def shown(ratio: float) -> str:
        return checks.worst(run_of(cases=[timed("a", 128, {}, check=passed_check(ratio))]).cases, "worst_ratio")
    assert [shown(ratio) for ratio in (0.9962, 1.0004, 0.29, 1.0)] == ["0.996", "1.0004", "0.29", "1.0"]


def test_the_checks_by_variant(plain_run):
    found = lines(checks.section(plain_run))
    assert found[0] == "cpu_baseline|all|24|0.020|0.00050|all|all"
    assert "exact|the size of the case with small integers: every cell must be equal to the reference|46 of 46" in found
    assert "Self-test: the check rejects 9 of 9 deliberately wrong implementations and accepts the reference." in found
    assert "tf32|inputs are rounded to 10 bits|componentwise" in found


def test_a_check_that_misses_mistakes_is_reported():
    recorded = recorded_run()
    recorded["selftest"]["rows"][3]["rejected"] = False
    recorded["selftest"]["accepts_reference"] = False
    found = lines(checks.section(load(recorded)))
    assert ("Self-test: the check rejects 8 of 9 deliberately wrong implementations but REJECTS the reference. It does not detect "
            "all_zeros, so do not trust it for such mistakes.") in found
    assert "all_zeros|the output is zero|not rejected" in found


def test_cases_that_are_not_deterministic_are_counted():
    recorded = recorded_run()
    recorded["cases"][0]["check"]["deterministic"] = False
    recorded["cases"][1]["check"]["timed_output"] = False
    recorded["cases"][1]["check"]["lines"][0].update(right=False, worst_ratio=1e7)
    assert lines(checks.section(load(recorded)))[0] == "cpu_baseline|4 of 5|24|over 1000|0.00050|4 of 5|4 of 5"


def test_the_method_is_what_was_done(plain_run):
    assert lines(method.section(plain_run)) == [
        "- Every build was checked before it was timed. An output of the timed calls was checked again in every case. A case with a wrong "
        "output has no time in this report.",
        "- Time is the wall time of each call, in batches of at least 1 ms, with fresh inputs before each call, in the cache that the cores "
        "share (L3) or in one nearer to the core, and 1 pinned thread. Warm-up calls are not samples.",
        "- Each case was sampled until the 95 % interval of the median was within ±0.5 %, for at most 15 s, with 10 to 2000 samples "
        "(fewer if the time ran out first). 44 cases reached the requested precision; 2 cases reached the time limit of a case.",
        "- Numbers are medians. Intervals are 95 % intervals of the median. They come from order statistics, which assume no "
        "distribution and need six samples. A number has only those digits that its interval supports, and the spread after ± is "
        "rounded up. In sentences, the interval follows in parentheses. Rates and shares are computed from the median time. All "
        "samples are in run.json.",
        "- Speedup is the time of cpu_baseline divided by the time of the variant on the same problem. 24 of 25 speedups come from "
        "samples that were interleaved in random order and compared round by round, the others from the intervals of two medians. The "
        "two are tied (~) if the interval of their ratio contains 1. Any other two cases are tied if their intervals overlap.",
        "- Published figures are not targets. The report shows their ratio to the measured figures and compares the orders.",
        "- Compilers and variants ran in a sandbox (bwrap), in processes that never had the seed, the reference or the tolerance. The "
        "harness checked their outputs outside the sandbox.",
        "- The run had a time budget of 2 min. It limits the number of samples, so intervals can be wider than the requested precision."]


def test_the_method_on_a_gpu_and_without_a_sandbox():
    recorded = recorded_run()
    recorded["run"]["sandbox"] = "none"
    recorded["policy"]["gpu_cache"] = "hot"
    for case in recorded["cases"]:
        case["device"] = "gpu"
    found = lines(method.section(load(recorded)))
    assert found[1].startswith("- Time is measured with device events, with fresh inputs before each call, which may still be in the caches (hot).")
    assert "- Variants ran without a sandbox, as requested." in found


def test_the_method_says_where_inputs_of_a_cpu_are():
    recorded = recorded_run()
    recorded["policy"]["cpu_cache"] = "cold"
    assert ", with fresh inputs before each call, in memory and in no cache (cold), and 1 pinned thread" in lines(
        method.section(load(recorded)))[1]
    del recorded["policy"]["cpu_cache"]
    assert ", with fresh inputs before each call and 1 pinned thread" in lines(method.section(load(recorded)))[1]


def test_shapes_that_a_variant_does_not_support_are_counted():
    recorded = recorded_run()
    for case in recorded["cases"]:
        case["check"].update(shapes=3, left_out=18)
    assert lines(checks.section(load(recorded)))[0].split("|")[2] == "3 of 21"


def test_two_clocks_are_described_separately(gpu_run):
    assert captions.clock(gpu_run, gpu_run.cases) == (
        "time on the CPU is the wall time of each call, in batches of at least 1 ms, with fresh inputs before each call, in the cache "
        "that the cores share (L3) or in one nearer to the core, and 1 pinned thread; time on the GPU is measured with device events, with "
        "fresh inputs and a flushed second-level cache before each call (cold)")


def test_provenance_holds_what_could_change_a_number(plain_run):
    found = lines(provenance.section(plain_run))
    assert found[:9] == [
        "run: 20261121-091500-3f2a", "state: complete", "started: 2026-11-21T09:15:00Z", "finished: 2026-11-21T09:16:58Z",
        "took: 1 min 58 s", "command: bin/harness run configs/lab5.yaml --budget 120s", "harness: 0.1.0, commit abc1234",
        "seed: 8f3a11c09b2d4e55", "sandbox: bwrap"]
    assert "caches: L1d 48 KiB, L2 2 MiB, L3 105 MiB" in found
    assert "GPU: none found" in found
    assert "fma_f32|cpu|1|160 GFLOP/s|16 independent chains of 512-bit fused multiply-adds" in found
    assert "load 1min|0.12|1.03" in found and "gpus 0 clocks sm mhz|–|1980" in found
    assert "cpu_avx_blocked|BLOCK=8, 16, 32, 64, 128, 256, 512, 1024|9 built|8d35313a72f6|g++ 12.2.0" in found
    assert "cpu_avx: g++ -std=c++20 -O3 -march=native -ffp-contract=fast -fPIC -shared labs/gemm/cpu_avx.cpp -o variant.so" in found
    assert "\n".join(found).endswith(plain_run.run.config.text.rstrip())


def test_provenance_names_the_image_of_a_container():
    recorded = recorded_run()
    recorded["run"]["sandbox"] = "podman"
    recorded["container"] = {"program": "podman", "version": "podman version 4.3.1", "runtime": "runc", "image": "localhost/harness-cpu",
                             "digest": "sha256:77", "id": "ab12", "limits": "control groups", "mounts": ["/usr/local/cuda"],
                             "driver": "580.65.06"}
    found = lines(provenance.section(load(recorded)))
    assert found[8:14] == ["sandbox: podman", "image: localhost/harness-cpu", "image digest: sha256:77",
                           "container: podman version 4.3.1, runc, memory and processes limited by control groups",
                           "mounted from the host: /usr/local/cuda", "driver on the host: 580.65.06"]


def test_a_gpu_is_in_the_machine_line_and_the_provenance(gpu_run):
    assert provenance.machine_line(gpu_run) == (
        "Intel(R) Xeon(R) Processor @ 2.60GHz, 2 cores, 24 GiB, Debian GNU/Linux 12 (bookworm), kvm; NVIDIA H200")
    assert "GPU: NVIDIA H200, sm_90, 140 GiB, driver 580.65.06, GPU-0d1f, ecc on, power_limit_w 700" in lines(provenance.section(gpu_run))


def test_what_a_gpu_has_is_in_the_provenance(recorded):
    add_gpu(recorded)
    recorded["machine"]["gpus"][0]["capacity"] = {
        "multiprocessors": 132, "warp_size": 32, "threads_per_block": 1024, "threads_per_multiprocessor": 2048, "registers_per_block": 65536,
        "shared_bytes_per_block": 232448, "shared_bytes_per_multiprocessor": 233472, "l2_bytes": 62914560, "grid": [2147483647, 65535, 65535]}
    assert ("GPU capacity: 132 multiprocessors, 32 lanes in a warp, 2048 threads per multiprocessor, 1024 threads per block, "
            "65536 registers per block, 228 KiB of shared memory per multiprocessor, 227 KiB of shared memory per block, 60 MiB of L2 cache, "
            "grids up to 2147483647 x 65535 x 65535 blocks") in lines(provenance.section(load(recorded)))


def test_the_title_block(plain_run):
    assert [(key, plain(value)) for key, value in title_facts(plain_run)] == [
        ("Lab", "lab5"), ("Date", "2026-11-21 09:15:00 UTC"),
        ("Machine", "Intel(R) Xeon(R) Processor @ 2.60GHz, 2 cores, 24 GiB, Debian GNU/Linux 12 (bookworm), kvm; no GPU"),
        ("Rerun", "bin/harness run configs/lab5.yaml --budget 120s"), ("Run", "20261121-091500-3f2a")]


def test_the_command_to_rerun_can_be_pasted():
    run = small_run([], command=["run", "my lab.yaml", "--set", "size=1 2"])
    assert provenance.rerun_command(run) == "bin/harness run 'my lab.yaml' --set 'size=1 2'"


def test_the_command_to_rerun_lacks_what_is_the_makers_own():
    made = ["run", "lab.yaml", "--sandbox", "none", "--no-report", "--gpu", "cuda", "--results=/tmp/res", "--budget", "9s", "--results"]
    run = small_run([], command=made)
    assert provenance.rerun_command(run) == "bin/harness run lab.yaml --gpu cuda --budget 9s"
    assert provenance.command(run.run.command) == "bin/harness " + " ".join(made)


def test_the_baseline_is_shown_with_its_own_rate(plain_run):
    compared = lines(part(document(plain_run)[0], "compared"))
    assert compared[0] == "Kernel gemm: C = alpha A B + beta C, elements of type f32."
    assert compared[1].startswith("Speedups are relative to cpu_baseline, which reaches 1.89")
    assert compared[1].endswith(" GFLOP/s at size=2048.")
    assert "cpu_baseline (baseline)|Three loops, i-j-k, one multiply-add at a time.|CPU|lab" in compared


def test_sections_of_the_results_hold_table_and_plot_and_published_figures_come_at_the_end(student_run):
    made = document(student_run)[0]
    results, published = part(made, "results"), part(made, "published")
    kinds = {plain(section.title): [type(block).__name__ for block in section.blocks] for section in results.sections}
    assert kinds == {
        "CPU variants by size": ["Table", "Figure"],
        "Speedup of the CPU variants": ["Table", "Figure"],
        "Block edge of the blocked kernel": ["Table", "Figure"],
        "Block edge as a map": ["Figure"],
        "How close to the limits": ["Figure"],
        "Not shown": ["Bullets"]}
    assert {plain(section.title): len(section.blocks) for section in published.sections} == {
        "CPU variants by size": 2, "Block edge of the blocked kernel": 2}
    anchors = [section.anchor for section in made.sections]
    assert anchors[anchors.index("published") + 1:] == ["provenance", "all-cases"]
    assert lines(results.sections[-1]) == [
        "- Naive and shared by block edge and configs/published/lab5_gpu_blocks.csv: no GPU was found on this machine."]


def test_long_logs_are_cut():
    recorded = add_student(recorded_run())
    recorded["builds"][-1]["log"] = "x.cpp:1:1: error: no\n" + "y" * 100_000
    found = "\n".join(lines(failures.section(load(recorded))))
    assert len(found) < 8000 and "… (96021 more characters: see the logs of the run)" in found


def test_of_all_cases_an_axis_with_one_value_stands_in_the_title():
    made = appendix.section(small_run([timed("cpu_base", size, ms(2.0, 0.1), axes={"k": 8}) for size in (16, 32)]))
    [table] = [block for block in made.blocks if isinstance(block, Table)]
    assert table.title == "Sweep sizes: k=8"
    assert [plain(column.head) for column in table.columns][:3] == ["variant", "size", "n"]
    assert lines(made)[1:] == ["cpu_base|16|12|2.000|1.900|2.100", "cpu_base|32|12|2.000|1.900|2.100"]


def test_what_compilers_libraries_and_variants_said():
    recorded = recorded_run()
    for variant in recorded["variants"]:
        variant["about"] = "BLAS 3.1" if variant["name"] == "cpu_avx" else ""
    for case in recorded["cases"]:
        if case["variant"] == "cpu_avx":
            case["notes"] += [note("choice", "its library chose x", choice="wide" if case["axes"]["size"] > 500 else "narrow"),
                              note("printed", "it printed: x", output="\n".join(f"size {case['axes']['size']}, line {i}" for i in range(30)))]
    recorded["builds"][0]["warnings"] = recorded["builds"][1]["warnings"] = ["mine.cpp:3:7: warning: unused variable 'x'"]
    first, second = (build["variant"] for build in recorded["builds"][:2])
    said = [section for found in provenance.section(load(recorded)).sections if found.anchor in ("libraries", "warnings", "printed")
            for section in (plain(found.title), *lines(found))]
    assert said == ["Libraries", "cpu_avx: BLAS 3.1; chose narrow (size 128 and 256); chose wide (size 512, 1024 and 2048)",
                    "Compiler warnings", f"- {first}: mine.cpp:3:7: warning: unused variable 'x'",
                    f"- {second}: mine.cpp:3:7: warning: unused variable 'x'",
                    "Output of variants", "cpu_avx (size 128) printed:", *(f"size 128, line {i}" for i in range(10)),
                    said[-1]]
    assert said[-1].endswith("more characters: see the logs of the run)")
    assert messages.sections(small_run([timed("a", 8, ms(1, 0.1))])) == []
