"""Everything that could change a number: machine, compilers, flags, sources, machine limits, noise, configuration."""

import shlex
from typing import Any, Mapping

from reports import emulated, messages
from reports.document import Cell, Code, CodeBlock, Facts, Paragraph, Section, Table, Text, cell, numbers, text, without_empty_columns, words
from reports.record import Build, Container, GpuCapacity, Machine, Run
from reports.numbers import bytes_text, general, rate, seconds_text
from reports.text import CONFIG_LIMIT, cut, line, listing, plural, unique

COMMAND_LIMIT = 4000


def rerun_command(run: Run) -> str:
    return "bin/harness " + shlex.join(line(word, 200) for word in run.run.command) if run.run.command else ""


def machine_line(run: Run) -> str:
    """Intel Xeon, 2 cores, 24 GiB, Debian 12, kvm; no GPU"""
    machine, cpu, gpus = run.machine, run.machine.cpu, run.machine.gpus
    parts = [line(cpu.model, 100), plural(cpu.cores, "core") if cpu.cores else "",
             bytes_text(machine.memory_bytes) if machine.memory_bytes else "", line(machine.os, 60), line(machine.virtualization, 40)]
    names = unique(line(gpu.name, 80) for gpu in gpus)
    count = f"{len(gpus)} × " if len(gpus) > 1 else ""
    return ", ".join(part for part in parts if part) + (f"; {count}{listing(names)}" if gpus else "; no GPU")


def section(run: Run) -> Section:
    parts = [Section(text("Run"), "run", (Facts(run_facts(run)),)),
             Section(text("Machine"), "machine", (Facts(machine_facts(run.machine)), *tools(run.machine)))]
    if run.machine_limits:
        parts.append(Section(text("Machine limits"), "limits", (machine_limits(run),)))
    if run.noise.before or run.noise.after:
        parts.append(Section(text("Noise before and after"), "noise", (noise(run),)))
    if run.builds:
        parts.append(Section(text("Builds"), "builds", tuple(builds(run))))
    parts += messages.sections(run)
    if run.run.config.text:
        path = run.run.config.path or "the configuration"
        parts.append(Section(text("Configuration"), "configuration",
                             (CodeBlock(cut(run.run.config.text, lines=5000, limit=CONFIG_LIMIT), text(Code(line(path)))),)))
    return Section(text("Provenance"), "provenance", sections=tuple(parts))


def facts(*rows: tuple[str, Any]) -> tuple[tuple[str, Text], ...]:
    return tuple((key, value if isinstance(value, tuple) else text(line(value, 2000))) for key, value in rows if value)


def run_facts(run: Run) -> tuple[tuple[str, Text], ...]:
    commit = f"{run.run.harness.version}, commit {run.run.harness.commit or 'unknown'}{', with uncommitted changes' if run.run.harness.dirty else ''}"
    return facts(("run", text(Code(run.run.id))), ("state", run.run.state), ("started", run.run.started), ("finished", run.run.finished),
                 ("took", seconds_text(run.run.seconds) if run.run.seconds is not None else ""),
                 ("command", text(Code(rerun_command(run))) if run.run.command else ""), ("harness", commit),
                 ("seed", text(Code(run.run.seed)) if run.run.seed else ""), ("sandbox", run.run.sandbox), *(container_facts(run.container) if run.container else ()),
                 ("emulated device", emulated.fact(run)))


def container_facts(container: Container) -> tuple[tuple[str, Any], ...]:
    """The container image with the compilers and libraries, and the program that ran it."""
    by = [container.version, container.runtime, f"memory and processes limited by {container.limits}"]
    return (("image", container.image), ("image digest", text(Code(line(container.digest, 100)))),
            ("container", ", ".join(part for part in by if part)), ("mounted from the host", listing(container.mounts)),
            ("driver on the host", container.driver))


