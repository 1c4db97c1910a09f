"""Everything that could change a number: machine, compilers, flags, sources, machine limits, noise, configuration."""

import shlex
from typing import Any, Mapping, Sequence

from reports import emulated, messages
from reports.document import Cell, Code, CodeBlock, Facts, Paragraph, Section, Table, Text, cell, numbers, say, text, without_empty_columns, words
from reports.language import told, tr
from reports.record import Build, Container, GpuCapacity, Machine, Run
from reports.numbers import bytes_text, general, rate, seconds_text
from reports.text import CONFIG_LIMIT, cut, line, listing, plural, unique

COMMAND_LIMIT = 4000
MAKERS_FLAGS = ("--json", "--no-report", "--quiet")
MAKERS_VALUES = ("--account", "--constraint", "--executor", "--gres", "--jobs", "--partition", "--results", "--sandbox", "--sbatch", "--time")


def command(words: Sequence[str]) -> str:
    return "bin/harness " + shlex.join(line(word, 200) for word in words) if words else ""


def rerun_command(run: Run) -> str:
    """Without the options that say where and how the maker worked: they do not change what is measured."""
    given = iter(run.run.command)
    kept: list[str] = []
    for word in given:
        if word in MAKERS_VALUES:
            next(given, "")
        elif word not in MAKERS_FLAGS and word.split("=")[0] not in MAKERS_VALUES:
            kept.append(word)
    return command(kept)


def machine_line(run: Run) -> str:
    """Intel Xeon, 2 cores, 24 GiB, Debian 12, kvm; no GPU"""
    machine, cpu, gpus = run.machine, run.machine.cpu, run.machine.gpus
    parts = [line(cpu.model, 100), plural(cpu.cores, "core") if cpu.cores else "",
             bytes_text(machine.memory_bytes) if machine.memory_bytes else "", line(machine.os, 60), line(machine.virtualization, 40)]
    names = unique(line(gpu.name, 80) for gpu in gpus)
    count = f"{len(gpus)} × " if len(gpus) > 1 else ""
    return ", ".join(part for part in parts if part) + (f"; {count}{listing(names)}" if gpus else tr("; no GPU"))


def section(run: Run) -> Section:
    parts = [Section(say("Run"), "run", (Facts(run_facts(run)),)),
             Section(say("Machine"), "machine", (Facts(machine_facts(run.machine)), *tools(run.machine)))]
    if run.machine_limits:
        parts.append(Section(say("Machine limits"), "limits", (machine_limits(run),)))
    if run.noise.before or run.noise.after:
        parts.append(Section(say("Noise before and after"), "noise", (noise(run),)))
    if run.builds:
        parts.append(Section(say("Builds"), "builds", tuple(builds(run))))
    parts += messages.sections(run)
    if run.run.config.text:
        path = run.run.config.path or tr("the configuration")
        parts.append(Section(say("Configuration"), "configuration",
                             (CodeBlock(cut(run.run.config.text, lines=5000, limit=CONFIG_LIMIT), text(Code(line(path)))),)))
    return Section(say("Provenance"), "provenance", sections=tuple(parts))


def facts(*rows: tuple[str, Any]) -> tuple[tuple[str, Text], ...]:
    return tuple((key, value if isinstance(value, tuple) else text(line(value, 2000))) for key, value in rows if value)


def run_facts(run: Run) -> tuple[tuple[str, Text], ...]:
    harness = run.run.harness
    commit = tr("{version}, commit {commit}", version=harness.version, commit=harness.commit or tr("unknown"))
    return facts((tr("run"), text(Code(run.run.id))), (tr("state"), tr(run.run.state)), (tr("started"), run.run.started),
                 (tr("finished"), run.run.finished), (tr("took"), seconds_text(run.run.seconds) if run.run.seconds is not None else ""),
                 (tr("command"), text(Code(command(run.run.command))) if run.run.command else ""),
                 (tr("harness"), commit + tr(", with uncommitted changes") * harness.dirty),
                 (tr("seed"), text(Code(run.run.seed)) if run.run.seed else ""), (tr("sandbox"), run.run.sandbox),
                 *(container_facts(run.container) if run.container else ()), (tr("emulated device"), emulated.fact(run)))


def container_facts(container: Container) -> tuple[tuple[str, Any], ...]:
    """The container image with the compilers and libraries, and the program that ran it."""
    by = [container.version, container.runtime, tr("memory and processes limited by {what}", what=container.limits)]
    return ((tr("image"), container.image), (tr("image digest"), text(Code(line(container.digest, 100)))),
            (tr("container"), ", ".join(part for part in by if part)), (tr("mounted from the host"), listing(container.mounts)),
            (tr("driver on the host"), container.driver))


