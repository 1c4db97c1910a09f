"""`python -m reports.reproduced`: writes docs/reproduced/<lab>.md, the five original reports beside our recorded runs.

Each page has every printed figure and every claim of a report, with what a GPU and a machine without one say of it. The program
build/harness answers the claims of the config that was run, or of today's config if that had none."""

import csv
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from reports.compare import distinct
from reports.document import Bullets, Code, Document, Paragraph, Section, Strong, Table, Text, cell, numbers, text, words
from reports.load import load_run
from reports.markdown import render_markdown
from reports.numbers import general, with_interval
from reports.provenance import machine_line
from reports.published import find_case
from reports.record import Case, PublishedFile, PublishedRow, Run
from reports.selection import is_macro
from reports.tables import samples_text
from reports.text import line, plural, unique

ROOT = Path(__file__).resolve().parents[1]
LABS = ("lab5", "lab10", "cuda_tasks", "cuda_tasks_conv", "dcu_gemm", "hw6")
PAGES = ROOT / "docs/reproduced"
GPU_RUNS, CPU_RUNS = ROOT / "docs/examples/{lab}-h200", PAGES / "runs/{lab}-cpu"
ANSWERS = ("HOLDS", "FAILS", "UNDECIDED", "NOT RUN")
VERDICTS = ("ORDER HOLDS", "DIFFERENT", "UNDECIDED", "NOT RUN")
ABOUT = """; do not edit. The printed figures come from other machines, so only their order
can be reproduced. ORDER HOLDS: of the figures that the report prints for the same problem, our run tells some apart from this one, and all
of them lie on the printed side. DIFFERENT: at least one does not. UNDECIDED: our run tells none apart. NOT RUN: with the reason. A ratio
above 1 means that our machine is better."""


@dataclass(frozen=True)
class Recorded:
    """A run of a lab on one machine, with the answers to its claims; without a run only the reason."""

    name: str
    run: Run | None
    claims: dict[tuple[str, str], dict]  # by sentence and source
    missing: str = ""

    def file_like(self, file: PublishedFile) -> PublishedFile | None:
        """The same published table in this run."""
        same = lambda other: (Path(other.file).name, other.sweep, other.machine, other.rows) == (Path(file.file).name, file.sweep, file.machine, file.rows)
        return next((other for other in self.run.published if same(other)), file) if self.run else None


def recorded(name: str, folder: Path, lab: str, harness: Path, missing: str) -> Recorded:
    if not (folder / "run.json").is_file():
        return Recorded(name, None, {}, missing)
    run = load_run(folder)
    config = [] if run.claims else ["--config", ROOT / f"configs/{lab}.yaml"]
    ran = subprocess.run([harness, "claims", folder, *config, "--json"], capture_output=True, text=True,
                         env={**os.environ, "HARNESS_ROOT": str(ROOT)})
    if ran.returncode:
        raise SystemExit(ran.stderr)
    return Recorded(name, run, {(claim["text"], claim["source"]): claim for claim in json.loads(ran.stdout)})


# ---- figures

def verdict(run: Run, file: PublishedFile, row: PublishedRow, metric: str) -> tuple[str, str]:
    """What the run says of one printed figure, and why."""
    case = find_case(run, file, row)
    if case is None:
        return "NOT RUN", "the lab has no such case"
    if metric not in case.metrics or not case.comparable:
        return ("NOT RUN" if case.status in ("SKIPPED", "CANCELLED", "PASSED") else "UNDECIDED"), line(case.reason, 100) or "no such number"
    better = run.metrics_info[metric].better if metric in run.metrics_info else ""
    sign = -1 if better == "higher" else 1
    held, told = 0, 0
    for other in file.rows:
        rival = find_case(run, file, other)
        if rival is None or rival is case or metric not in other.values or metric not in rival.metrics or not rival.comparable:
            continue
        if rival.dtype != case.dtype or rival.parameters != case.parameters or not distinct(case, rival, metric):
            continue
        told += 1
        ours = sign * (case.metrics[metric].median - rival.metrics[metric].median)
        held += ours * sign * (row.values[metric] - other.values[metric]) > 0
    if not told:
        return "UNDECIDED", "no other figure is told apart"
    return ("ORDER HOLDS" if held == told else "DIFFERENT"), f"{held} of {told}"


def measured(run: Run, case: Case | None, row: PublishedRow, metric: str) -> tuple[Text, Text]:
    """Our number with its interval, and how many times better our machine is."""
    if case is None or metric not in case.metrics or not case.comparable:
        return text("–"), text("–")
    ours, printed = case.metrics[metric], row.values[metric]
    shown = with_interval(ours.median, ours.low, ours.high)
    higher = metric in run.metrics_info and run.metrics_info[metric].better == "higher"
    ratio = (ours.median / printed if higher else printed / ours.median) if ours.median and printed else 0
    return text(f"{shown.text} {shown.spread or samples_text(ours, metric)}".strip()), text(f"{ratio:.3g}" if ratio else "–")


