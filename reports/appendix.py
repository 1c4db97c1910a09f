"""All timed cases, one table per sweep: median, ends of the interval, smallest and largest sample."""

from reports.document import Cell, Code, Paragraph, Section, Table, cell, numbers, say, text, without_empty_columns, words
from reports.language import tr, tr_many
from reports.method import stop_text
from reports.record import Case, Run
from reports.notes import Notes
from reports.numbers import significant
from reports.selection import axis_text, axis_value, ordered
from reports.tables import reason_mark
from reports.text import line, unique

MOST_ROWS = 400
DIGITS, RATIO_DIGITS = 4, 3


def section(run: Run) -> Section:
    timed = [case for case in run.cases if "kernel_ms" in case.metrics]
    shown = timed[:MOST_ROWS]
    blocks: list = [Paragraph(say("Kernel time of one call in ms: median, ends of its 95 % interval, smallest and largest sample.")
                              if timed else say("No case was timed."))]
    for sweep in unique(case.sweep for case in shown):
        blocks.append(table(run, sweep, [case for case in shown if case.sweep == sweep]))
    if len(timed) > MOST_ROWS:
        count = len(timed) - MOST_ROWS
        rest = tr_many("{n} more case is only in run.json, because this list ends after {most}.",
                       "{n} more cases are only in run.json, because this list ends after {most}.", count, most=MOST_ROWS)
        blocks.append(Paragraph(text(rest)))
    return Section(say("All timed cases"), "all-cases", tuple(blocks))


def table(run: Run, sweep: str, cases: list[Case]) -> Table:
    notes, all_axes = Notes(), unique(axis for case in cases for axis in case.axes)
    values = {axis: unique(axis_text(axis_value(case, axis)) for case in cases) for axis in all_axes}
    axes = [axis for axis in all_axes if len(values[axis]) > 1]
    same = ", ".join(f"{axis}={values[axis][0]}" for axis in all_axes if axis not in axes)
    key = lambda case: tuple(axis_value(case, axis) for axis in ("variant", *axes))
    rank = {point: i for i, point in enumerate(ordered(map(key, cases)))}
    cases = sorted(cases, key=lambda case: rank[key(case)])
    rows = tuple((cell(Code(line(case.variant, 60)), run.whose(case.variant), mark=reason_mark(case, notes)),
                  *(cell(axis_text(axis_value(case, axis))) for axis in axes), *figures(case, notes)) for case in cases)
    columns = (*words("variant", *axes), *numbers("n", "median", "from", "to", "min", "max", "speedup", "% of limit"))
    return without_empty_columns(Table(columns, rows, tr("Sweep {name}", name=line(sweep, 80)) + (same and tr(": ") + line(same, 200)), labels=1 + len(axes), notes=tuple(notes),
                 aligned=False))


def figures(case: Case, notes: Notes) -> tuple[Cell, ...]:
    metric = case.metrics["kernel_ms"]
    ends = [number(value, case) for value in (metric.median, metric.low, metric.high, metric.min, metric.max)]
    stopped = case.stop_reason not in ("", "none", "precision")
    mark = notes.mark(say("sampling {how}", how=stop_text(case.stop_reason))) if stopped else ""
    return (cell(str(metric.n or "–"), mark=mark), *ends, derived(case, "speedup"), derived(case, "percent_of_limit"))


def number(value: float | None, case: Case) -> Cell:
    return cell("–", word=True) if value is None else cell(significant(value, DIGITS), value=value, case=case.id, metric="kernel_ms")


def derived(case: Case, name: str) -> Cell:
    metric = case.metrics.get(name)
    if metric is None:
        return cell("–", word=True)
    tied = name == "speedup" and bool(metric.equal) and metric.over not in ("", case.variant)
    return Cell(text(significant(metric.median, RATIO_DIGITS)), tied=tied, value=metric.median, case=case.id, metric=name)
