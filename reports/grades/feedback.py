"""The feedback for one student as a document, which the renderers of reports turn into Markdown, HTML and PDF."""

import re
from pathlib import PurePosixPath
from statistics import median
from typing import Sequence

from reports import ladder
from reports.document import Bullets, Cell, Code, CodeBlock, Document, Paragraph, Section, Table, cell, numbers, say, text, words
from reports.language import mark, told, tr
from reports.grades.leaderboard import nickname
from reports.grades.load import Class, visible_cases
from reports.grades.positions import remarks
from reports.grades.record import Award, Student
from reports.grades.wording import advice, is_full, late, more_rules, points, reason, score, total, totals
from reports.numbers import significant
from reports.record import Case, Run
from reports.selection import axis_text
from reports.text import closed, cut, first_error, line, plural, sentence, unique

MOST_ROWS = 60
WHOLE = 4000  # characters: longer than any advice
FEWEST_STUDENTS = 5  # a median of fewer would tell one student the number of another
SHOWN = {"kernel_ms": mark("time (ms)"), "speedup": mark("speedup"), "percent_of_limit": mark("share of machine limit (%)")}


def document(pupils: Class, student: Student) -> Document:
    grading, run = pupils.grades.grading, pupils.run(student)
    name = line(student.name if student.name == student.id else f"{student.name} ({student.id})")
    facts = [(tr("Student"), text(name)), (tr("Graded"), text((grading.finished or grading.started)[:16].replace("T", " "), " UTC"))]
    if student.files.graded:
        facts.append((tr("Files"), text(", ".join(line(file) for file in student.files.graded))))
    if student.run:
        facts.append((tr("Run"), say("{run}, rules {version}", run=student.run, version=grading.rules_version)))
    if more_rules(student):
        facts.append((tr("Not shown"), text(sentence(more_rules(student)))))
    if student.run:
        facts.append((tr("Leaderboard"), say("Your name there is {name}.", name=nickname(student))))
    about = (Paragraph(text(line(student.status), tr(": "), sentence(line(told(student.reason))))),) if student.reason else ()
    sections = [part for part in (earned(pupils, student), next_steps(student, run), errors(student, run), printed(student, run),
                                  lines(student, run), own_numbers(pupils, student, run)) if part]
    title = tr("{lab}: feedback", lab=line(grading.title or grading.lab))
    return Document(title, grading.lab, totals(student), tuple(facts), about, tuple(sections), grading.started[:10], tr("Feedback"), contents=False)


def earned(pupils: Class, student: Student) -> Section:
    about = {rule.name: rule.about for rule in pupils.grades.rules}
    rows = []
    for award in student.visible:
        still = " " + tr("{points} points are open.", points=points(award.open)) if award.open else ""
        what = sentence(line(about.get(award.rule, "")))
        rows.append((cell(line(award.rule)), cell(points(award.earned)), cell(points(award.of)),
                     cell(f"{what} {sentence(reason(award))}{still}".strip())))
    got, of, _ = total(student.visible)
    rows.append((cell(tr("together")), cell(points(got)), cell(points(of)), cell("")))
    if late(student):
        rows.append((cell(tr("what counts")), cell(points(score(student, got))), cell(points(of)), cell(sentence(late(student)))))
    columns = (*words("rule"), *numbers("points", "of"), *words("why"))
    return Section(say("Points"), "points", (Table(columns, tuple(rows), aligned=False),))


def next_steps(student: Student, run: Run | None) -> Section | None:
    """Each piece of advice once, with the rules that it would help."""
    steps: dict[str, tuple[str, list[str]]] = {}
    for award in student.visible:
        if award.next and not is_full(award):
            steps.setdefault(subject(award, visible_cases(student, run)), (advice(award), []))[1].append(line(award.rule))
    items = tuple(text(closed(step), f" ({', '.join(rules)})") for step, rules in steps.values())
    return Section(say("What to look at next"), "next", (Bullets(items),)) if items else None


def subject(award: Award, cases: Sequence[Case]) -> str:
    """What the advice is about: a diagnostic or the reason of a case, which several rules name in other words."""
    known = [*(one.what for case in cases for one in case.diagnostics), *(case.reason for case in cases)]
    whole = line(award.next, WHOLE)
    return next((said for one in known if (said := line(one, WHOLE)) and said in whole), whole)


