"""The whole report as a Document: which sections there are, in which order, and what stands in each."""

from dataclasses import replace
from pathlib import PurePosixPath

from reports import appendix, checks, failures, findings, method, provenance, published, published_tables
from reports.compare import place
from reports.document import (Bullets, Code, Document, Figure, Paragraph, Section, Table, Text, cell, text, words)
from reports.model import Run
from reports.numbers import range_text
from reports.plots import Chart, build_figure, plot_spec
from reports.tables import build_tables, skipped_only, table_spec
from reports.text import clean, line, plural, sentence

PLOTS = PurePosixPath("plots")


def document(run: Run) -> tuple[Document, dict[int, Chart]]:
    results, charts = result_sections(run)
    parts = (
        Section(text("Summary"), "summary", (Bullets(tuple(findings.findings(run)) or (text("The run holds no result yet."),)),)),
        compared(run),
        Section(text("Results"), "results", sections=results),
        failures.section(run), checks.section(run), method.section(run), provenance.section(run), appendix.section(run))
    about = tuple(Paragraph(text(" ".join(clean(part).split()))) for part in run.about.split("\n\n") if part.strip())
    made = Document(title=line(run.title, 200), lab=line(run.lab, 80), outcome=findings.outcome(run), facts=title_facts(run),
                    about=about, sections=parts, created=run.started, subject=f"Measured run {run.id} of {line(run.lab, 80)}",
                    keywords=tuple(word for word in (run.lab, run.kernel, run.dtype) if word))
    return made, charts


def title_facts(run: Run) -> tuple[tuple[str, Text], ...]:
    date = run.started.replace("T", " ").removesuffix("Z") + " UTC" if run.started.endswith("Z") else run.started
    rerun = provenance.rerun_command(run)
    return provenance.facts(("Lab", run.lab), ("Date", line(date, 60)), ("Machine", provenance.machine_line(run)),
                            ("Rerun", text(Code(rerun)) if rerun else ""), ("Run", text(Code(line(run.id, 80)))))


def compared(run: Run) -> Section:
    """What the kernel computes, and the variants by the first line of their head comments."""
    kernel = [f"Kernel {line(run.kernel, 60)}"] if run.kernel else []
    kernel += [": ", Code(line(run.formula, 200))] if run.formula else []
    kernel += [f", elements of type {line(run.dtype, 20)}"] if run.dtype else []
    blocks: list = [Paragraph(text(*kernel, "."))] if kernel else []
    blocks += baseline(run)
    if run.variants:
        rows = [(cell(Code(line(v.name, 80)), " (baseline)" if v.name == run.baseline else ""),
                 cell(line(v.summary, 240) or "–"), cell("GPU" if v.gpu else "CPU"),
                 cell("submission" if v.from_submission else "lab")) for v in run.variants]
        blocks.append(Table(words("variant", "what it is", "device", "from"), tuple(rows)))
    return Section(text("What was compared"), "compared", tuple(blocks))


def baseline(run: Run) -> list[Paragraph]:
    """The base case of every speedup with its absolute performance."""
    cases = [case for case in run.cases if case.variant == run.baseline and case.comparable and "gflops" in case.metrics]
    if not run.baseline:
        return []
    if not cases:
        return [Paragraph(text("Speedups are over ", Code(run.baseline), ", which has no measured rate in this run."))]
    ends = [cases[0]] if len(cases) == 1 else [cases[0], cases[-1]]
    rates = [f"{range_text(m.median, m.low, m.high)} GFLOP/s at {place(case)}" for case in ends
             for m in [case.metrics["gflops"]]]
    return [Paragraph(text("Speedups are over ", Code(run.baseline), f", which reaches {' and '.join(rates)}."))]


def result_sections(run: Run) -> tuple[tuple[Section, ...], dict[int, Chart]]:
    """One subsection a title; a table, its plot and the published figures of its sweep stand together. Charts by number."""
    found: dict[str, list] = {}
    shown: dict[tuple[str, str], str] = {}  # sweep and metric: the title of the table where published figures go; "": nowhere
    unselected = 0
    for fields in run.tables:
        spec = table_spec(fields)
        blocks = found.setdefault(spec.select.title, [])
        if reason := skipped_only(run, spec.select):
            blocks.append(Paragraph(text(sentence(reason))))
        else:
            blocks += (tables := build_tables(run, spec))
            unselected += not tables
        for sweep in spec.select.sweeps:
            for metric in spec.values:
                if spec.published or not shown.get((sweep, metric)):
                    shown[sweep, metric] = shown.get((sweep, metric)) or (spec.select.title if spec.published else "")
    for fields in run.plots:
        spec = plot_spec(fields)
        blocks = found.setdefault(spec.select.title, [])
        if made := build_figure(run, spec):
            blocks.append(made)
        elif not blocks and spec.select.cases(run):
            reason = skipped_only(run, spec.select) or "nothing to draw: no case of this plot has a number"
            blocks.append(Paragraph(text(sentence(reason))))
    other = published_blocks(run, found, shown)
    if other:
        found["Published figures"] = other
    if unselected:
        note = f"{plural(unselected, 'table')} of the configuration not shown: the run selected no case that fits."
        found.setdefault("Not shown", []).append(Paragraph(text(note)))
    return numbered(found)


def published_blocks(run: Run, found: dict[str, list], shown: dict[tuple[str, str], str]) -> list:
    """Puts each comparison beside the table of its sweep; returns what has no such place."""
    other: list = []
    unselected = 0
    for file in run.published:
        comparisons = published.compare(run, file)
        if not comparisons:
            why = published_tables.not_compared(run, file)
            other += [Paragraph(why)] if why else []
            unselected += not why
        for comparison in comparisons:
            title = shown.get((comparison.sweep, comparison.info.name))
            if title == "":
                continue  # the table asked to stand without published figures
            blocks = found[title] if title else other
            blocks.append(published_tables.value_table(run, comparison))
            if orders := published.orders(comparison):
                blocks.append(published_tables.order_table(comparison, orders))
    if unselected:
        other.append(Paragraph(text(f"{plural(unselected, 'published table')} not compared: the run selected no case that fits.")))
    return other


def numbered(found: dict[str, list]) -> tuple[tuple[Section, ...], dict[int, Chart]]:
    """Tables and figures get their numbers in the order in which they stand."""
    sections, charts, tables = [], {}, 0
    for title, blocks in found.items():
        done: list = []
        for block in blocks:
            match block:
                case Table(number=0):
                    tables += 1
                    done.append(replace(block, number=tables))
                case (Figure() as figure, Chart() as chart):
                    number = len(charts) + 1
                    charts[number] = chart
                    done.append(replace(figure, number=number, png=str(PLOTS / f"figure-{number}.png")))
                case _:
                    done.append(block)
        if done:
            sections.append(Section(text(title), f"result-{len(sections) + 1}", tuple(done)))
    return tuple(sections), charts
