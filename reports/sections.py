"""The whole report as a Document: its sections and their order."""

from reports import (appendix, checks, claims, diagnostics, drawing, example, failures, highlights, kernel_functions, ladder, method,
                     provenance, results)
from reports.document import Bullets, Code, Document, Paragraph, Section, Table, Text, cell, join, say, text, words
from reports.language import tr
from reports.record import Run
from reports.numbers import significant
from reports.naming import point
from reports.plots import Chart
from reports.text import clean, line


def document(run: Run) -> tuple[Document, dict[int, Chart]]:
    rungs = ladder.ladder(run)
    first = [ladder.figure(run, rungs)] if rungs else []
    found, charts = results.sections(run, first)
    sentences = highlights.first_page(run, rungs)
    more = [sentence for sentence in highlights.highlights(run) if sentence not in sentences]
    parts = (
        Section(say("Summary"), "summary", (Bullets(tuple(sentences) or (say("The run has no result yet."),)), *found.first)),
        *([Section(say("What else the numbers show"), "observations", (Bullets(tuple(more)),))] if more else []), compared(run), *([shown] if (shown := example.section(run.examples)) else []),
        *([answered] if (answered := claims.section(run)) else []),
        Section(say("Results"), "results", sections=found.results), *([slow] if (slow := diagnostics.performance(run)) else []),
        *([built] if (built := kernel_functions.section(run)) else []), failures.section(run), checks.section(run), method.section(run),
        *([Section(say("Published figures"), "published", sections=found.published)] if found.published else []), provenance.section(run), appendix.section(run))
    about = tuple(Paragraph(text(" ".join(clean(part).split()))) for part in run.run.about.split("\n\n") if part.strip())
    made = Document(title=line(run.run.title or run.run.lab, 200), lab=line(run.run.lab, 80), totals=highlights.totals(run), facts=title_facts(run),
                    about=about, sections=parts, created=line(run.run.started, 60), subject=tr("Measured run {run} of {lab}", run=line(run.run.id, 80), lab=line(run.run.lab, 80)),
                    keywords=tuple(line(word, 80) for word in (run.run.lab, run.kernel.name, run.kernel.dtype) if word))
    return made, charts


def title_facts(run: Run) -> tuple[tuple[str, Text], ...]:
    date = run.run.started.replace("T", " ").removesuffix("Z") + " UTC" if run.run.started.endswith("Z") else run.run.started
    rerun = provenance.rerun_command(run)
    return provenance.facts((tr("Lab"), run.run.lab), (tr("Date"), line(date, 60)), (tr("Machine"), provenance.machine_line(run)),
                            (tr("Rerun"), text(Code(rerun)) if rerun else ""), (tr("Run"), text(Code(line(run.run.id, 80)))))


def compared(run: Run) -> Section:
    """What the kernel computes, and the variants with the first lines of their comments."""
    kernel = [tr("Kernel {name}", name=line(run.kernel.name, 60))] if run.kernel.name else []
    kernel += [tr(": "), Code(line(run.kernel.formula, 200))] if run.kernel.formula else []
    kernel += [tr(", elements of type {type}", type=line(run.kernel.dtype, 20))] if run.kernel.dtype else []
    blocks: list = [Paragraph(text(*kernel, tr(".")))] if kernel else []
    blocks += baseline(run)
    if run.variants:
        rows = [(cell(Code(line(v.name, 80)), tr(" (baseline)") if v.name == run.baseline else ""),
                 cell(description(v.summary) or "–"), cell("GPU" if v.gpu else "CPU"),
                 cell(say("submission, {file}", file=Code(line(v.file, 80))) if v.from_submission else tr("lab"))) for v in run.variants]
        blocks.append(Table(words("variant", "description", "device", "from"), tuple(rows)))
    blocks += drawing.pictures(run)
    return Section(say("What was compared"), "compared", tuple(blocks))


def description(summary: str) -> str:
    """The whole sentences of the first line of a comment; of half a sentence, the half."""
    said = line(summary, 240)
    if said.endswith((".", "!", "?")) or not said:
        return said
    whole, stop, _ = said.rpartition(". ")
    return whole + stop.strip() if stop else f"{said} …"


def baseline(run: Run) -> list[Paragraph]:
    """The baseline of all speedups with its own rate."""
    cases = [case for case in run.cases if case.variant == run.baseline and case.comparable and "gflops" in case.metrics]
    if not run.baseline:
        return []
    if not cases:
        return [Paragraph(say("Speedups are relative to {baseline}, which has no measured rate in this run.", baseline=Code(run.baseline)))]
    ends = [cases[0]] if len(cases) == 1 else [cases[0], cases[-1]]
    rates = [say("{rate} GFLOP/s at {point}", rate=significant(case.metrics["gflops"].median, 3), point=point(run, case)) for case in ends]
    return [Paragraph(say("Speedups are relative to {baseline}, which reaches {rates}.", baseline=Code(run.baseline), rates=join(rates)))]
