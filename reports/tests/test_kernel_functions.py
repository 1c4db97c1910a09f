"""The table of registers, shared memory and occupancy."""

from reports import kernel_functions
from reports.document import plain
from reports.tests.small import run_of, timed
from reports.tests.test_tables import rows


def build(variant: str, macros: dict, *functions: dict) -> dict:
    return {"key": f"{variant}{macros}", "variant": variant, "macros": macros, "state": "built", "command": "", "compiler": "", "log": "",
            "source_hash": "", "kernel_functions": list(functions)}


def function(name: str, registers: int, **more) -> dict:
    return {"name": name, "architecture": "sm_90", "registers": registers, **more}


FULL = {"threads_per_block": 256, "blocks": 2, "warps": 16, "max_warps": 64, "occupancy": 0.25, "limited_by": "registers"}


def test_a_run_without_nvcc_has_no_section():
    assert kernel_functions.section(run_of(builds=[build("cpu_a", {})])) is None


def test_one_row_for_each_function():
    same = function("gemm<float>", 128, shared_bytes=16640, spill_store_bytes=8, spill_load_bytes=12, **FULL)
    run = run_of(builds=[
        build("gpu_a", {"BLOCK": "8"}, same, function("gemm<double>", 255), function("copy<double, float>", 9)), build("gpu_a", {"BLOCK": "16"}, same),
        build("gpu_b", {}, function("gemm<float>", 40, dynamic_shared=True, **FULL), function("fill", 255, threads_per_block=1024, max_warps=64))])
    about, table = kernel_functions.section(run).blocks
    assert plain(about.text) == ("What the compiler needs for the kernel functions of 2 variants, for sm_90. 1 row about functions for a type that no "
                                 "case has is only in run.json.")
    assert [plain(column.head) for column in table.columns] == [
        "variant", "parameters", "function", "threads", "registers", "spilled", "shared", "blocks", "occupancy", "limited by"]
    assert rows(table) == [
        ["gpu_a", "BLOCK=8, 16", "gemm<float>", "256", "128", "20", "16640", "2", "25.0 %", "registers"],
        ["gpu_a", "BLOCK=8", "copy<double, float>", "–", "9", "0", "0", "–", "–", "–"],
        ["gpu_b", "–", "gemm<float>", "256", "40", "0", "0 +", "≤ 2", "≤ 25.0 %", "registers"],
        ["gpu_b", "–", "fill", "1024", "255", "0", "0", "–", "–", "–"]]


def test_functions_of_all_types_of_the_cases():
    builds = [build("gpu_a", {}, function("gemm<float>", 128), function("gemm<double>", 255)), build("gpu_b", {}, function("gemm<float>", 40))]
    cases = [timed("gpu_a", 128, {}, dtype="f32"), timed("gpu_a", 256, {}, dtype="f64"), timed("gpu_b", 128, {}, dtype="f64")]
    about, table = kernel_functions.section(run_of(builds=builds, cases=cases)).blocks
    assert [row[:3] for row in rows(table)] == [["gpu_a", "–", "gemm<float>"], ["gpu_a", "–", "gemm<double>"]]
    assert " 1 row about functions for a type that no case has is only in run.json." in plain(about.text)


def test_no_column_where_nothing_spills():
    about, table = kernel_functions.section(run_of(builds=[build("gpu_a", {}, function("gemm<float>", 128, **FULL))])).blocks
    assert plain(about.text).endswith(" No function spills registers to slow memory.")
    assert "spilled" not in [plain(column.head) for column in table.columns]
