"""Cases that did not pass: wrong, failed and skipped cases with their reasons, and points that the configuration leaves out."""

from typing import Callable, Sequence

from reports import diagnostics, emulated
from reports.compare import points
from reports.document import Bullets, Code, CodeBlock, Link, Paragraph, Section, Strong, Table, Text, cell, join, say, text, words
from reports.derived import MISTAKE
from reports.language import told, tr, tr_many
from reports.record import Case, Run
from reports.statuses import NOT_RUN, words as status_words
from reports.text import closed, cut, first_error, line, plural, unique

MOST_NAMES, MOST_REASONS = 12, 4


def section(run: Run) -> Section:
    blocks: list = []
    for status in (row.name for row in run.statuses):
        cases = run.with_status(status)
        if status != "PASSED" and status not in NOT_RUN:
            for group in grouped(cases, lambda case: case.variant):
                blocks += failure(run, status, group)
    not_run = [bullet(run, group) for status in NOT_RUN
               for group in grouped(run.with_status(status), lambda case: case.reason)]
    if not_run:
        blocks.append(Bullets(tuple(not_run)))
    if not blocks:
        blocks.append(Paragraph(say("Every case of the run passed.")))
    blocks += excluded(run)
    blocks.append(legend(run))
    return Section(say("Cases that did not pass"), "not-passed", tuple(blocks), diagnostics.mistakes(run))


def grouped(cases: Sequence[Case], key: Callable) -> list[list[Case]]:
    groups: dict = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return list(groups.values())


def codes(names: Sequence[str]) -> Text:
    more = [say("{n} more", n=str(len(names) - MOST_NAMES))] if len(names) > MOST_NAMES else []
    return join([text(Code(line(name, 80))) for name in names[:MOST_NAMES]] + more)


def failure(run: Run, status: str, cases: list[Case]) -> list:
    """The cases of a variant that failed with one status: reasons, points, and messages of the check or the compiler."""
    first = cases[0]
    where = points([case.axes for case in cases])
    reasons = grouped(cases, lambda case: case.reason)
    said = closed(line(told(first.reason or run.legend(status).meaning))) if len(reasons) == 1 else ""
    blocks: list = [Paragraph(text(Strong(status), " ", Code(line(first.variant, 80)), run.whose(first.variant), ", ", plural(len(cases), "case"),
                                   f" ({where})" if where else "", tr(": ") if said else tr("."), said))]
    if not said:
        more = [say("{n} more reasons are in run.json.", n=str(len(reasons) - MOST_REASONS))] if len(reasons) > MOST_REASONS else []
        blocks.append(Bullets((*(text(points([case.axes for case in group]), tr(": "), closed(line(told(group[0].reason))))
                                 for group in reasons[:MOST_REASONS]), *more)))
    if first.check.message and first.check.message not in first.reason:
        blocks.append(CodeBlock(cut(first.check.message), say("Message of the check:")))
    bad = [text(Code(row.name), tr(": "), closed(line(told(row.detail)))) for row in first.check.lines if not row.right and row.detail]
    if bad:
        blocks.append(Bullets(tuple(bad)))
    if printed := next((str(note.arguments["output"]) for note in first.notes if note.code == "printed"), ""):
        blocks.append(CodeBlock(cut(printed), say("The variant printed:")))
    if any(one.severity == MISTAKE for one in first.diagnostics):
        blocks.append(Paragraph(say("For the position in the source, see {link}.", link=Link(tr("mistakes in the code"), "mistakes"))))
    if log := build_log(run, first):
        blocks.append(CodeBlock(first_error(log), say("The compiler's first error:")))
    return blocks


def build_log(run: Run, case: Case) -> str:
    failed = [build for build in run.builds if build.state == "failed" and build.variant == case.variant]
    return next((build.log for build in failed if build.key == case.build_key), failed[0].log if failed else "")


def bullet(run: Run, cases: list[Case]) -> Text:
    """20 cases skipped (gpu_naive and gpu_shared): no GPU was found on this machine."""
    first = cases[0]
    return say("{cases} {status} ({names}): {why}", cases=plural(len(cases), "case"), status=status_words(first.status),
               names=codes(unique(case.variant for case in cases)), why=closed(line(told(first.reason or run.legend(first.status).meaning))))


def excluded(run: Run) -> list:
    """Points that the configuration leaves out, grouped by reason."""
    if not run.excluded:
        return []
    items = []
    for group in grouped(run.excluded, lambda point: (point.sweep, point.variant, point.reason)):
        point = group[0]
        where = points([p.axes for p in group])
        items.append(say("{variant}{where} of {sweep}: {why}", variant=Code(line(point.variant, 80)), sweep=Code(line(point.sweep, 80)),
                         where=tr(" at {point}", point=where) if where else "", why=closed(line(point.reason) or tr("no reason was given"))))
    count = plural(len(run.excluded), "point")
    return [Paragraph(text(tr_many("The configuration leaves out {points}, for this reason:", "The configuration leaves out {points}, for these reasons:",
                                   len(items), points=count))), Bullets(tuple(items))]


def legend(run: Run) -> Table:
    rows = []
    for status, fails, meaning in ((row.name, row.fails, row.meaning) for row in run.statuses):
        untimed = emulated.passed(run) if status == "PASSED" else 0
        count = len(run.with_status(status)) - untimed
        if untimed:
            rows.append((cell(tr("{status}, emulated", status=status)), cell(str(untimed)), cell(tr(emulated.MEANING)), cell(tr("no"))))
        if count:
            rows.append((cell(status), cell(str(count)), cell(told(meaning)), cell(tr("yes") if fails else tr("no"))))
    columns = words("status", "cases", "meaning", "fails the run")
    return Table(columns, tuple(rows), labels=1, caption=say("The statuses that occur in this run."))