def machine_facts(machine: Machine) -> tuple[tuple[str, Text], ...]:
    cpu = machine.cpu
    caches = [f"L{name.lstrip('l').removesuffix('_bytes')} {bytes_text(size)}"
              for name in ("l1d_bytes", "l2_bytes", "l3_bytes") if (size := getattr(cpu, name))]
    rows = [(tr("processor"), cpu.model), (tr("cores"), str(cpu.cores or "")), (tr("caches"), ", ".join(caches)),
            (tr("features"), " ".join(cpu.features)), (tr("governor"), cpu.governor), (tr("turbo"), cpu.turbo),
            (tr("memory"), bytes_text(machine.memory_bytes) if machine.memory_bytes else ""),
            (tr("system"), machine.os), (tr("kernel"), machine.kernel),
            (tr("virtualization"), machine.virtualization)]
    for gpu in machine.gpus:
        parts = [gpu.name, gpu.architecture, bytes_text(gpu.memory_bytes) if gpu.memory_bytes else "",
                 tr("driver {version}", version=gpu.driver) if gpu.driver else "", gpu.uuid,
                 *(f"{key} {value}" for key, value in flat(gpu.details).items())]
        rows.append(("GPU", ", ".join(part for part in parts if part)))
        if gpu.capacity:
            rows.append((tr("GPU capacity"), capacity_text(gpu.capacity)))
    if not machine.gpus:
        rows.append(("GPU", tr("none found")))
    return facts(*rows)


def capacity_text(gpu: GpuCapacity) -> str:
    """132 multiprocessors, 32 lanes in a warp, at most 2048 threads per multiprocessor, ..."""
    counts = {tr("{n} multiprocessors", n=gpu.multiprocessors): gpu.multiprocessors, tr("{n} lanes in a warp", n=gpu.warp_size): gpu.warp_size,
              tr("{n} threads per multiprocessor", n=gpu.threads_per_multiprocessor): gpu.threads_per_multiprocessor,
              tr("{n} threads per block", n=gpu.threads_per_block): gpu.threads_per_block,
              tr("{n} registers per block", n=gpu.registers_per_block): gpu.registers_per_block}
    memory = {tr("shared memory per multiprocessor"): gpu.shared_bytes_per_multiprocessor, tr("shared memory per block"): gpu.shared_bytes_per_block,
              tr("L2 cache"): gpu.l2_bytes}
    parts = [what for what, value in counts.items() if value]
    parts += [tr("{bytes} of {what}", bytes=bytes_text(value), what=what) for what, value in memory.items() if value]
    return tr(", ").join(parts + [tr("grids up to {size} blocks", size=" x ".join(map(str, gpu.grid)))] * bool(gpu.grid))


def tools(machine: Machine) -> list[Table]:
    rows = [(cell(Code(line(tool.name, 60))), cell(line(tool.version, 160) or "–")) for tool in machine.tools]
    return [Table(words("tool", "version"), tuple(rows))] if rows else []


def machine_limits(run: Run) -> Table:
    rows = []
    for one in run.machine_limits:
        unit = "B/s" if one.name.startswith("copy") else "FLOP/s"
        rows.append((cell(Code(line(one.name, 60))), cell(line(one.device, 60)), cell(str(one.threads)),
                     cell(rate(one.value, unit)), cell(line(told(one.method), 200))))
    columns = (*words("limit", "device"), *numbers("threads", "value"), *words("how it was measured"))
    return Table(columns, tuple(rows), caption=say("Measured on this machine. Shares of the machine limit are relative to these."))


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """{"load": {"one": 0.1}} -> {"load one": "0.1"}. At most 60 entries."""
    found: dict[str, str] = {}
    for key, value in values.items():
        name = f"{prefix} {key}".strip()
        if isinstance(value, Mapping):
            found.update(flat(value, name))
        elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
            found.update(flat({str(i): v for i, v in enumerate(value)}, name))
        elif isinstance(value, list):
            found[name] = ", ".join(str(v) for v in value)
        elif value is not None and value != "":
            found[name] = general(value)
    return dict(list(found.items())[:60])


def noise(run: Run) -> Table:
    before, after = flat(run.noise.before), flat(run.noise.after)
    rows = [(cell(line(tr(key.replace("_", " ")), 80)), cell(line(before.get(key, "–"), 80)), cell(line(after.get(key, "–"), 80)))
            for key in unique([*before, *after])]
    return Table(words("", "before", "after"), tuple(rows))


def builds(run: Run) -> list:
    """One row and one command per variant. The row lists the parameters of all its builds."""
    rows, commands = [], []
    for variant in unique(build.variant for build in run.builds):
        same = [build for build in run.builds if build.variant == variant]
        states = ", ".join(f"{sum(b.state == state for b in same)} {line(tr(state), 20)}" for state in unique(b.state for b in same))
        rows.append((cell(Code(line(variant, 80))), cell(macros(same) or "–"),
                     cell(line(states)), Cell(text(*hashes(same))), cell(line(listing(unique(b.compiler for b in same if b.compiler)), 80) or "–")))
        first = next((build for build in same if build.command), None)
        if first:
            name = line(variant, 80) + (f", {macros([first])}" if first.macros else "")
            commands.append((name, text(Code(line(first.command, COMMAND_LIMIT)))))
    table = without_empty_columns(Table(words("variant", "parameters", "builds", "source hash", "compiler"), tuple(rows)))
    return [table, Paragraph(say("The command of one build per variant:")), Facts(tuple(commands))] if commands else [table]


def macros(builds: list[Build]) -> str:
    """BLOCK=8, 16, 32"""
    found: dict[str, list[str]] = {}
    for build in builds:
        for name, value in build.macros.items():
            found.setdefault(name, []).append(general(value))
    return line("; ".join(f"{name}={', '.join(unique(values))}" for name, values in found.items()))


def hashes(builds: list[Build]) -> list:
    found = unique(build.source_hash[:12] for build in builds if build.source_hash)
    return [Code(line(found[0]))] + ([tr(" and {n} more", n=len(found) - 1)] if len(found) > 1 else []) if found else ["–"]
