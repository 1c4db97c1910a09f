"""Registers, shared memory and occupancy of kernel functions, from the real nvcc. No GPU is needed."""

from conftest import ROOT, skip

from reports.drawing import layout

SHAPES = {"gpu_naive": 256, "gpu_shared": 256}  # with BLOCK=16


def test_the_resources_of_a_build_are_in_run_json_and_in_the_report(lab, harness, has_gpu):
    if "ok CUDA" not in " ".join(harness("doctor").out.split()):
        skip("this machine has no nvcc: harness doctor says how to get it")
    made = lab().sweep(*SHAPES, size=[64], BLOCK=[16])
    options = ["--gpu", "cuda"] if has_gpu else ["--gpu", "cuda", "--gpu-arch", "sm_90"]
    first = made.run(*options, report=True, timeout=600).expect(0).document
    variants = {variant["name"]: variant for variant in first["variants"]}
    assert {build["variant"] for build in first["builds"]} == set(SHAPES)
    for build in first["builds"]:
        variant = variants[build["variant"]]
        functions = build["kernel_functions"]
        assert {one["threads_per_block"] for one in functions} == {SHAPES[build["variant"]]}
        assert all(one["registers"] > 0 and 0 < one["occupancy"] <= 1 for one in functions)
        assert bool(functions[0].get("shared_bytes")) == (build["variant"] != "gpu_naive")
        assert "ptx" not in build["log"]
        drawn = layout(variant["drawing"], {**variant["macros"], **build["macros"]}, 4)
        assert drawn.threads == SHAPES[build["variant"]]
    naive = next(build["kernel_functions"] for build in first["builds"] if build["variant"] == "gpu_naive")
    assert {one["name"] for one in naive} == {f"gemm<{index}, {kind}>" for index in ("int", "long") for kind in ("float", "double", "lab::bf16")}
    report = (made.results.folder / "small/latest/report.md").read_text()
    assert "## Resources of the kernel functions" in report and "| `gpu_shared` | BLOCK=16 |" in report
    assert (made.results.folder / "small/latest/plots/kernel-1.svg").read_text().startswith("<svg ")
    # A build from the cache has them too.
    again = made.run(*options, timeout=600).document["builds"]
    assert {build["state"] for build in again} == {"cached"}
    assert [build["kernel_functions"] for build in again] == [build["kernel_functions"] for build in first["builds"]]
