"""What the emulated device saw in the code: mistakes and performance problems, one entry per source line."""

from dataclasses import dataclass
from math import inf
from typing import Sequence

from reports.compare import points
from reports.document import Code, CodeBlock, Facts, Link, Paragraph, Section, Strong, Text, join, say, text
from reports.emulated import build_of, macros, ran
from reports.derived import ADVICE, MISTAKE
from reports.language import mark, told, tr, tr_many
from reports.record import Case, Diagnostic, Run
from reports.numbers import significant
from reports.text import line, plural, sentence, unique

MOST = 20

# kind: what `have` and `ideal` count
UNITS = {
    "uncoalesced": mark("{have} sectors of 32 bytes were fetched, {ideal} would be enough"),
    "bank_conflicts": mark("shared memory needed {have} turns, {ideal} without conflicts"),
    "divergence": mark("{have} lanes took part, {ideal} could have"),
    "idle_lanes": mark("{have} threads in warps of {ideal} lanes"),
    "redundant_traffic": mark("{have} bytes were requested from global memory, only {ideal} of them are different"),
}
OTHER_UNIT = mark("{have}, the ideal is {ideal}")
# headings of those kinds whose name is not a good heading
TITLES = {"race_shared": mark("race in shared memory"), "race_global": mark("race in global memory"), "race_blocks": mark("race between blocks"),
          "shared_bounds": mark("shared memory out of bounds"), "uninitialised_shared": mark("uninitialised shared memory"),
          "uninitialised_global": mark("uninitialised global memory"), "barrier_exited": mark("barrier that some threads never reach"),
          "barrier_places": mark("barrier inside a branch"), "barrier_warps": mark("warps at different barriers"),
          "lanes_missing": mark("missing lanes"), "copy_pending": mark("missing wait for a copy"),
          "memory_error": mark("access outside memory that is its own"), "data_race": mark("data race between threads"),
          "endless": mark("kernel stopped at its time limit"), "uncoalesced": mark("uncoalesced access"), "bank_conflicts": mark("bank conflicts"),
          "divergence": mark("divergence"), "idle_lanes": mark("idle lanes"), "redundant_traffic": mark("redundant traffic")}


@dataclass(frozen=True)
class Entry:
    """One kind of diagnostic at one position of a variant, from all builds that have it; the worst build first."""

    variant: str
    found: tuple[tuple[Case, Diagnostic], ...]

    @property
    def worst(self) -> Diagnostic:
        return self.found[0][1]


def factor(one: Diagnostic) -> float:
    """How many times more than the ideal; for lanes, how many times fewer."""
    more, less = sorted((one.have, one.ideal), reverse=True)
    return more / less if less else inf if more else 1


def entries(run: Run, severity: str) -> list[Entry]:
    """The worst first."""
    builds = {build_of(case): case for case in run.cases if case.diagnostics}
    groups: dict[tuple, list[tuple[Case, Diagnostic]]] = {}
    for case in builds.values():
        for one in case.diagnostics:
            if one.severity == severity:
                key = (case.variant, one.kind, one.kernel, one.file, one.line, one.other_file, one.other_line)
                groups.setdefault(key, []).append((case, one))
    weight = lambda pair: (factor(pair[1]), pair[1].count)
    found = [Entry(key[0], tuple(sorted(group, key=weight, reverse=True))) for key, group in groups.items()]
    return sorted(found, key=lambda entry: weight(entry.found[0]), reverse=True)


def highlight(run: Run) -> Text | None:
    """How many cases ran on the emulated device, and how much it saw, with links to the sections."""
    cases = ran(run.cases)
    if not cases:
        return None
    mistakes, problems = entries(run, MISTAKE), entries(run, ADVICE)
    ran_there = say("{cases} ran on the emulated device, which checks outputs but measures no times.", cases=plural(len(cases), "case"))
    if not mistakes and not problems:
        return ran_there
    found = [text(Link(plural(len(mistakes), "mistake"), "mistakes"))] if mistakes else []
    found += [text(Link(plural(len(problems), "performance problem"), "advice"))] if problems else []
    variants = unique(entry.variant for entry in mistakes + problems)
    return text(ran_there, " ", say("It found {what} in {variants}.", what=join(found), variants=plural(len(variants), "variant")))


