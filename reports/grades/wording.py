"""Points and statuses in words, for all formats. Text that a student may have written leaves here in one line, cut and clean."""

from reports.grades.record import Award, Student
from reports.text import line, plural

MISSING = "no grade yet"
HIDDEN = "rules that are not shown"  # the sum of them, where a format needs the whole grade


def points(value: float) -> str:
    return f"{round(value, 2):.12g}"


def total(awards: tuple[Award, ...]) -> tuple[float, float, float]:
    """Earned, the most that can be earned, open."""
    return sum(award.earned for award in awards), sum(award.of for award in awards), sum(award.open for award in awards)


def totals(student: Student) -> str:
    """Of the rules that the student may see, times the factor of the roster: 35 of 40 points, 5 are open."""
    if not student.has_points:
        return MISSING
    earned, of, still = total(student.visible)
    earned, still = earned * student.factor, still * student.factor
    text = f"{points(earned)} of {points(of)} points"
    return f"{text}; {points(still)} {'is' if still == 1 else 'are'} open" if still else text


def score(student: Student, value: float) -> float:
    """What points of a rule are worth after the factor, for services that add up the scores of rules."""
    return round(value * student.factor, 6)


def late(student: Student) -> str:
    counts = f"all points count times {points(student.factor)}" if student.factor != 1 else ""
    return "; ".join(part for part in (line(student.late), counts) if part)


def more_rules(student: Student) -> str:
    """Nothing about hidden rules but their number."""
    count = len(student.hidden)
    return f"{plural(count, 'rule')} more {'counts' if count == 1 else 'count'}, without being shown here" if count else ""


def is_full(award: Award) -> bool:
    return award.earned >= award.of - 1e-9


def state(award: Award) -> str:
    """full, open, part or none."""
    if is_full(award):
        return "full"
    return "open" if award.open > 0 else "part" if award.earned > 0 else "none"


def reason(award: Award) -> str:
    return line(award.why)


def advice(award: Award) -> str:
    return line(award.next)


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
