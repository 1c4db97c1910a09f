"""Selects the cases of a table or a plot, and reads and orders the values of their axes."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Iterable

from reports.fields import Fields, Scalar
from reports.record import Case, Run
from reports.numbers import general
from reports.text import line, unique

OWN = ("variant", "dtype", "device", "sweep", "threads")  # axes that every case has
METRIC = "metric"  # the additional axis of a table or plot with several metrics


@dataclass(frozen=True)
class Selection:
    """The settings that tables, plots and exports share."""

    title: str
    sweeps: tuple[str, ...]
    variants: tuple[str, ...]  # patterns; empty: all variants
    where: tuple[tuple[str, tuple[Scalar, ...]], ...]
    caption: str

    def takes(self, sweep: str, variant: str, axes: dict[str, Scalar]) -> bool:
        return (sweep in self.sweeps
                and (not self.variants or any(fnmatchcase(variant, glob) for glob in self.variants))
                and all(axis not in axes or axes[axis] in values for axis, values in self.where))

    def cases(self, run: Run) -> list[Case]:
        return [case for case in run.cases
                if self.takes(case.sweep, case.variant, dict(case.axes))
                and all(axis_value(case, axis) in values for axis, values in self.where)]


def names(fields: Fields, key: str) -> tuple[str, ...]:
    """The value is one string or a list of strings."""
    return (fields.text(key),) if isinstance(fields.values.get(key), str) else fields.texts(key)


def selection(fields: Fields) -> Selection:
    sweeps = names(fields, "sweep")
    if not sweeps:
        raise fields.fail('"sweep" is missing')
    where = []
    for axis, wanted in fields.object("where").values.items():
        where.append((axis, tuple(wanted) if isinstance(wanted, list) else (wanted,)))
    return Selection(line(fields.text("title")) or line(sweeps[0]), sweeps,
                     names(fields, "variants"), tuple(where), fields.text("caption"))


def axis_value(case: Case, axis: str) -> Scalar | None:
    if axis in case.axes:
        return case.axes[axis]
    if axis in OWN:
        return getattr(case, axis)
    return case.parameters.get(axis)


def varying(cases: Iterable[Case], but: Iterable[str] = ()) -> list[str]:
    """The axes in which these cases differ, in the order in which they occur."""
    cases, but = list(cases), set(but)
    axes = unique([*OWN[:2], *(axis for case in cases for axis in case.axes)])
    return [axis for axis in axes if axis not in but and len({axis_value(case, axis) for case in cases}) > 1]


def ordered(values: Iterable[Any]) -> list:
    """Unique values in order: absent values first, numbers ascending, words as they occur; tuples part by part."""
    found = unique(values)
    if found and all(isinstance(value, tuple) for value in found):
        ranks = [{part: i for i, part in enumerate(ordered(column))} for column in zip(*found)]
        return sorted(found, key=lambda value: [rank[part] for rank, part in zip(ranks, value)])
    absent, present = [v for v in found if v is None], [v for v in found if v is not None]
    if all(isinstance(value, (int, float)) for value in present):
        present.sort()
    return absent + present


def axis_text(value: Scalar | None) -> str:
    return "–" if value is None else line(general(value), 80)


def is_macro(axis: str) -> bool:
    """BLOCK, TILE: a compile-time parameter of the variant, not of the problem."""
    return axis.isupper()
