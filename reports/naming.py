"""Names of what a sentence speaks of: the title of a table for a sweep, and only those axes of a case that its sweep varies."""

from reports.compare import label
from reports.document import Code, Text, say, text
from reports.language import tr
from reports.record import Case, Run
from reports.selection import axis_value, names, selection
from reports.text import line


FASTEST = ("kernel_ms", "gflops", "gbytes_s")  # of one problem they have the same order


def sweep_name(run: Run, sweep: str, *metrics: str) -> Text:
    """The title of the first table that shows one of the metrics of all of the sweep and nothing else; without one, the name of the
    sweep."""
    cases = [case for case in run.cases if case.sweep == sweep]
    for fields in run.asked("tables", "table"):
        chosen, shown = selection(fields), names(fields, "values") or names(fields, "value")
        if chosen.sweeps == (sweep,) and set(shown) & set(metrics) and fields.text("title") and chosen.cases(run) == cases:
            return text(tr("“{title}”", title=line(chosen.title, 120)))
    return say("the sweep {name}", name=Code(line(sweep, 80)))


def point(run: Run, case: Case) -> str:
    """`f32 size=1024 BLOCK=16`. A value that is the same in the whole sweep, or a type that is the only one, says nothing."""
    sweep = [one for one in run.cases if one.sweep == case.sweep]
    axes = [axis for axis in case.axes if any(axis_value(one, axis) != case.axes[axis] for one in sweep)] or list(case.axes)
    several = len({one.dtype for one in run.cases}) > 1
    return line(label(case, [*(["dtype"] if several and "dtype" not in axes else []), *axes]), 120)
