"""`python -m reports.reproduced`: writes docs/reproduced/<lab>.md, the five original reports beside our recorded runs.

Each page has every printed figure and every claim of a report, with what a machine with a GPU and one without say of it. The
program build/harness answers the claims of the present config from the samples of the run."""

import csv
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

import msgspec

from reports import claims as claims_of_a_run
from reports import highlights, naming, printed, summation
from reports.document import Bullets, Code, Document, Paragraph, Section, Strong, Table, Text, cell, numbers, plain, text, words
from reports.errors import ReportError
from reports.load import load_run
from reports.markdown import render_markdown
from reports.metrics import metric_info
from reports.numbers import general, significant
from reports.provenance import machine_line
from reports.published import find_case
from reports.published_tables import ratio_text
from reports.record import Case, Claim, PublishedFile, PublishedRow, Run
from reports.selection import is_macro
from reports.statuses import NOT_RUN
from reports.tables import quantity
from reports.text import closed, line, plural, sentence, unique

ROOT = Path(__file__).resolve().parents[1]
LABS = ("lab5", "lab10", "cuda_tasks", "cuda_tasks_conv", "dcu_gemm", "hw6")
PAGES = ROOT / "docs/reproduced"
GPU_RUNS, CPU_RUNS, PLAIN_RUNS = ROOT / "docs/examples/{lab}-h200", PAGES / "runs/{lab}-cpu", PAGES / "runs/{lab}-level0"
ANSWERS = ("HOLDS", "FAILS", "UNDECIDED", "NOT RUN")
ABOUT = """; do not edit. The printed figures come from other machines, so only their order can be reproduced. Each printed figure is
compared with the other figures that the report prints for the same problem, in the same table. DIFFERENT: our run has at least one
such pair in the opposite order. ORDER HOLDS: it has at least one pair in the printed order, and none in the opposite order.
UNDECIDED: neither, because our times are tied or have too few samples for an interval. NO ORDER: the report prints no other figure,
or only equal ones. NOT RUN: with the reason. A ratio above 1 means that our machine is better."""


@dataclass(frozen=True)
class Recorded:
    """A run of a lab on one machine, with the answers to its claims; without a run only the reason."""

    name: str
    run: Run | None
    claims: dict[tuple[str, str], Claim]  # by sentence and source
    missing: str = ""

    def file_like(self, file: PublishedFile) -> PublishedFile:
        """The same published table in this run."""
        same = lambda other: (Path(other.file).name, other.sweep, other.machine, other.rows) == (Path(file.file).name, file.sweep, file.machine, file.rows)
        return next((other for other in self.run.published if same(other)), file)


def recorded(name: str, folder: Path, lab: str, harness: Path, missing: str = "") -> Recorded:
    if not (folder / "run.json").is_file():
        return Recorded(name, None, {}, missing)
    run = load_run(folder)
    ran = subprocess.run([harness, "claims", folder, "--config", ROOT / f"configs/{lab}.yaml", "--json"], capture_output=True, text=True,
                         env={**os.environ, "HARNESS_ROOT": str(ROOT)})
    if ran.returncode:
        raise ReportError(ran.stderr.strip())
    answered = msgspec.json.decode(ran.stdout, type=list[Claim])
    return Recorded(name, run, {(claim.text, claim.source): claim for claim in answered})


def about_run(machine: Recorded, config: str) -> Text:
    """Where and when it was made, and what could make its times or its cases doubtful."""
    if machine.run is None:
        return text(f"{machine.name}: {machine.missing}.")
    run, info = machine.run, machine.run.run
    changed = " The config has changed since this run, whose samples answer the claims of the present one." if info.config.text != config else ""
    then = {(claim.text, claim.source): claim.measured.answer for claim in run.claims}
    others = sum(then.get(key, claim.measured.answer) != claim.measured.answer for key, claim in machine.claims.items())
    changed += f" The report of this run has another answer to {plural(others, 'claim')}, by the rules of its harness." if others else ""
    busy = highlights.busy(run)
    return text(f"{machine.name}: ", Code(info.id), f", {line(info.started, 40)}, {machine_line(run)}, harness {info.harness.commit[:12]}",
                f"{' with uncommitted changes' if info.harness.dirty else ''}.{noise(run)}", (" ", *busy) if busy else (), changed)


