"""The results: the tables and plots of the configuration, each with the published figures of its sweep."""

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from reports import emulated, published, published_tables
from reports.document import Bullets, Code, Figure, Paragraph, Section, Table, Text, join, plain, say, text
from reports.language import mark, told, tr
from reports.record import Case, Run
from reports.plots import Chart, build_figure, plot_spec
from reports.selection import Selection
from reports.statuses import NOT_RUN
from reports.tables import build_tables, split, table_spec
from reports.text import closed, line, listing, unique

PLOTS = PurePosixPath("plots")
UNSELECTED = mark("the run has no such case")


@dataclass
class Shown:
    """What the results show so far, and what they cannot show."""

    blocks: dict[str, list] = field(default_factory=dict)  # by title
    published: dict[str, list] = field(default_factory=dict)  # the same, for the section of published figures
    published_at: dict[tuple[str, str], str] = field(default_factory=dict)  # title by sweep and metric; "": not shown
    missing: dict[str, list[Text]] = field(default_factory=dict)  # names by reason
    emulated: set[str] = field(default_factory=set)  # ids of the cases that a table shows

    def under(self, title: str) -> list:
        return self.blocks.setdefault(title, [])

    def miss(self, reason: str, what: Text) -> None:
        names = self.missing.setdefault(reason, [])
        if what not in names:
            names.append(what)


@dataclass(frozen=True)
class Found:
    first: tuple  # numbered blocks of the first page
    results: tuple[Section, ...]
    published: tuple[Section, ...]


def sections(run: Run, first: list = ()) -> tuple[Found, dict[int, Chart]]:
    """One subsection per title, and the charts of all figures by number. The figures of `first` get the first numbers."""
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
            shown.miss(without_numbers(run, spec.select) or mark("none of its cases has a number"), text(spec.select.title))
    add_published(run, shown)
    number = Numbering()
    opening = number(list(first))
    found = [Section(text(title), f"result-{i}", number(blocks)) for i, (title, blocks) in enumerate(shown.blocks.items(), 1)]
    beside = tuple(Section(text(title), f"published-{i}", number(blocks)) for i, (title, blocks) in enumerate(shown.published.items(), 1))
    if shown.missing:
        items = tuple(text(listed(names), tr(": "), closed(tr(reason))) for reason, names in shown.missing.items())
        found.append(Section(say("Not shown"), "not-shown", (Bullets(items),)))
    return Found(opening, tuple(found), beside), number.charts


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
    return listing(unique(line(told(case.reason)) for case in cases), 3)


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
        shown.under(title).append(Paragraph(say("There is no plot: {why}.", why=tr(emulated.UNTIMED))))
    else:
        shown.miss(emulated.UNTIMED, text(title))


def add_published(run: Run, shown: Shown) -> None:
    """Puts each comparison under the title of the table of its sweep and metric. Only the first one explains the ratio."""
    explained = False
    for file in run.published:
        comparisons = published.compare(run, file)
        if not comparisons:
            shown.miss(published.not_compared(run, file) or UNSELECTED, text(Code(line(file.file))))
        for comparison in comparisons:
            title = shown.published_at.get((comparison.sweep, comparison.info.name), tr("Published figures"))
            if not title:
                continue  # the configuration says `published: false`
            blocks = shown.published.setdefault(title, [])
            blocks.extend(split(published_tables.value_table(run, comparison, explained)))
            explained = True
            if orders := published.orders(comparison):
                blocks.append(published_tables.order_table(comparison, orders))


class Numbering:
    """Numbers tables and figures in the order of the report, and collects the charts."""

    def __init__(self):
        self.tables, self.charts = 0, {}

    def __call__(self, blocks: list) -> tuple:
        return tuple(map(self.one, blocks))

    def one(self, block):
        match block:
            case Table(number=0):
                self.tables += 1
                return replace(block, number=self.tables)
            case (Figure() as figure, Chart() as chart):
                number = len(self.charts) + 1
                self.charts[number] = chart
                return replace(figure, number=number, file=str(PLOTS / f"figure-{number}.svg"))
        return block
