"""The page of a class for its teacher: one HTML file that loads nothing and works from a folder."""

from statistics import median

from markupsafe import Markup

from reports.grades import wording
from reports.grades.formats import for_class
from reports.grades.histogram import histogram
from reports.grades.leaderboard import leaderboard
from reports.grades.load import Class
from reports.grades.survey import DOUBTFUL, survey
from reports.html import environment, trusted_script
from reports.numbers import significant
from reports.text import line, plural

LEADERS = 20


@for_class("class", "class.html", "the class for its teacher, hidden rules included")
def class_page(pupils: Class) -> str:
    grades, seen = pupils.grades, survey(pupils)
    script, digest = trusted_script("class.js")
    graded = [student for student in grades.students if student.has_points]
    shares = [student.earned / student.of if student.of else 0 for student in graded]
    facts = [("Graded", (grades.grading.finished or grades.grading.started)[:16].replace("T", " ") + " UTC"),
             ("Students", f"{len(grades.students)}, of whom {len(graded)} have a grade"),
             ("Rules", f"{plural(len(grades.rules), 'rule')}, {wording.points(grades.of)} points, version {grades.grading.rules_version}")]
    if graded:
        middle = median(student.earned for student in graded)
        facts.insert(2, ("Median", f"{wording.points(middle)} of {wording.points(grades.of)} points"))
    speedups = {row.student.id: row.speedup for row in seen.rows}
    return environment().get_template("class.html.j2").render(
        grades=grades, seen=seen, similar="similar" in pupils.chosen, facts=facts, script=script, digest=digest, doubtful=DOUBTFUL,
        drawing=Markup(histogram(shares, grades.of)), leaders=leaderboard(pupils, speedups)[:LEADERS], w=wording, line=line,
        fast=any(row.speedup is not None for row in seen.rows),
        number=lambda value: "" if value is None else significant(value, 3), late=any(student.factor != 1 for student in grades.students),
        remarks=[line(remark) for remark in (*grades.remarks, *pupils.remarks)])