def own_paths(student: Student, log: str) -> str:
    """The log of a compiler with the names of files as the student knows them."""
    folder = PurePosixPath(student.files.folder).name
    return re.sub(rf"(?<![^\s:])[^\s:]*/{re.escape(folder)}/", "", log) if folder else log


def errors(student: Student, run: Run | None) -> Section | None:
    """The first message of the compiler for each file."""
    used = {case.build_key for case in visible_cases(student, run)}
    logs = unique((build.variant, first_error(own_paths(student, build.log)))
                  for build in run.builds if build.key in used and build.state == "failed") if run else []
    blocks = tuple(CodeBlock(log, say("The compiler says of {name}:", name=Code(line(variant)))) for variant, log in logs if log)
    return Section(say("Messages of the compiler"), "compiler", blocks) if blocks else None


def printed(student: Student, run: Run | None) -> Section | None:
    """What variants printed in cases that failed, once for each: the text of an exception is there."""
    failing = {row.name for row in run.statuses if row.fails} if run else set()
    said = {case.variant: str(note.arguments["output"]) for case in reversed(visible_cases(student, run)) if case.status in failing
            for note in case.notes if note.code == "printed"}
    blocks = tuple(CodeBlock(cut(output), say("{name}{where} printed:", name=Code(line(variant)), where="")) for variant, output in said.items())
    return Section(say("Output of variants"), "printed", blocks) if blocks else None


def lines(student: Student, run: Run | None) -> Section | None:
    """Without what the compiler says, which has a section of its own. One remark of a kind is enough for a line."""
    first = {}
    for one in remarks(student, run):
        if one.kind != "COMPILE_ERROR":
            first.setdefault((one.file, one.line, one.kind), one)
    rows = tuple((cell(Code(f"{line(one.file)}:{one.line}")), cell(one.text)) for one in first.values())
    return Section(say("Lines to look at"), "lines", (Table(words("line", "what"), rows[:MOST_ROWS]),)) if rows else None


def point(case: Case) -> tuple:
    return case.sweep, case.variant, case.dtype, case.threads, tuple(case.axes.items())


def own_numbers(pupils: Class, student: Student, run: Run | None) -> Section | None:
    cases = visible_cases(student, run)
    if not cases:
        return None
    shown = {metric: head for metric, head in SHOWN.items() if any(metric in case.metrics for case in cases)}
    typical = medians(pupils) if pupils.median and "speedup" in shown else {}
    heads = [*shown.values(), *([mark("median speedup of the class")] if typical else [])]
    rows = tuple((cell(Code(line(case.variant)), declared(run, case)), cell(", ".join(f"{axis}={axis_text(value)}" for axis, value in case.axes.items())),
                  cell(case.status), *(number(case, metric) for metric in shown),
                  *([Cell(text(significant(typical[point(case)], 3)) if point(case) in typical else text("–"))] if typical else []))
                 for case in cases[:MOST_ROWS])
    over = unique(case.metrics["speedup"].over for case in cases if "speedup" in case.metrics and case.metrics["speedup"].over)
    caption = tr("Speedup over {names}, measured in the same run. ", names=", ".join(over)) if over else ""
    more = len(cases) - MOST_ROWS
    caption += tr("{cases} not listed.", cases=plural(more, "more case")) if more > 0 else ""
    return Section(say("Your numbers"), "numbers",
                   (Table((*words("variant", "case", "status"), *numbers(*heads)), rows, caption=text(caption.strip()), labels=2,
                          aligned=False),))


def declared(run: Run, case: Case) -> str:
    """` (tf32)`: the precision of a variant that is less precise than its type."""
    lower = ladder.precision(run, case)
    return f" ({line(lower, 20)})" if lower else ""


def number(case: Case, metric: str) -> Cell:
    found = case.metrics.get(metric)
    return cell(significant(found.median, 3)) if found else cell("–", word=True)


def medians(pupils: Class) -> dict[tuple, float]:
    """The median speedup of the class at each case. It reads every run, so it is kept."""
    if pupils.medians is None:
        found: dict[tuple, list[float]] = {}
        for student in pupils.grades.students:
            for case in visible_cases(student, pupils.run(student)):
                if "speedup" in case.metrics and case.comparable:
                    found.setdefault(point(case), []).append(case.metrics["speedup"].median)
        pupils.medians = {at: median(values) for at, values in found.items() if len(values) >= FEWEST_STUDENTS}
    return pupils.medians
