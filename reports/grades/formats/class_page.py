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
from reports.language import mark, told, tr
from reports.numbers import significant
from reports.text import line, plural

LEADERS = 20
STATES = (mark("full"), mark("part"), mark("none"), mark("open"))


@for_class("class", "class.html", "the class for its teacher, hidden rules included")
def class_page(pupils: Class) -> str:
    grades, seen = pupils.grades, survey(pupils)
    script, digest = trusted_script("class.js")
    graded = [student for student in grades.students if student.has_points]
    shares = [student.earned / student.of if student.of else 0 for student in graded]
    facts = [(tr("Graded"), (grades.grading.finished or grades.grading.started)[:16].replace("T", " ") + " UTC"),
             (tr("Students"), tr("{all}, of whom {graded} have a grade", all=len(grades.students), graded=len(graded))),
             (tr("Rules"), tr("{rules}, {points} points, version {version}", rules=plural(len(grades.rules), "rule"), points=wording.points(grades.of),
                           version=grades.grading.rules_version))]
    if graded:
        middle = median(student.earned for student in graded)
        facts.insert(2, (tr("Median"), tr("{earned} of {all} points", earned=wording.points(middle), all=wording.points(grades.of))))
    speedups = {row.student.id: row.speedup for row in seen.rows}
    return environment().get_template("class.html.j2").render(
        grades=grades, seen=seen, similar="similar" in pupils.chosen, facts=facts, script=script, digest=digest, doubtful=DOUBTFUL, states=STATES, told=told,
        drawing=Markup(histogram(shares, grades.of)), leaders=leaderboard(pupils, speedups)[:LEADERS], w=wording, line=line,
        fast=any(row.speedup is not None for row in seen.rows),
        number=lambda value: "" if value is None else significant(value, 3), late=any(student.factor != 1 for student in grades.students),
        remarks=[line(told(remark)) for remark in (*grades.remarks, *pupils.remarks)])
