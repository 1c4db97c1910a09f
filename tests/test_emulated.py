"""GPU variants on a machine without a GPU: what the emulated device sees reaches the student, and nothing is timed."""

import json

import jsonschema
import pytest
from conftest import ROOT

SHARED = (ROOT / "labs/gemm/gpu_shared.cu").read_text()
NAIVE = (ROOT / "labs/gemm/gpu_naive.cu").read_text()
BARRIER = "__syncthreads();  // both tiles are complete"
assert BARRIER in SHARED and "row >= g.m" in NAIVE


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.fixture
def run(lab, tmp_path, emulation):
    """Runs sources, by name, on the emulated device."""
    def start(sources, *words, blocks=(16,), sizes=(64,)):
        work = lab(tmp_path)
        for name, text in sources.items():
            work.variant(f"{name}.cu", text)
        macros = {"BLOCK": list(blocks)} if blocks else {}
        return work.sweep(name="gpu", size=list(sizes), **macros).run("--gpu", "emulated", *words)

    return start


def test_a_right_kernel_passes_with_hints_and_without_times(run):
    ran = run({"gpu_mine": SHARED}, blocks=(4, 8), sizes=(64, 100000))
    document = ran.expect().document
    jsonschema.Draft7Validator(json.loads((ROOT / "docs/run.schema.json").read_text())).validate(document)
    assert document["emulated"] == {"lanes": 32, "schedule": "mixed", "diagnostics": True}
    assert len(document["cases"]) == 4  # a problem of any size: it is not the one that runs
    for case in document["cases"]:
        assert (case["status"], case["device"], case["metrics"], case["samples_ms"]) == ("PASSED", "emulated", {}, [])
        assert case["check"]["shapes"] > 10
        assert {f["severity"] for f in case["diagnostics"]} == {"advice"}
    # A tile of 4 x 4 floats uses half of each 32-byte sector.
    found = next(f for f in document["cases"][0]["diagnostics"] if f["kind"] == "uncoalesced")
    assert (found["file"], found["have"], found["source"]) == ("gpu_mine.cu", 2 * found["ideal"],
                                                               SHARED.splitlines()[found["line"] - 1].strip())
    lines = ran.out.splitlines()
    assert sum(line.startswith("gpu_mine BLOCK=4 (submission): passed (emulated)") for line in lines) == 1
    assert lines.count(f"gpu_mine.cu:{found['line']}: {found['what']}") == 1

    again = run({"gpu_mine": SHARED}, blocks=(4, 8), sizes=(64, 100000))
    assert "4 passed, 0 failed, 0 skipped (4 known from earlier runs)" in again.out
    other = run({"gpu_mine": SHARED}, "--schedule", "random:7", "--json", blocks=(4, 8), sizes=(64, 100000))
    assert other.end["reused"] == 0
    assert other.document["emulated"]["schedule"] == "random:7"


def test_a_block_of_one_thread_wastes_its_warp(run):
    """Nothing that one thread asks for can be uncoalesced, so only the lanes tell."""
    kinds = {f["kind"]: f for f in run({"gpu_mine": SHARED}, "--json", blocks=(1,)).expect().case("gpu_mine")["diagnostics"]}
    assert 32 * kinds["idle_lanes"]["have"] == kinds["idle_lanes"]["ideal"] and "uncoalesced" not in kinds
    assert all(f["have"] > f["ideal"] for f in kinds.values() if f["kind"] == "redundant_traffic")