def noise(run: Run) -> str:
    """What else the machine did, if the system tells it."""
    def ends(key: str) -> list[float]:
        found = [found.get(key) for found in (run.noise.before, run.noise.after)]
        return found if all(isinstance(end, (int, float)) for end in found) else []
    shown = ["load {:g} before the run and {:g} after it".format(*load)] if (load := ends("load_1min")) else []
    shown += [f"{significant(max(steal[1] - steal[0], 0), 2)} s of steal in between"] if (steal := ends("stolen_s")) else []
    return f" Noise: {', '.join(shown)}." if shown else ""


# ---- figures

def measured(run: Run, case: Case | None, row: PublishedRow, metric: str) -> tuple[Text, Text]:
    """Our number with its interval, and how many times better our machine is."""
    if case is None or metric not in case.metrics or not case.comparable:
        return text("–"), text("–")
    found = case.metrics[metric]
    return text(str(quantity(found, metric))), text(ratio_text(metric_info(metric, run.metrics_info), row.values[metric], found))


def figures(machines: Sequence[Recorded], file: PublishedFile, metric: str, counts: dict[str, list[str]]) -> Table:
    """`machines` have runs; `counts` collects the outcomes by machine."""
    rows = [row for row in file.rows if metric in row.values]
    axes = unique(axis for row in rows for axis in row.axes)
    axes = sorted([axis for axis in axes if len({row.axes.get(axis) for row in rows}) > 1] or axes[:1], key=is_macro)
    columns = [*words("variant", *axes), *numbers("printed")]
    made: list[list] = [[cell(Code(line(row.variant, 80))), *(cell(general(row.axes[axis]) if axis in row.axes else "–") for axis in axes),
                         cell(general(row.values[metric]))] for row in rows]
    for machine in machines:
        columns += [*numbers(machine.name, "ratio"), *words("outcome")]
        mine = machine.file_like(file)
        for row, cells in zip(rows, made):
            cells += [cell(part) for part in measured(machine.run, find_case(machine.run, mine, row), row, metric)]
            outcome, why = printed.outcome(machine.run, mine, row, metric)
            counts.setdefault(machine.name, []).append(outcome)
            cells.append(cell(outcome, f": {why}" if why else ""))
    return Table(tuple(columns), tuple(map(tuple, made)), title(machines[0].run, file, metric), caption=text(
        "Printed: ", Code(Path(file.file).name), f", from {line(file.machine, 120) or 'an unknown machine'}. {sentence(line(file.note, 300))}".rstrip()))


def title(run: Run, file: PublishedFile, metric: str) -> str:
    info = metric_info(metric, run.metrics_info)
    parts = [f"{info.label.capitalize()}{f' in {info.unit}' if info.unit else ''}"]
    parts += [plain(naming.sweep_name(run, file.sweep, metric))] if file.sweep else []
    parts += [f"printed for {line(file.machine, 120)}"] if file.machine else []
    return ", ".join(parts)


def serial_times(run: Run) -> list[Section]:
    """The recorded baseline: an input of the lab and no result."""
    base = run.recorded_baseline
    if not base:
        return []
    with (ROOT / "configs/published" / Path(base.file).name).open(encoding="utf-8") as file:
        found = list(csv.reader(file))
    note = text("Speedups over the recorded baseline are relative to the times of ", Code(Path(base.file).name),
                f": {closed(line(base.source, 300))}" if base.source else ".", " They are an input of the lab and no result.")
    return [Section(text("Serial times"), "serial", (Paragraph(note), Table(
        words(*found[0]), tuple(tuple(map(cell, row)) for row in found[1:]))))]