def position(file: str, number: int) -> str:
    return f"{line(file, 200)}:{number}" if number else line(file, 200)


def span(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else tr("{low} to {high}", low=low, high=high)


def builds_text(entry: Entry) -> str:
    """BLOCK 8, 16 and 32"""
    axes = sorted((macros(case) for case, _ in entry.found), key=lambda values: [str(v).zfill(12) for v in values.values()])
    return points([a for a in axes if a])


def amount(entry: Entry) -> Text:
    counts = tr(UNITS.get(entry.worst.kind, OTHER_UNIT), have=span([one.have for _, one in entry.found]),
                                                             ideal=span([one.ideal for _, one in entry.found]))
    fewer = entry.worst.have < entry.worst.ideal
    values = [100 / factor(one) if fewer else factor(one) for _, one in entry.found]
    digits = 3 if max(values) >= 100 else 2  # every digit before the point is shown
    low, high = (significant(end, digits) for end in (min(values), max(values)))
    range = low if low == high else tr("{low} to {high}", low=low, high=high)
    return text(tr(mark("{range} % of the ideal: {counts}") if fewer else mark("{range} times the ideal: {counts}"), range=range, counts=counts))


def title(kind: str) -> str:
    name = tr(TITLES[kind]) if kind in TITLES else line(kind, 60).replace("_", " ")
    return name[:1].upper() + name[1:]


def heading(entry: Entry, number: int) -> Paragraph:
    worst = entry.worst
    where = [", ", Code(position(worst.file, worst.line))] if worst.file else []
    kernel = say(", kernel {name}", name=Code(line(worst.kernel, 80))) if worst.kernel else ()
    return Paragraph(text(say("{what} in {variant}", what=Strong(f"{number}. {title(worst.kind)}"), variant=Code(line(entry.variant, 80))),
                          kernel, *where))


def blocks(entry: Entry, number: int) -> list:
    worst = entry.worst
    rows: list[tuple[str, Text]] = [(tr("what"), text(sentence(told(line(worst.what)))))]
    if worst.other_file and (worst.other_file, worst.other_line) != (worst.file, worst.line):
        rows.append((tr("other position"), text(Code(position(worst.other_file, worst.other_line)))))
    if worst.fix:
        rows.append((tr("usual fix") if worst.severity == ADVICE else tr("fix"), text(sentence(told(line(worst.fix))))))
    if worst.severity == ADVICE and (worst.have or worst.ideal):
        rows.append((tr("how much"), amount(entry)))
    if worst.severity == MISTAKE and worst.count:
        rows.append((tr("how often"), text(plural(sum(one.count for _, one in entry.found), "time"))))
    if values := builds_text(entry):
        rows.append((tr("builds"), text(values)))
    return [heading(entry, number), *([CodeBlock(line(worst.source, 200))] if worst.source else []), Facts(tuple(rows))]


def listed(found: Sequence[Entry]) -> list:
    made = [block for number, entry in enumerate(found[:MOST], 1) for block in blocks(entry, number)]
    if len(found) > MOST:
        rest = len(found) - MOST
        made.append(Paragraph(text(tr_many("{n} more is only in run.json, because this list ends after {most}.",
                                   "{n} more are only in run.json, because this list ends after {most}.", rest, most=MOST))))
    return made


def performance(run: Run) -> Section | None:
    found = entries(run, ADVICE)
    if not found:
        return None
    intro = Paragraph(say("The emulated device counted these performance problems while it ran the variants on the shapes of the check. "
                          "The worst comes first. A performance problem makes a variant slow but not wrong. If builds differ, the "
                          "text describes the worst build, and the numbers give the range over all builds."))
    return Section(say("Why is it slow?"), "advice", (intro, *listed(found)))


def mistakes(run: Run) -> tuple[Section, ...]:
    found = entries(run, MISTAKE)
    if not found:
        return ()
    intro = Paragraph(say("The emulated device, or gcc's sanitizers in a build of a CPU variant, saw these mistakes. The output can be right in "
                          "spite of them, but there is no guarantee."))
    return (Section(say("Mistakes in the code"), "mistakes", (intro, *listed(found))),)