WAITS_IN_A_LOOP = """#include <cuda/barrier>
#include "lab/gemm.h"
constexpr int side = 16;
__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[side][side];
  __shared__ cuda::barrier<cuda::thread_scope_block> meet;
  if (threadIdx.x + threadIdx.y == 0) init(&meet, side * side);
  __syncthreads();
  const int x = threadIdx.x, y = threadIdx.y;
  const int64_t row = int64_t{blockIdx.y} * side + y, column = int64_t{blockIdx.x} * side + x;
  float sum = 0;
  for (int64_t p = 0; p < g.k; p += side) {
    a[x][y] = row < g.m && p + x < g.k ? g.a[row * g.lda + p + x] : 0;  // stores
    meet.arrive_and_wait();
    for (int q = 0; q < side && p + q < g.k; ++q) sum += a[q][y] * (column < g.n ? g.b[(p + q) * g.ldb + column] : 0);
    meet.arrive_and_wait();
  }
  if (row < g.m && column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(side, side)), dim3(side, side), 0, stream>>>(g);
}
"""


def test_threads_that_wait_in_a_loop_change_no_hint(run):
    """The lanes of a warp leave cuda::barrier one after the other, but their requests still belong together."""
    block = WAITS_IN_A_LOOP.replace("meet.arrive_and_wait()", "__syncthreads()")
    ran = run({"gpu_block": block, "gpu_loop": WAITS_IN_A_LOOP}, "--json", blocks=())

    def hints(name):
        return {(f["kind"], f["line"]) for f in ran.case(name)["diagnostics"] if f["kind"] in ("bank_conflicts", "divergence", "contention") and f["line"]}

    assert hints("gpu_block") == hints("gpu_loop")
    assert ("bank_conflicts", line_of(block, "// stores")) in hints("gpu_loop")


def test_a_missing_barrier_is_a_race(run):
    text = SHARED.replace(BARRIER, "")
    case = run({"gpu_race": text}, "--json").expect(1, gpu_race="WRONG").case("gpu_race")
    found = case["diagnostics"][0]
    use = line_of(text, "sum += a[y][q]")
    assert (found["kind"], found["severity"], found["file"]) == ("race_shared", "mistake", "gpu_race.cu")
    assert use in (found["line"], found["other_line"])
    assert "and there is no barrier between them" in found["what"]
    assert case["reason"] == found["what"]


def test_reading_over_the_edge(run):
    text = NAIVE.replace("row >= g.m", "row > g.m")
    case = run({"gpu_edge": text}, "--json").expect(1, gpu_edge="OUT_OF_BOUNDS").case("gpu_edge")
    assert case["diagnostics"][0]["kind"] == "out_of_bounds"
    found = case["diagnostics"][0]
    assert found["line"] == line_of(text, "sum += g.a")
    # The first check shape is 1 x 1 x 1: the row behind it.
    assert found["what"].endswith("at A[1][0], and A has 1 x 1 elements")


def test_each_case_runs_at_its_own_size_or_in_proportion(run):
    """The mistake shows at the case's size, or at that in proportion, and at no problem that is drawn at random."""
    text = NAIVE.replace("row >= g.m", "((g.k == 200 || g.k == 187) && row >= 160 && col >= 160) || row >= g.m")
    document = run({"gpu_short": text, "gpu_mine": NAIVE}, sizes=(150, 200, 3000)).expect(1).document
    cases = {(case["variant"], case["parameters"]["size"]): case for case in document["cases"]}
    for (variant, size), case in cases.items():
        assert case["status"] == ("WRONG" if variant == "gpu_short" and size > 150 else "PASSED"), case["reason"]
    assert "on m=200 n=200 k=200: " in cases["gpu_short", 200]["reason"]
    assert cases["gpu_mine", 150]["check"]["lines"][-1]["name"] == "own size, exact"
    reduced = cases["gpu_mine", 3000]["check"]["lines"][-1]
    assert reduced["name"] == "reduced size, exact" and "187" in reduced["detail"]


def test_names_of_hip_without_a_suffix(run):
    text = "#include <hip/hip_runtime.h>\n" + NAIVE.replace("blockIdx.", "hipBlockIdx.").replace("threadIdx.", "hipThreadIdx.")
    run({"gpu_hip": text}, "--json").expect(gpu_hip="PASSED")


