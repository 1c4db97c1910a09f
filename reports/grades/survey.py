"""What a teacher wants to know of a class: one pass over the students and their runs."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from os.path import relpath
from urllib.parse import quote

from reports.derived import MISTAKE
from reports.grades.formats import student_file
from reports.grades.leaderboard import best_speedup, nickname
from reports.grades.load import Class, own_cases
from reports.grades.record import Student
from reports.grades.similar import similar_sources
from reports.grades.wording import points, reason, state
from reports.language import mark, told, tr
from reports.record import Case, Run
from reports.text import line, unique

MINOR = ("PASSED", "UNSTABLE", "THROTTLED", "SKIPPED", "CANCELLED")  # not a student's mistake
DOUBTFUL = ("SUSPECT", "MISTRUSTED")
TROUBLE = ("MISNAMED", "REFUSED", "UNREADABLE", "FAILED")
PATTERN_LIMIT = 160
UNKNOWN = mark("no known pattern")
NEARLY_THE_SAME = 0.9  # share of a source that another one has too


class Urgency(IntEnum):
    """Why a person should look at a student; the most urgent first."""

    doubtful_time = 0
    trouble = 1
    open_points = 2


@dataclass(frozen=True)
class Doubt:
    urgency: Urgency
    text: str


@dataclass(frozen=True)
class RuleRow:
    name: str
    kind: str
    hidden: bool
    of: float
    share: float  # mean of the points of those who have any grade
    full: int
    part: int
    none: int
    open: int


@dataclass(frozen=True)
class StudentRow:
    student: Student
    anchor: str
    nickname: str
    speedup: float | None
    feedback: str  # links; empty if there is no such file
    run: str


@dataclass
class Survey:
    rows: list[StudentRow] = field(default_factory=list)
    rules: list[RuleRow] = field(default_factory=list)
    mistakes: list[tuple[str, list[StudentRow]]] = field(default_factory=list)  # the most frequent first
    review: list[tuple[StudentRow, list[Doubt]]] = field(default_factory=list)
    machines: set[str] = field(default_factory=set)  # that measured the speedups


def survey(pupils: Class) -> Survey:
    made, found = Survey(), defaultdict(list)
    twins = defaultdict(list)
    for student in pupils.grades.students:
        if student.files.graded and student.files.hash:
            twins[student.files.hash].append(student)
    alike = defaultdict(list)
    for pair in similar_sources(pupils) if "similar" in pupils.chosen else []:
        if pair.share >= NEARLY_THE_SAME:
            for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
                alike[one.owner].append(Doubt(Urgency.trouble, tr(
                    "{share} % of {file} is like {other} of {owner}", share=f"{100 * pair.share:.0f}", file=line(one.file, 40), other=line(other.file, 40),
                    owner=line(other.owner, 40))))
    for number, student in enumerate(pupils.grades.students):
        run = pupils.run(student)
        row = StudentRow(student, f"student-{number}", nickname(student), best_speedup(student, run), feedback_link(pupils, student),
                         run_link(pupils, student) if run else "")
        made.rows.append(row)
        if row.speedup is not None:
            made.machines.add(run.machine.hostname_hash)
        for pattern in mistakes(student, run):
            found[pattern].append(row)
        if doubts := sorted(review(student, run, twins[student.files.hash]) + alike[student.id][:3], key=lambda doubt: doubt.urgency):
            made.review.append((row, doubts))
    made.review.sort(key=lambda one: one[1][0].urgency)
    made.mistakes = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    made.rules = [rule_row(pupils, rule) for rule in pupils.grades.rules]
    return made


def feedback_link(pupils: Class, student: Student) -> str:
    file = student_file(student, "feedback.html")
    return file if "feedback" in pupils.chosen or (pupils.output / file).is_file() else ""


def run_link(pupils: Class, student: Student) -> str:
    folder = pupils.run_folder(student)
    file = next((name for name in ("report.html", "report.md") if (folder / name).is_file()), "run.json")
    return quote(relpath((folder / file).resolve(), pupils.output.resolve()))


def rule_row(pupils: Class, rule) -> RuleRow:
    awards = [award for student in pupils.grades.students if student.has_points for award in student.rules if award.rule == rule.name]
    count = [state(award) for award in awards].count
    most = sum(award.of for award in awards)
    return RuleRow(line(rule.name), rule.kind, rule.hidden, rule.points, sum(award.earned for award in awards) / most if most else 0,
                   count("full"), count("part"), count("none"), count("open"))


def mistakes(student: Student, run: Run | None) -> list[str]:
    """Each pattern once for each student, however many cases show it."""
    if not run:
        return [student.status] if student.status not in ("GRADED", "PENDING") else []
    cases = own_cases(student, run)
    found = [(case.status, pattern(case)) for case in cases if case.status not in MINOR and not is_told(case)]
    found += [(tr("diagnostic"), line(one.kind)) for case in cases for one in case.diagnostics if one.severity == MISTAKE]
    known = [one for one in found if one[1]]
    return unique(f"{what}: {text or tr(UNKNOWN)}" for what, text in known or found)


def is_told(case: Case) -> bool:
    """Its reason is a mistake that the emulated device saw, which is counted by its kind."""
    return any(one.severity == MISTAKE and line(one.what) in line(case.reason, 2000) for one in case.diagnostics)


def pattern(case: Case) -> str:
    """The reason of a case without what differs between students: shapes, positions, names and numbers. Empty if nothing is left."""
    text = line(case.reason, 2000)
    if " cells differ" in text:
        parts = [part for part in text.split("; ")[1:] if not re.match("the first shape|it printed|worst ", part)]
        text = parts[0] if parts else ""
    text = re.sub(r"^(?:on (?:\w+=\S+ ?)+: ?)", "", text)
    text = re.sub(r"^[\w./+-]+:\d+(?::\d+)?: (?:fatal )?(?:error: )?", "", text)
    text = re.sub(r",? at [\w./+-]+:\d+: .*$", "", text)
    text = re.sub(r"‘[^’]*’|'[^']*'|\"[^\"]*\"", "‘…’", text)
    return line(re.sub(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", "N", text), PATTERN_LIMIT)


def review(student: Student, run: Run | None, twins: list[Student]) -> list[Doubt]:
    """Why a person should look at this student, the most urgent first."""
    doubts = unique(Doubt(Urgency.doubtful_time, f"{case.status}: {line(told(case.reason))}") for case in own_cases(student, run)
                    if case.status in DOUBTFUL)
    if student.status in TROUBLE:
        doubts.append(Doubt(Urgency.trouble, f"{student.status}: {line(told(student.reason))}"))
    others = [line(other.id, 40) for other in twins if other.id != student.id]
    if others:
        text = mark("the same files as {students} and others") if len(others) > 5 else mark("the same files as {students}")
        doubts.append(Doubt(Urgency.trouble, tr(text, students=", ".join(others[:5]))))
    doubts += [Doubt(Urgency.open_points, tr("{points} points of {rule} are open: {why}", points=points(award.open), rule=line(award.rule), why=reason(award)))
               for award in student.rules if award.open > 0 and award.kind != "manual" and run]
    return doubts