def figures(machines: Sequence[Recorded], file: PublishedFile, metric: str, counts: dict) -> Table:
    rows = [row for row in file.rows if metric in row.values]
    axes = unique(axis for row in rows for axis in row.axes)
    axes = [axis for axis in axes if len({row.axes.get(axis) for row in rows}) > 1] or axes[:1]
    columns = [*words("variant", *sorted(axes, key=is_macro)), *numbers("printed")]
    made: list[list] = [[cell(Code(line(row.variant, 80))), *(cell(general(row.axes[axis]) if axis in row.axes else "–") for axis in sorted(axes, key=is_macro)),
                         cell(general(row.values[metric]))] for row in rows]
    for machine in machines:
        columns += [*numbers(f"{machine.name}", "ratio"), *words("verdict")]
        mine = machine.file_like(file)
        for row, cells in zip(rows, made):
            if machine.run is None:
                found = ("NOT RUN", machine.missing)
                cells += [cell("–"), cell("–")]
            else:
                found = verdict(machine.run, mine, row, metric)
                cells += [cell(part) for part in measured(machine.run, find_case(machine.run, mine, row), row, metric)]
            counts.setdefault(machine.name, []).append(found[0])
            cells.append(cell(found[0], f": {found[1]}" if found[1] else ""))
    info = machines[0].run.metrics_info.get(metric)
    unit = f" in {info.unit}" if info and info.unit else ""
    source = text(Code(Path(file.file).name), f", from {line(file.machine, 120) or 'an unknown machine'}. {line(file.note, 300)}")
    return Table(tuple(columns), tuple(map(tuple, made)), f"{info.label if info else metric}{unit}", caption=source)


def serial_times(machines: Sequence[Recorded]) -> list:
    """The printed times that speedups are relative to. They are inputs of the lab and no result."""
    base = machines[0].run.recorded_baseline
    if not base:
        return []
    with (ROOT / "configs/published" / Path(base.file).name).open(encoding="utf-8") as file:
        found = list(csv.reader(file))
    note = text("Times from an earlier lab that the report's speedups are relative to. The lab takes them as they are, from ",
                Code(Path(base.file).name), ": an input and no result.")
    return [Section(text("Serial times"), "serial", (Paragraph(note), Table(
        words(*found[0]), tuple(tuple(map(cell, row)) for row in found[1:]))))]


# ---- claims

def answer(machine: Recorded, key: tuple[str, str]) -> Text:
    claim = machine.claims.get(key)
    if claim is None:
        return text("NOT RUN: ", machine.missing or "the config of that run does not have it")
    return text(Strong(word(claim)), f": {line(claim['measured']['why'], 300)}")


def word(claim: dict) -> str:
    """Without the cases that it compares, a claim is not undecided but not answered at all."""
    why = claim["measured"]["why"]
    return "NOT RUN" if " is SKIPPED: " in why or why.startswith("no case of ") else claim["measured"]["answer"]


def printed_answer(claim: dict) -> Text:
    parts = ([text(f"stated: {line(claim['stated'], 200)}")] if claim.get("stated") else []) + [
        text(f"{line(one['machine'], 100)}: " if one.get("machine") else "", Strong(one["answer"]), f": {line(one['why'], 300)}")
        for one in claim["published"]]
    return text(*(piece for i, part in enumerate(parts) for piece in ("; " * bool(i), part))) or text("–")


def claims(machines: Sequence[Recorded]) -> Table:
    rows = [(cell(Code(line(claim["text"], 300))), cell(line(claim["source"], 200)), cell(printed_answer(claim)),
             *(cell(answer(machine, key)) for machine in machines)) for key, claim in machines[0].claims.items()]
    return Table(words("claim", "where", "the printed figures", *(machine.name for machine in machines)), tuple(rows))


# ---- the page

def counted(words_: Sequence[str], known: Sequence[str]) -> str:
    return ", ".join(f"{words_.count(word)} {word}" for word in known if word in words_)


def page(lab: str, harness: Path) -> str:
    gpu_only = "every variant of this lab needs a GPU"
    gpu = recorded("H200", Path(str(GPU_RUNS).format(lab=lab)), lab, harness, "")
    has_cpu = any(case.device == "cpu" for case in gpu.run.cases)
    cpu = recorded("CPU machine", Path(str(CPU_RUNS).format(lab=lab)), lab, harness,
                   "no run on a machine without a GPU is recorded" if has_cpu else gpu_only)
    machines, counts = (gpu, cpu), {}
    tables = [figures(machines, file, metric, counts) for file in gpu.run.published
              for metric in unique(name for row in file.rows for name in row.values)]
    runs = Bullets(tuple(text(f"{one.name}: ", *([Code(one.run.run.id), f", {machine_line(one.run)}, harness {one.run.run.harness.commit[:12]}",
                                                  " with uncommitted changes" if one.run.run.harness.dirty else ""] if one.run else [one.missing]))
                         for one in machines))
    sections = [Section(text("Runs"), "runs", (runs,)), Section(text("Claims"), "claims", (claims(machines),))]
    if tables:
        sections.append(Section(text("Printed figures"), "figures", tuple(tables)))
    else:
        sections.append(Section(text("Printed figures"), "figures", (Paragraph(text(
            "The report has drawings and no table: no figure of it can be read exactly. What it says of them is in the claims.")),)))
    sections += serial_times(machines)
    said = [f"{plural(len(found), 'printed figure')} on the {name}: {counted(found, VERDICTS)}" for name, found in counts.items()]
    said += [f"{plural(len(one.claims), 'claim')} on the {one.name}: {counted(list(map(word, one.claims.values())), ANSWERS)}"
             for one in machines if one.claims]
    made = Document(f"{gpu.run.run.title or lab}: the original report and our runs", lab, "; ".join(said), (),
                    (Paragraph(text("Written by ", Code(".venv/bin/python -m reports.reproduced"), " ".join(ABOUT.split()))),),
                    tuple(sections), "")
    return render_markdown(made)


def pages(harness: Path) -> dict[Path, str]:
    return {PAGES / f"{lab}.md": page(lab, harness) for lab in LABS}


if __name__ == "__main__":
    for path, content in pages(Path(os.environ.get("HARNESS_BUILD", ROOT / "build")) / "harness").items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