def test_hints_for_a_kernel_that_needs_beta(run):
    refuses = "static void launch(const lab::Gemm<T>& g, lab::Stream stream) {"
    assert refuses in NAIVE
    text = NAIVE.replace(refuses, refuses + '\n  if (g.beta == 0) throw lab::Unsupported("beta must not be 0");')
    case = run({"gpu_beta": text}, "--json").expect(1, gpu_beta="SKIPPED").case("gpu_beta")  # the case has none
    assert "redundant_traffic" in {f["kind"] for f in case["diagnostics"]}


def test_without_diagnostics_results_are_still_checked(run):
    ran = run({"gpu_mine": SHARED, "gpu_sum": SHARED.replace("q < BLOCK", "q < BLOCK - 1")}, "--diagnostics", "off")
    document = ran.expect(1).document
    assert document["emulated"]["diagnostics"] is False
    assert [(case["status"], case.get("diagnostics")) for case in document["cases"]] == [("PASSED", None), ("WRONG", None)]


def test_a_wrong_result_is_looked_at_again_with_diagnostics(run):
    """The verdict is that of a GPU; the emulated device then looks for the mistake."""
    text = SHARED.replace(BARRIER, "")
    case = run({"gpu_race": text}, "--diagnostics", "off").expect(1, gpu_race="WRONG").case("gpu_race")
    assert "cells differ" in case["reason"]
    assert case["diagnostics"][0]["kind"] == "race_shared"
    assert case["diagnostics"][0]["line"] in (line_of(text, "sum += a[y][q]"), line_of(text, "a[y][x] ="))


def test_a_work_space_that_is_too_small_is_named(run):
    text = ('#include "lab/gemm.h"\n#ifndef BLOCK\n#define BLOCK 16\n#endif\n'
            "__global__ void clear(float* p) { p[threadIdx.x] = 0; }\n"
            "LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) { return 143; }\n"
            "LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {\n"
            "  clear<<<1, 4 * BLOCK, 0, stream>>>(static_cast<float*>(g.workspace));\n}\n")
    case = run({"gpu_mine": text}, "--schedule", "in_order", "--json").expect(1, gpu_mine="OUT_OF_BOUNDS").case("gpu_mine")
    assert case["reason"] == ("thread (36,0) of block (0,0) writes 4 bytes at gpu_mine.cu:5, at byte 144 of the work space, "
                              "which has 143 bytes")
    seen = next(f for f in case["diagnostics"] if f["kind"] == "out_of_bounds")
    assert seen["fix"] == ("compare the index with the size of the work space: is the size that the variant asks for large enough, and "
                           "in bytes?")


@pytest.mark.parametrize("old, new, error", [
    (BARRIER, 'asm volatile("bar.sync 0;");', "the emulated device has no inline PTX (asm)"),
    (BARRIER, "cudaGraph_t graph;", "the emulated device has no CUDA graphs"),
    (BARRIER, "cudaTextureObject_t texture;", "the emulated device has no textures"),
    ('#include "lab/gemm.h"', '#include <thrust/sort.h>', "the emulated device has no Thrust (thrust/sort.h)"),
    ('#include "lab/gemm.h"', '#include <curand_kernel.h>', "the emulated device has no cuRAND (curand_kernel.h)"),
    (BARRIER, "__synchthreads();", "'__synchthreads'"),
    ("stream>>>(g)", "stream>>(g)", 'the "<<<" of this launch is never closed with ">>>"')])
def test_errors_name_the_students_line(run, old, new, error):
    text = SHARED.replace(old, new)
    case = run({"gpu_error": text}, "--json").expect(1, gpu_error="COMPILE_ERROR").case("gpu_error")
    assert case["reason"].startswith(f"gpu_error.cu:{line_of(text, new)}:")
    assert error in case["reason"]


