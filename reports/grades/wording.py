"""Points and statuses in words, for all formats. Text that a student may have written leaves here in one line, cut and clean."""

from reports.grades.record import Award, Student
from reports.language import mark, told, tr, tr_many
from reports.text import line

MISSING = mark("no grade yet")
HIDDEN = "rules that are not shown"  # the sum of them, where a format needs the whole grade


def points(value: float) -> str:
    return f"{round(value, 2):.12g}"


def total(awards: tuple[Award, ...]) -> tuple[float, float, float]:
    """Earned, the most that can be earned, open."""
    return sum(award.earned for award in awards), sum(award.of for award in awards), sum(award.open for award in awards)


def totals(student: Student) -> str:
    """Of the rules that the student may see, times the factor of the roster: 35 of 40 points, 5 are open."""
    if not student.has_points:
        return tr(MISSING)
    earned, of, still = total(student.visible)
    earned, still = earned * student.factor, still * student.factor
    text = tr("{earned} of {all} points", earned=points(earned), all=points(of))
    return text + tr_many("; {points} is open", "; {points} are open", 1 if still == 1 else 2, points=points(still)) if still else text


def score(student: Student, value: float) -> float:
    """What points of a rule are worth after the factor, for services that add up the scores of rules."""
    return round(value * student.factor, 6)


def late(student: Student) -> str:
    counts = tr("all points count times {factor}", factor=points(student.factor)) if student.factor != 1 else ""
    return tr("; ").join(part for part in (line(told(student.late)), counts) if part)


def more_rules(student: Student) -> str:
    """Nothing about hidden rules but their number."""
    count = len(student.hidden)
    return tr_many("{n} rule more counts, without being shown here", "{n} rules more count, without being shown here", count) if count else ""


def is_full(award: Award) -> bool:
    return award.earned >= award.of - 1e-9


def state(award: Award) -> str:
    """full, open, part or none."""
    if is_full(award):
        return "full"
    return "open" if award.open > 0 else "part" if award.earned > 0 else "none"


def reason(award: Award) -> str:
    return line(told(award.why))


def advice(award: Award) -> str:
    return line(told(award.next))


def explained(award: Award) -> str:
    """Why and what next, in one line: for formats that have one text for a rule."""
    text = f"{points(award.earned)} of {points(award.of)} points: {reason(award)}"
    return f"{text}. Next: {advice(award)}" if award.next and not is_full(award) else text


def feedback_line(student: Student) -> str:
    """All rules that the student may see, in one line."""
    parts = [f"{line(award.rule)}: {explained(award)}" for award in student.visible]
    if student.reason:
        parts.insert(0, line(student.reason))
    parts += [remark for remark in (late(student), more_rules(student)) if remark]
    return " | ".join(parts)