def machine_facts(machine: Machine) -> tuple[tuple[str, Text], ...]:
    cpu = machine.cpu
    caches = [f"L{name.lstrip('l').removesuffix('_bytes')} {bytes_text(size)}"
              for name in ("l1d_bytes", "l2_bytes", "l3_bytes") if (size := getattr(cpu, name))]
    rows = [("processor", cpu.model), ("cores", str(cpu.cores or "")), ("caches", ", ".join(caches)),
            ("features", " ".join(cpu.features)), ("governor", cpu.governor), ("turbo", cpu.turbo),
            ("memory", bytes_text(machine.memory_bytes) if machine.memory_bytes else ""),
            ("system", machine.os), ("kernel", machine.kernel), ("virtualization", machine.virtualization)]
    for gpu in machine.gpus:
        parts = [gpu.name, gpu.architecture, bytes_text(gpu.memory_bytes) if gpu.memory_bytes else "",
                 f"driver {gpu.driver}" if gpu.driver else "", gpu.uuid,
                 *(f"{key} {value}" for key, value in flat(gpu.details).items())]
        rows.append(("GPU", ", ".join(part for part in parts if part)))
        if gpu.capacity:
            rows.append(("GPU capacity", capacity_text(gpu.capacity)))
    if not machine.gpus:
        rows.append(("GPU", "none found"))
    return facts(*rows)


def capacity_text(gpu: GpuCapacity) -> str:
    """132 multiprocessors, 32 lanes in a warp, at most 2048 threads per multiprocessor, ..."""
    counts = {"multiprocessors": gpu.multiprocessors, "lanes in a warp": gpu.warp_size,
              "threads per multiprocessor": gpu.threads_per_multiprocessor, "threads per block": gpu.threads_per_block,
              "registers per block": gpu.registers_per_block}
    memory = {"shared memory per multiprocessor": gpu.shared_bytes_per_multiprocessor, "shared memory per block": gpu.shared_bytes_per_block,
              "L2 cache": gpu.l2_bytes}
    parts = [f"{value} {what}" for what, value in counts.items() if value] + [f"{bytes_text(value)} of {what}" for what, value in memory.items() if value]
    return ", ".join(parts + [f"grids up to {' x '.join(map(str, gpu.grid))} blocks"] * bool(gpu.grid))


def tools(machine: Machine) -> list[Table]:
    rows = [(cell(Code(line(tool.name, 60))), cell(line(tool.version, 160) or "–")) for tool in machine.tools]
    return [Table(words("tool", "version"), tuple(rows))] if rows else []


def machine_limits(run: Run) -> Table:
    rows = []
    for one in run.machine_limits:
        unit = "B/s" if one.name.startswith("copy") else "FLOP/s"
        rows.append((cell(Code(line(one.name, 60))), cell(line(one.device, 60)), cell(str(one.threads)),
                     cell(rate(one.value, unit)), cell(line(one.method, 200))))
    columns = (*words("limit", "device"), *numbers("threads", "value"), *words("how it was measured"))
    return Table(columns, tuple(rows), caption=text("Measured on this machine. Shares of the machine limit are relative to these."))


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
    rows = [(cell(line(key.replace("_", " "), 80)), cell(line(before.get(key, "–"), 80)), cell(line(after.get(key, "–"), 80)))
            for key in unique([*before, *after])]
    return Table(words("", "before", "after"), tuple(rows))


def builds(run: Run) -> list:
    """One row and one command per variant. The row lists the parameters of all its builds."""
    rows, commands = [], []
    for variant in unique(build.variant for build in run.builds):
        same = [build for build in run.builds if build.variant == variant]
        states = ", ".join(f"{sum(b.state == state for b in same)} {line(state, 20)}" for state in unique(b.state for b in same))
        rows.append((cell(Code(line(variant, 80))), cell(macros(same) or "–"),
                     cell(line(states)), Cell(text(*hashes(same))), cell(line(listing(unique(b.compiler for b in same if b.compiler)), 80) or "–")))
        first = next((build for build in same if build.command), None)
        if first:
            name = line(variant, 80) + (f", {macros([first])}" if first.macros else "")
            commands.append((name, text(Code(line(first.command, COMMAND_LIMIT)))))
    table = without_empty_columns(Table(words("variant", "parameters", "builds", "source hash", "compiler"), tuple(rows)))
    return [table, Paragraph(text("The command of one build per variant:")), Facts(tuple(commands))] if commands else [table]


def macros(builds: list[Build]) -> str:
    """BLOCK=8, 16, 32"""
    found: dict[str, list[str]] = {}
    for build in builds:
        for name, value in build.macros.items():
            found.setdefault(name, []).append(general(value))
    return line("; ".join(f"{name}={', '.join(unique(values))}" for name, values in found.items()))


def hashes(builds: list[Build]) -> list:
    found = unique(build.source_hash[:12] for build in builds if build.source_hash)
    return [Code(line(found[0]))] + ([f" and {len(found) - 1} more"] if len(found) > 1 else []) if found else ["–"]
