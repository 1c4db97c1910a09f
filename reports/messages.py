"""What compilers, libraries and variants said. All of it is foreign text, shown in code blocks and cut to a few lines."""

from reports.compare import points
from reports.document import Bullets, Code, CodeBlock, Facts, Section, Text, join, say, text
from reports.language import mark, tr
from reports.record import Case, Run
from reports.text import cut, line, unique

MOST_LINES, MOST_BYTES = 10, 1000


def sections(run: Run) -> list[Section]:
    """Subsections of the provenance; those without content are left out."""
    parts = ((mark("Libraries"), "libraries", libraries(run)), (mark("Compiler warnings"), "warnings", warnings(run)),
             (mark("Output of variants"), "printed", printed(run)))
    return [Section(say(title), anchor, tuple(blocks)) for title, anchor, blocks in parts if blocks]


def noted(case: Case, code: str, name: str) -> str:
    return next((str(note.arguments[name]) for note in case.notes if note.code == code), "")


def libraries(run: Run) -> list:
    """What the library of a variant says about itself, and what it chose for each problem."""
    rows = []
    for variant in run.variants:
        chosen: dict[str, list[Case]] = {}
        for case in run.cases:
            if case.variant == variant.name and (choice := noted(case, "choice", "choice")):
                chosen.setdefault(choice, []).append(case)
        said = [text(line(variant.about, 200))] if variant.about else []
        said += [say("chose {choice} ({points})", choice=Code(line(choice, 80)), points=points([case.axes for case in cases])) for choice, cases in chosen.items()]
        if said:
            rows.append((line(variant.name, 40), join(said, "; ", "; ")))
    return [Facts(tuple(rows))] if rows else []


def warnings(run: Run) -> list:
    """`cpu_mine: mine.cpp:3:7: warning: ...`, once per variant."""
    items: list[Text] = []
    for build in run.builds:
        items += [text(Code(line(build.variant, 80)), ": ", line(warning, 300)) for warning in build.warnings]
    return [Bullets(tuple(unique(items)))] if items else []


def printed(run: Run) -> list:
    """The output of cases that passed. Failed cases show theirs beside the reason."""
    blocks, failing = [], {row.name for row in run.statuses if row.fails}
    for variant in run.variants:
        found = ((case, noted(case, "printed", "output")) for case in run.cases
                 if case.variant == variant.name and case.status not in failing)
        if first := next(((case, output) for case, output in found if output), None):
            where = points([first[0].axes])
            blocks.append(CodeBlock(cut(first[1], MOST_LINES, MOST_BYTES),
                                    say("{name}{where} printed:", name=Code(line(variant.name, 80)), where=f" ({where})" if where else "")))
    return blocks
