"""What the emulated GPU saw in the code: mistakes, and reasons why a kernel is slow. One entry a place, whatever BLOCK is."""

from dataclasses import dataclass
from math import inf
from typing import Sequence

from reports.compare import points
from reports.document import Code, CodeBlock, Facts, Link, Paragraph, Section, Strong, Text, text
from reports.emulated import build_of, macros, ran
from reports.model import ADVICE, MISTAKE, Case, Finding, Run
from reports.numbers import significant
from reports.text import line, plural, sentence, unique

MOST = 20

# kind: how `have` and `ideal` are called; the one that is the larger comes first
UNITS = {
    "uncoalesced": "sectors of 32 bytes fetched, {have}; fewest that would do, {ideal}",
    "bank_conflicts": "turns at shared memory, {have}; without conflicts, {ideal}",
    "divergence": "lanes that took part, {have}; lanes that could have, {ideal}",
    "redundant_traffic": "bytes asked of global memory, {have}; bytes touched, {ideal}",
}
# where the kind's name is no heading
TITLES = {"race_shared": "race in shared memory", "race_global": "race in global memory", "race_blocks": "race between blocks",
          "shared_bounds": "shared memory out of bounds", "uninitialised_shared": "uninitialised shared memory",
          "uninitialised_global": "uninitialised global memory", "barrier_exited": "barrier that some never reach",
          "barrier_places": "barrier inside a branch", "lanes_missing": "missing lanes", "copy_pending": "copy not waited for",
          "endless": "kernel without end", "uncoalesced": "uncoalesced access"}
OTHER_UNIT = "{have}; at best, {ideal}"


@dataclass(frozen=True)
class Place:
    """One kind of finding at one place of a variant, in every build that has it; the worst build first."""

    variant: str
    found: tuple[tuple[Case, Finding], ...]

    @property
    def worst(self) -> Finding:
        return self.found[0][1]


def factor(finding: Finding) -> float:
    """How many times more than needed; of lanes, how many times fewer."""
    more, less = sorted((finding.have, finding.ideal), reverse=True)
    return more / less if less else inf if more else 1


def places(run: Run, severity: str) -> list[Place]:
    """Worst first."""
    builds = {build_of(case): case for case in ran(run.cases)}
    groups: dict[tuple, list[tuple[Case, Finding]]] = {}
    for case in builds.values():
        for finding in case.findings:
            if finding.severity == severity:
                key = (case.variant, finding.kind, finding.kernel, finding.file, finding.line, finding.other_file, finding.other_line)
                groups.setdefault(key, []).append((case, finding))
    weight = lambda pair: (factor(pair[1]), pair[1].count)
    found = [Place(key[0], tuple(sorted(group, key=weight, reverse=True))) for key, group in groups.items()]
    return sorted(found, key=lambda place: weight(place.found[0]), reverse=True)


def summary(run: Run) -> Text | None:
    """What the emulated GPU was good for, with the way to what it found."""
    cases = ran(run.cases)
    if not cases:
        return None
    mistaken, slow = places(run, MISTAKE), places(run, ADVICE)
    parts: list = [f"{plural(len(cases), 'case')} ran on the emulated GPU: the results were judged, and there are no times"]
    if mistaken or slow:
        variants = unique(place.variant for place in mistaken + slow)
        parts.append(". It found ")
        parts += [Link(plural(len(mistaken), "mistake"), "mistakes"), " and " if slow else ""] if mistaken else []
        parts += [Link(plural(len(slow), "hint on speed", "hints on speed"), "advice")] if slow else []
        parts.append(f" in {plural(len(variants), 'variant')}")
    return text(*parts, ".")


def at(file: str, number: int) -> str:
    return f"{line(file, 200)}:{number}" if number else line(file, 200)


def span(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


def builds_text(place: Place) -> str:
    """BLOCK 8, 16 and 32"""
    axes = sorted((macros(case) for case, _ in place.found), key=lambda values: [str(v).zfill(12) for v in values.values()])
    return points([a for a in axes if a])


def much(place: Place) -> Text:
    form = UNITS.get(place.worst.kind, OTHER_UNIT)
    counts = form.format(have=span([f.have for _, f in place.found]), ideal=span([f.ideal for _, f in place.found]))
    fewer = place.worst.have < place.worst.ideal
    values = [100 / factor(f) if fewer else factor(f) for _, f in place.found]
    digits = 3 if max(values) >= 100 else 2  # no place before the point is rounded away
    low, high = (significant(end, digits) for end in (min(values), max(values)))
    return text(f"{low if low == high else f'{low} to {high}'} {'%' if fewer else 'times'} {'of ' * fewer}the ideal: {counts}")


def title(kind: str) -> str:
    return sentence(TITLES.get(kind, line(kind, 60).replace("_", " ")))[:-1]


def head(place: Place, number: int) -> Paragraph:
    finding = place.worst
    where = [", ", Code(at(finding.file, finding.line))] if finding.file else []
    kernel = [", kernel ", Code(line(finding.kernel, 80))] if finding.kernel else []
    return Paragraph(text(Strong(f"{number}. {title(finding.kind)}"), " in ",
                          Code(line(place.variant, 80)), *kernel, *where))


def entry(place: Place, number: int) -> list:
    finding = place.worst
    rows: list[tuple[str, Text]] = [("what", text(sentence(line(finding.what))))]
    if finding.other_file and (finding.other_file, finding.other_line) != (finding.file, finding.line):
        rows.append(("other place", text(Code(at(finding.other_file, finding.other_line)))))
    if finding.fix:
        rows.append(("usually" if finding.severity == ADVICE else "mend", text(sentence(line(finding.fix)))))
    if finding.severity == ADVICE and (finding.have or finding.ideal):
        rows.append(("how much", much(place)))
    if finding.severity == MISTAKE and finding.count:
        rows.append(("seen", text(plural(sum(f.count for _, f in place.found), "time"))))
    if values := builds_text(place):
        rows.append(("with", text(values)))
    return [head(place, number), *([CodeBlock(line(finding.source, 200))] if finding.source else []), Facts(tuple(rows))]


def listed(found: Sequence[Place]) -> list:
    blocks = [block for number, place in enumerate(found[:MOST], 1) for block in entry(place, number)]
    if len(found) > MOST:
        blocks.append(Paragraph(text(f"{len(found) - MOST} more only in run.json: this list ends at {MOST}.")))
    return blocks


def advice(run: Run) -> Section | None:
    found = places(run, ADVICE)
    if not found:
        return None
    intro = Paragraph(text("What the emulated GPU counted while the kernels ran on the shapes of the check, the worst place first. A hint is no "
                           "mistake: the results are right with it. Where builds differ, the words are of the worst and the numbers "
                           "span all."))
    return Section(text("Why is it slow?"), "advice", (intro, *listed(found)))


def mistakes(run: Run) -> tuple[Section, ...]:
    found = places(run, MISTAKE)
    if not found:
        return ()
    intro = Paragraph(text("What the emulated GPU saw the kernels do that a real GPU may forgive today and punish tomorrow:"))
    return (Section(text("Mistakes in the code"), "mistakes", (intro, *listed(found))),)
