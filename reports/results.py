"""The results: the tables and plots of the configuration, each with the published figures of its sweep."""

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from reports import emulated, published, published_tables
from reports.document import Bullets, Code, Figure, Paragraph, Section, Table, Text, join, plain, text
from reports.record import Case, Run
from reports.plots import Chart, build_figure, plot_spec
from reports.selection import Selection
from reports.statuses import NOT_RUN
from reports.tables import build_tables, split, table_spec
from reports.text import closed, line, listing, unique

PLOTS = PurePosixPath("plots")
UNSELECTED = "the run has no such case"


@dataclass
class Shown:
    """What the results show so far, and what they cannot show."""

    blocks: dict[str, list] = field(default_factory=dict)  # by title
    published_at: dict[tuple[str, str], str] = field(default_factory=dict)  # title by sweep and metric; "": not shown
    missing: dict[str, list[Text]] = field(default_factory=dict)  # names by reason
    emulated: set[str] = field(default_factory=set)  # ids of the cases that a table shows

    def under(self, title: str) -> list:
        return self.blocks.setdefault(title, [])

    def miss(self, reason: str, what: Text) -> None:
        names = self.missing.setdefault(reason, [])
        if what not in names:
            names.append(what)


def sections(run: Run) -> tuple[tuple[Section, ...], dict[int, Chart]]:
    """One subsection per title, and the charts of all figures by number."""
    shown = Shown()
    for fields in run.asked("tables", "table"):
        spec = table_spec(fields)
        title = spec.select.title
        if reason := without_numbers(run, spec.select):
            shown.miss(reason, text(title))
        elif emulated.only(cases := spec.select.cases(run)):
            add_emulated(cases, spec.select, shown)
        else:
            shown.under(title).extend(build_tables(run, spec))
        for sweep in spec.select.sweeps:
            for metric in spec.values:
                if not shown.published_at.get((sweep, metric)):
                    shown.published_at[sweep, metric] = title if spec.published else ""
    for fields in run.asked("plots", "plot"):
        spec = plot_spec(fields)
        if made := build_figure(run, spec):
            shown.under(spec.select.title).append(made)
        elif emulated.only(spec.select.cases(run)):
            undrawn(spec.select.title, shown)
        else:
            shown.miss(without_numbers(run, spec.select) or "none of its cases has a number", text(spec.select.title))
    add_published(run, shown)
    found, charts = numbered(shown.blocks)
    if shown.missing:
        items = tuple(text(listed(names), ": ", closed(reason)) for reason, names in shown.missing.items())
        found.append(Section(text("Not shown"), "not-shown", (Bullets(items),)))
    return tuple(found), charts


def listed(names: list[Text]) -> Text:
    """A list of titles. If one of them has a comma, semicolons separate them."""
    return join(names, "; ", "; ") if any("," in plain(name) for name in names) else join(names)


def without_numbers(run: Run, select: Selection) -> str:
    """Why no case of a selection ran; empty if at least one did."""
    cases = select.cases(run)
    if not cases:
        return UNSELECTED
    if any(case.status not in NOT_RUN for case in cases):
        return ""
    return listing(unique(line(case.reason) for case in cases), 3)


def add_emulated(cases: list[Case], select: Selection, shown: Shown) -> None:
    """One short table for cases on the emulated device. Other tables of the same cases would only repeat it."""
    names = {case.id for case in emulated.ran(cases)}
    if names <= shown.emulated:
        shown.miss(emulated.UNTIMED, text(select.title))
        return
    shown.emulated |= names
    shown.under(select.title).append(emulated.table(cases, select))


def undrawn(title: str, shown: Shown) -> None:
    """Says that there is no plot: below the table with its title, or in the list of what is not shown."""
    if title in shown.blocks:
        shown.under(title).append(Paragraph(text(f"There is no plot: {emulated.UNTIMED}.")))
    else:
        shown.miss(emulated.UNTIMED, text(title))


def add_published(run: Run, shown: Shown) -> None:
    """Puts each comparison below the table of its sweep and metric. Only the first one explains the ratio."""
    explained = False
    for file in run.published:
        comparisons = published.compare(run, file)
        if not comparisons:
            shown.miss(published.not_compared(run, file) or UNSELECTED, text(Code(line(file.file))))
        for comparison in comparisons:
            title = shown.published_at.get((comparison.sweep, comparison.info.name), "Published figures")
            if not title:
                continue  # the configuration says `published: false`
            shown.under(title).extend(split(published_tables.value_table(run, comparison, explained)))
            explained = True
            if orders := published.orders(comparison):
                shown.under(title).append(published_tables.order_table(comparison, orders))


def numbered(blocks: dict[str, list]) -> tuple[list[Section], dict[int, Chart]]:
    """Numbers tables and figures in the order of the report."""
    found, charts, tables = [], {}, 0
    for title, unnumbered in blocks.items():
        done: list = []
        for block in unnumbered:
            match block:
                case Table(number=0):
                    tables += 1
                    done.append(replace(block, number=tables))
                case Paragraph():
                    done.append(block)
                case (Figure() as figure, Chart() as chart):
                    number = len(charts) + 1
                    charts[number] = chart
                    done.append(replace(figure, number=number, file=str(PLOTS / f"figure-{number}.svg")))
        found.append(Section(text(title), f"result-{len(found) + 1}", tuple(done)))
    return found, charts
