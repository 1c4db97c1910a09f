"""CSV with one line per student, for a spreadsheet."""

from reports.csv_text import table
from reports.grades.formats import for_class
from reports.grades.load import Class
from reports.text import line


@for_class("csv", "grades.csv", "status, points per rule and reason of each student")
def grades_table(pupils: Class) -> str:
    # A student without a decision has no points, which is not the same as 0 points.
    rules = [rule.name for rule in pupils.grades.rules]
    rows = [("id", "name", "status", "earned", "of", "open", "factor", *rules, "run", "reason")]
    for student in pupils.grades.students:
        earned = {award.rule: award.earned for award in student.rules} if student.has_points else {}
        rows.append((student.id, student.name, student.status, student.earned if student.has_points else None, student.of,
                     student.open if student.has_points else None, student.factor, *(earned.get(rule) for rule in rules), student.run,
                     line(student.reason)))
    return table(rows)
