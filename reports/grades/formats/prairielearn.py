"""results.json of an external grader of PrairieLearn: a score from 0 to 1."""

import json

from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.record import Student
from reports.grades.wording import advice, is_full, late, more_rules, reason, score, totals
from reports.text import line


@for_student("prairielearn", "prairielearn.json", "results.json for PrairieLearn")
def prairielearn(pupils: Class, student: Student) -> str:
    told = [line(student.reason), totals(student), late(student), more_rules(student)]
    return json.dumps({
        "gradable": student.has_points, "score": round(student.earned / student.of, 6) if student.has_points and student.of else 0,
        "message": "\n".join(text for text in told if text),
        "tests": [{"name": line(award.rule), "description": reason(award), "points": score(student, award.earned),
                   "max_points": round(award.of, 6), "message": "" if is_full(award) else advice(award)}
                  for award in student.visible]}, indent=1) + "\n"