# ---- claims

def answer(machine: Recorded, key: tuple[str, str]) -> Text:
    claim = machine.claims.get(key)
    if claim is None:
        return text("NOT RUN: the config of that run does not have it")
    return text(Strong(word(machine.run, claim)), f": {line(claim.measured.why, 300)}")


def word(run: Run, claim: Claim) -> str:
    """A claim about a variant of which no case ran is not undecided but not answered at all."""
    named = set(re.findall(r"\b[cg]pu_\w+", claim.text))
    ran = {case.variant for case in run.cases if case.status not in NOT_RUN}
    return claim.measured.answer if named <= ran else "NOT RUN"


def claims(machines: Sequence[Recorded]) -> Table:
    found = {key: claim for machine in reversed(machines) for key, claim in machine.claims.items()}
    rows = [(cell(Code(line(key[0], 300))), cell(line(key[1], 200)), cell(claims_of_a_run.published(found[key])),
             *(cell(answer(machine, key)) for machine in machines)) for key in unique(key for machine in machines for key in machine.claims)]
    return Table(words("claim", "where", "the printed figures", *(machine.name for machine in machines)), tuple(rows))


# ---- the page

def counted(words_: Sequence[str], known: Sequence[str]) -> str:
    return ", ".join(f"{words_.count(word)} {word}" for word in known if word in words_)


def page(lab: str, harness: Path) -> str:
    gpu = recorded("GPU machine", Path(str(GPU_RUNS).format(lab=lab)), lab, harness)
    has_cpu = any(not variant.gpu for variant in gpu.run.variants)
    cpu = recorded("CPU machine", Path(str(CPU_RUNS).format(lab=lab)), lab, harness,
                   "no run on a machine without a GPU is recorded" if has_cpu else "no run, because every variant of this lab needs a GPU")
    config = (ROOT / f"configs/{lab}.yaml").read_text(encoding="utf-8")
    unoptimised = recorded("CPU machine without -O", Path(str(PLAIN_RUNS).format(lab=lab)), lab, harness)
    told = [gpu, cpu, *([unoptimised] if unoptimised.run else [])]
    machines, counts = [one for one in told if one.run], {}
    having = lambda file: [one for one in machines if any(case.sweep == file.sweep for case in one.run.cases)]
    tables = [figures(having(file), file, metric, counts) for file in gpu.run.published
              for metric in unique(name for row in file.rows for name in row.values)]
    none = Paragraph(text("The report has drawings and no table: no figure of it can be read exactly. What it says of them is in the claims."))
    sections = [Section(text("Runs"), "runs", (Bullets(tuple(about_run(one, config) for one in told)),)),
                Section(text("Claims"), "claims", (claims(machines),)),
                Section(text("Printed figures"), "figures", tuple(tables) or (none,)), *serial_times(gpu.run),
                *([summation.section()] if lab == "lab5" else [])]
    said = [f"{plural(len(found), 'comparison')} with printed figures on the {name}: {counted(found, printed.OUTCOMES)}" for name, found in counts.items()]
    said += [f"{plural(len(one.claims), 'claim')} on the {one.name}: {counted([word(one.run, claim) for claim in one.claims.values()], ANSWERS)}"
             for one in machines if one.claims]
    made = Document(f"{gpu.run.run.title or lab}: the original report and our runs", lab, "; ".join(said), (),
                    (Paragraph(text("Written by ", Code(".venv/bin/python -m reports.reproduced"), " ".join(ABOUT.split()))),),
                    tuple(sections), "")
    return render_markdown(made)


def pages(harness: Path) -> dict[Path, str]:
    return {PAGES / f"{lab}.md": page(lab, harness) for lab in LABS}


def main() -> int:
    try:
        found = pages(Path(os.environ.get("HARNESS_BUILD", ROOT / "build")) / "harness")
    except ReportError as error:
        print(error, file=sys.stderr)
        return error.exit
    for path, content in found.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
