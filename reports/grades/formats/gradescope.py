"""results.json of a Gradescope autograder. A student sees no total there when a test is hidden."""

import json

from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.record import Award, Student
from reports.grades.wording import HIDDEN, advice, is_full, late, more_rules, reason, score, state, total
from reports.text import line


def test(student: Student, award: Award) -> dict:
    output = reason(award) + (f"\nNext: {advice(award)}" if award.next and not is_full(award) else "")
    made = {"name": line(award.rule), "name_format": "text", "score": score(student, award.earned), "max_score": round(award.of, 6),
            "output": output, "output_format": "text", "tags": [award.kind], "visibility": "visible"}
    return made if state(award) == "open" else made | {"status": "passed" if is_full(award) else "failed"}


@for_student("gradescope", "results.json", "Gradescope's results")
def gradescope(pupils: Class, student: Student) -> str | None:
    if not student.has_points:
        return None  # Gradescope shows a missing file as a failure of the grader, which it is
    tests = [test(student, award) for award in student.visible]
    if student.hidden:
        earned, of, _ = total(student.hidden)
        tests.append({"name": HIDDEN, "score": score(student, earned), "max_score": round(of, 6), "visibility": "hidden"})
    told = [line(student.reason), late(student), more_rules(student)]
    return json.dumps({
        "score": round(student.earned, 6), "execution_time": round(student.seconds, 3), "output": "\n".join(text for text in told if text),
        "output_format": "text", "test_output_format": "text", "test_name_format": "text", "stdout_visibility": "hidden", "tests": tests,
        "extra_data": {"run": student.run, "rules_version": pupils.grades.grading.rules_version}}, indent=1) + "\n"
