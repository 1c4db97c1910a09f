"""What each kernel function of a build needs, and how many of its blocks a multiprocessor can hold, as the compiler says."""

from reports.document import Code, Paragraph, Section, Table, cell, numbers, say, text, words
from reports.language import mark, told, tr, tr_many
from reports.numbers import significant
from reports.provenance import macros
from reports.record import Build, KernelFunction, Run
from reports.text import line, plural, unique

TYPES = {"f32": "float", "f64": "double", "bf16": "bf16"}
MOST_ROWS = 60
CAPTION = mark("Threads: of a block, as the source bounds them (__launch_bounds__). Shared: bytes of shared memory of a block; + means that the launch "
           "adds more, so that the occupancy can be lower. Spilled: bytes of a thread that did not fit into registers and are stored in slow memory. "
           "Blocks: how many a multiprocessor can hold at once. Occupancy: their warps divided by the most that it can hold, computed from the "
           "limits of the architecture in NVIDIA's CUDA C++ Programming Guide. A dash: the source states no threads, or the architecture is not known.")


def section(run: Run) -> Section | None:
    """Equal rows of builds with other parameters are one row. A function for an element type without a case is left out."""
    found: dict[tuple[str, KernelFunction], list[Build]] = {}
    for build in run.builds:
        for function in build.kernel_functions:
            found.setdefault((build.variant, function), []).append(build)
    if not found:
        return None
    shown = {(variant, function): builds for (variant, function), builds in found.items()
             if is_used(function, {TYPES[dtype] for dtype in run.types(variant)})}
    spilling = any(spilled(function) for _, function in shown)
    rows = [(cell(Code(line(variant, 80))), cell(macros(builds) or "–"), cell(Code(line(function.name, 120))), *figures(function, spilling))
            for (variant, function), builds in shown.items()]
    heads = (*words("variant", "parameters", "function"), *numbers("threads", "registers", *[mark("spilled")] * spilling, "shared", "blocks",
                                                                    "occupancy"), *words("limited by"))
    built_for = ", ".join(line(name, 40) for name in unique(function.architecture for _, function in found))
    left_out = len(found) - len(shown)
    about = [tr("What the compiler needs for the kernel functions of {variants}, for {architecture}.", architecture=built_for,
                variants=plural(len(unique(variant for variant, _ in found)), "variant"))]
    about += [tr("No function spills registers to slow memory.")] * (not spilling)
    about += [tr_many("{n} row about functions for a type that no case has is only in run.json.",
                      "{n} rows about functions for a type that no case has are only in run.json.", left_out)] * bool(left_out)
    about += [tr("The table ends after {n} rows; all {all} are in run.json.", n=MOST_ROWS, all=len(rows))] * (len(rows) > MOST_ROWS)
    return Section(say("Resources of the kernel functions"), "kernel-functions",
                   (Paragraph(text(" ".join(about))), Table(heads, tuple(rows[:MOST_ROWS]), caption=say(CAPTION), aligned=False)))


def is_used(function: KernelFunction, types: set[str]) -> bool:
    named = {name for name in TYPES.values() if name in function.name}
    return not named or bool(named & types)


def spilled(function: KernelFunction) -> int:
    return function.spill_store_bytes + function.spill_load_bytes


def figures(function: KernelFunction, spilling: bool) -> tuple:
    known = function.occupancy is not None
    at_most = "≤ " if function.dynamic_shared else ""
    return (cell(str(function.threads_per_block or "–")), cell(str(function.registers)),
            *[cell(str(spilled(function)))] * spilling, cell(str(function.shared_bytes) + " +" * bool(function.dynamic_shared)),
            cell(f"{at_most}{function.blocks}" if known else "–"),
            cell(f"{at_most}{significant(100 * function.occupancy, 3)} %" if known else "–"),
            cell(line(told(function.limited_by), 40) if known else "–"))
