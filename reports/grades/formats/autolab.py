"""What an Autolab grader prints: semantic feedback in one line, and the scores in the last one. Each rule is a problem in Autolab."""

import json

from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.record import Student
from reports.grades.wording import HIDDEN, explained, is_full, score, total
from reports.text import line


@for_student("autolab", "autolab.txt", "the last two lines of an Autolab grader")
def autolab(pupils: Class, student: Student) -> str | None:
    if not student.has_points:
        return None
    stages: dict[str, dict] = {}
    for award in student.visible:
        stages.setdefault(award.kind, {})[line(award.rule)] = {"passed": is_full(award), "hint": explained(award)}
    scores = {line(award.rule): score(student, award.earned) for award in student.visible}
    if student.hidden:
        scores[HIDDEN] = score(student, total(student.hidden)[0])
    feedback = {"_presentation": "semantic", "stages": list(stages), **stages}
    return json.dumps(feedback) + "\n" + json.dumps({"scores": scores}) + "\n"