def test_a_pipeline_with_roles_is_refused(run):
    call = "cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, %s);"
    for role in ("cuda::pipeline_role::producer", "32"):
        text = SHARED.replace('#include "lab/gemm.h"', '#include <cuda/pipeline>\n#include "lab/gemm.h"').replace(
            BARRIER, "__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n" + call % role)
        case = run({"gpu_roles": text}, "--json").expect(1, gpu_roles="COMPILE_ERROR").case("gpu_roles")
        assert case["reason"].startswith(f"gpu_roles.cu:{line_of(text, call % role)}: ")
        assert case["reason"].endswith("in a pipeline of the emulated device each thread copies and computes: there are no roles")


def test_cases_that_are_reduced_to_one_problem_share_its_verdict(run):
    """Only a square of 256 lacks its last row. No shape of the check is one; 512 and 1024 are both tried at that size."""
    ran = run({"gpu_mine": NAIVE.replace("row >= g.m", "row >= g.m - (g.m == 256 && g.n == 256)")}, sizes=(512, 1024))
    assert [case["status"] for case in ran.document["cases"]] == ["WRONG", "WRONG"]
    assert all(case["reason"].startswith("on m=256 n=256 k=256") for case in ran.document["cases"])


def test_numbers_of_two_bytes_share_a_word_and_do_not_race(lab, tmp_path, emulation):
    work = lab(tmp_path, dtype="bf16").variant("gpu_mine.cu", NAIVE)
    work.sweep("gpu_mine", "gpu_cublas", size=65, alpha=1.5, beta=0.5).run("--gpu", "emulated").expect(gpu_mine="PASSED", gpu_cublas="PASSED")


def test_a_size_whose_stand_in_is_refused_is_left_out(run):
    """Nothing of such a size runs on the emulated device, so it cannot pass."""
    refuses = NAIVE.replace("static void launch(const lab::Gemm<T>& g, lab::Stream stream) {",
                            "static void launch(const lab::Gemm<T>& g, lab::Stream stream) {\n"
                            '  if (g.m > 200 && g.m < 1000 && g.n > 200) throw lab::Unsupported("a size between");')
    assert refuses != NAIVE
    ran = run({"gpu_mine": refuses}, sizes=(64, 2048))
    verdicts = {case["axes"]["size"]: (case["status"], case["reason"]) for case in ran.document["cases"]}
    assert verdicts[64][0] == "PASSED"
    assert verdicts[2048] == ("SKIPPED", "on the reduced size m=256 n=256 k=256: the variant does not support it: a size between")


@pytest.mark.parametrize("ends, reason", [("std::printf(\"stopped\"), exit(1)", "the process ended by itself with exit status 1"),
                                          ("std::puts(\"stopped\"), std::abort()", "abort (")])
def test_what_was_seen_is_told_of_a_program_that_ends_itself(run, ends, reason):
    """The macro of many textbooks. A program that ends for another reason says so."""
    checked = "#include <cstdio>\n#include <cstdlib>\n" + NAIVE.replace("row >= g.m", "row > g.m").replace(
        "stream>>>(part);", f'stream>>>(part), cudaStreamSynchronize(stream) && ({ends}, true);')
    plain = "#include <cstdio>\n#include <cstdlib>\n" + NAIVE.replace("stream>>>(part);", f"stream>>>(part), {ends};")
    ran = run({"gpu_checked": checked, "gpu_plain": plain}, "--json").expect(1, gpu_checked="OUT_OF_BOUNDS", gpu_plain="CRASHED")
    seen = ran.case("gpu_checked")
    assert seen["diagnostics"][0]["kind"] == "out_of_bounds" and "A has 1 x 1 elements" in seen["reason"]
    assert "stopped" in json.dumps(seen["notes"])
    assert reason in ran.case("gpu_plain")["reason"]


def test_a_fragment_that_was_not_filled_shows(run):
    source, fill = (ROOT / "labs/gemm/gpu_wmma.cu").read_text(), "wmma::fill_fragment(piece, 0.0f)"
    assert fill in source
    case = run({"gpu_mine": source.replace(fill, "(void)piece")}, blocks=()).expect(1, gpu_mine="WRONG").case("gpu_mine")
    assert "NaN" in case["reason"]
