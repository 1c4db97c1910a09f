"""What the emulated GPU has to say where a real one would have times: a word in a cell, a short table, a paragraph."""

from typing import Iterable, Sequence

from reports.document import Code, Column, Link, Table, Text, cell, numbers, text, words
from reports.model import ADVICE, MISTAKE, Case, Run
from reports.numbers import general
from reports.selection import Selection, is_macro, ordered
from reports.statuses import NOT_RUN
from reports.text import are, line, plural, unique

RIGHT = "right"  # stands where a time would
UNTIMED = "the cases ran on the emulated GPU, which gives no times"
NOTE = ("right on the emulated GPU: the output was judged on the small shapes of the check, not at this point of the sweep, and no "
        "time was taken")
MEANING = "results proved right on the emulated GPU, no time taken"


def ran(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.emulated and case.status not in NOT_RUN]


def only(cases: Sequence[Case]) -> bool:
    """Nothing of these has a time because all that ran was emulated."""
    there = [case for case in cases if case.status not in NOT_RUN]
    return bool(there) and all(case.emulated and not case.metrics for case in there)


def macros(case: Case) -> dict:
    return {axis: value for axis, value in case.axes.items() if is_macro(axis)}


def build_of(case: Case) -> tuple:
    """Cases of one build carry the same findings: they were made on the shapes of the check."""
    return (case.variant, case.dtype, *macros(case).items())


def table(cases: Sequence[Case], select: Selection) -> Table:
    """One row a build instead of one cell a case: they would all say the same."""
    cases = ran(cases)
    axes = unique(axis for case in cases for axis in macros(case))
    typed = len({case.dtype for case in cases}) > 1
    names = ("variant", *(["dtype"] if typed else []), *axes)
    key = lambda case: (case.variant, *([case.dtype] if typed else []), *(macros(case).get(axis) for axis in axes))
    groups: dict[tuple, list[Case]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    rows = []
    for values in ordered(groups):
        group = groups[values]
        found = group[0].findings
        labels = [cell(Code(line(values[0], 80))), *(cell("–" if v is None else line(general(v), 80)) for v in values[1:])]
        rows.append((*labels, cell(verdict(group)), *(cell(str(sum(f.severity == s for f in found))) for s in (MISTAKE, ADVICE))))
    columns: tuple[Column, ...] = (*words(*names, "results"), *numbers("mistakes", "hints on speed"))
    caption = text("Run on the emulated GPU, on the small shapes of the check and not on the sizes of the sweep. There are no times: see ",
                   Link("how this was measured", "method"), ".")
    return Table(columns, tuple(rows), select.title, 0, len(names), caption=caption)


def verdict(cases: Sequence[Case]) -> str:
    return ", ".join(RIGHT if status == "PASSED" else status for status in unique(case.status for case in cases))


def method(run: Run) -> Text | None:
    """What emulated means, in plain words."""
    cases = ran(run.cases)
    if not cases:
        return None
    variants = unique(case.variant for case in cases)
    return text(f"No GPU ran {plural(len(variants), 'variant')} of this run: {'it' if len(variants) == 1 else 'they'} ran on an emulated "
                "one. That is the same source, compiled for the CPU; the threads of a block run one after the other, each as far "
                "as the next barrier. The results are judged with the same bounds as all others, on the small shapes of the check. "
                "How long this takes says nothing about a GPU, so no time is shown. Counts, of memory sectors or bank conflicts, are "
                "of the code: the counters of a real device would show the same for the same accesses.")


def fact(run: Run) -> str:
    """32 lanes to a warp; threads in order; findings on"""
    if not run.emulated:
        return ""
    lanes = f"{plural(run.emulated.lanes, 'lane')} to a warp; " if run.emulated.lanes else ""
    order = f"threads {line(run.emulated.schedule, 60)}; " if run.emulated.schedule else ""
    return f"{lanes}{order}findings {'on' if run.emulated.findings else 'off'}"


def count(run: Run) -> str:
    """For the outcome: how many of those that passed have no time."""
    passed = [case for case in ran(run.cases) if case.status == "PASSED"]
    return f", {len(passed)} of them on the emulated GPU" if passed else ""


def passed(run: Run) -> int:
    return sum(case.status == "PASSED" for case in ran(run.cases))


def said(cases: Sequence[Case]) -> str:
    """For a caption: what a plot leaves out."""
    here = [case for case in ran(cases) if case.status == "PASSED"]
    return f" Not drawn: {plural(len(here), 'case')} that {are(len(here))} right on the emulated GPU and so without times." if here else ""
