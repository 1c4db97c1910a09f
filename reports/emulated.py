"""What the report says about cases on the emulated device, which checks outputs but measures no times."""

from typing import Iterable, Sequence

from reports.document import Code, Column, Link, Table, Text, cell, numbers, say, text, words
from reports.derived import ADVICE, MISTAKE
from reports.record import Case, Run
from reports.language import mark, told, tr, tr_many
from reports.numbers import general
from reports.selection import Selection, is_macro, ordered
from reports.statuses import NOT_RUN
from reports.text import line, plural, unique

RIGHT = mark("right")  # shown in place of a time
UNTIMED = mark("the cases ran on the emulated device, which measures no times")
NOTE = mark("right on the emulated device, at this size or at a smaller one of the same proportions; no time was measured")
MEANING = mark("output is right on the emulated device, no time measured")


def ran(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.emulated and case.status not in NOT_RUN]


def only(cases: Sequence[Case]) -> bool:
    """All cases that ran used the emulated device, so none of them has a time."""
    there = [case for case in cases if case.status not in NOT_RUN]
    return bool(there) and all(case.emulated and not case.metrics for case in there)


def macros(case: Case) -> dict:
    return {axis: value for axis, value in case.axes.items() if is_macro(axis)}


def build_of(case: Case) -> tuple:
    """All cases of one build have the same diagnostics, because the device saw it only on the shapes of the check."""
    return (case.variant, case.dtype, *macros(case).items())


def table(cases: Sequence[Case], select: Selection) -> Table:
    """One row per build, because all cases of a build have the same result."""
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
        found = group[0].diagnostics
        labels = [cell(Code(line(values[0], 80))), *(cell("–" if v is None else line(general(v), 80)) for v in values[1:])]
        counts = [cell(str(sum(one.severity == severity for one in found))) for severity in (MISTAKE, ADVICE)]
        rows.append((*labels, cell(result(group)), *counts))
    columns: tuple[Column, ...] = (*words(*names, "result"), *numbers("mistakes", "performance problems"))
    caption = say("These cases ran on the emulated device. If a size takes too long there, a smaller one of the same proportions is checked "
                  "instead. They have no times: see {link}.", link=Link(tr("how this was measured"), "method"))
    return Table(columns, tuple(rows), select.title, 0, len(names), caption=caption)


def result(cases: Sequence[Case]) -> str:
    return ", ".join(tr(RIGHT) if status == "PASSED" else status for status in unique(case.status for case in cases))


def method(run: Run) -> Text | None:
    """Explains the emulated device."""
    cases = ran(run.cases)
    if not cases:
        return None
    variants = unique(case.variant for case in cases)
    return text(tr("{variants} of this run used the emulated device instead of a GPU. It runs the same source on the "
                   "CPU: the threads of a block one after the other, each up to the next barrier. The harness checks the outputs with the "
                   "same tolerance as all others. If a size takes too long there, a smaller one of the same proportions is checked instead. "
                   "The time of these calls says nothing about a GPU, so the report does not show it. Counts such as memory sectors or "
                   "bank conflicts depend only on the code: a real GPU counts the same for the same accesses.", variants=plural(len(variants), "variant")))


def fact(run: Run) -> str:
    """32 lanes per warp; order of threads: mixed; diagnostics on"""
    if not run.emulated:
        return ""
    parts = [tr_many("{n} lane per warp", "{n} lanes per warp", run.emulated.lanes) if run.emulated.lanes else "",
             tr("order of threads: {order}", order=line(told(run.emulated.schedule), 60)) if run.emulated.schedule else "",
             tr("diagnostics on") if run.emulated.diagnostics else tr("diagnostics off")]
    return tr("; ").join(part for part in parts if part)


def count(run: Run) -> str:
    """For the totals: how many of the passed cases have no time."""
    return tr(", {n} of them on the emulated device", n=passed(run)) if passed(run) else ""


def passed(run: Run) -> int:
    return sum(case.status == "PASSED" for case in ran(run.cases))


def left_out(cases: Sequence[Case]) -> str:
    """For a caption: which cases a plot does not show."""
    here = [case for case in ran(cases) if case.status == "PASSED"]
    if not here:
        return ""
    return tr("Not drawn: {cases} on the emulated device, because it measures no times.", cases=plural(len(here), "case"))
