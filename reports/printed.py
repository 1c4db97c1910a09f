"""What a run says of one printed figure: whether its order among the printed figures of the same problem is the order of the run."""

from typing import Iterator

from reports.compare import distinct, problem
from reports.published import find_case
from reports.record import Case, PublishedFile, PublishedRow, Run
from reports.selection import is_macro
from reports.statuses import NOT_RUN, words
from reports.text import line

OUTCOMES = ("ORDER HOLDS", "DIFFERENT", "UNDECIDED", "NO ORDER", "NOT RUN")


def outcome(run: Run, file: PublishedFile, row: PublishedRow, metric: str) -> tuple[str, str]:
    """One of OUTCOMES, and why. Numbers without an interval decide nothing."""
    case = find_case(run, file, row)
    if case is None:
        return "NOT RUN", "the lab has no such case"
    if case.status in NOT_RUN:
        return "NOT RUN", line(case.reason, 100)
    if not case.comparable:
        return "UNDECIDED", line(f"{words(case.status)}: {case.reason}", 100)
    if metric not in case.metrics:
        return "NOT RUN", "this run has no such number"
    others = list(printed_beside(run, file, row, metric))
    if not others:
        return "NO ORDER", "the report prints no other figure of this problem"
    if not case.metrics[metric].interval:
        return "UNDECIDED", "too few samples for an interval"
    orders = [order(case, rival, metric, row.values[metric] > printed) for printed, rival in others]
    counts = {kind: orders.count(kind) for kind in ("as printed", "opposite", "tied", "without an interval")}
    why = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    if counts["opposite"]:
        return "DIFFERENT", why
    return ("ORDER HOLDS" if counts["as printed"] else "UNDECIDED"), why


def printed_beside(run: Run, file: PublishedFile, row: PublishedRow, metric: str) -> Iterator[tuple[float, Case | None]]:
    """The other printed figures of the same problem, with our cases. Equal printed figures have no order."""
    case = find_case(run, file, row)
    for other in file.rows:
        if other is row or metric not in other.values or other.values[metric] == row.values[metric]:
            continue
        rival = find_case(run, file, other)
        if problem(rival) == problem(case) if rival else printed_problem(other) == printed_problem(row):
            yield other.values[metric], rival


def printed_problem(row: PublishedRow) -> tuple:
    return row.dtype, {axis: value for axis, value in row.axes.items() if not is_macro(axis)}


def order(case: Case, rival: Case | None, metric: str, printed_larger: bool) -> str:
    if rival is None or not rival.comparable or metric not in rival.metrics or not rival.metrics[metric].interval:
        return "without an interval"
    if not distinct(case, rival, metric):
        return "tied"
    larger = case.metrics[metric].median > rival.metrics[metric].median
    return "as printed" if larger == printed_larger else "opposite"
