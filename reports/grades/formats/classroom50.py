"""result.json of Classroom 50. Its release is public to the student, and its scores are whole numbers."""

import json
import math
import re

from reports.errors import ReportError
from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.record import Award, Student
from reports.grades.wording import explained, is_full, points, score
from reports.text import line

# What the runner of Classroom 50 says of the submission: field -> variable.
FIELDS = {"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "assignment_type": "ASSIGNMENT_TYPE", "owner": "OWNER",
          "submission": "SUBMISSION_TAG", "commit": "COMMIT_URL", "release": "RELEASE_URL", "review": "REVIEW_URL"}


def whole(value: float) -> int:
    return math.floor(value + 0.5)


def test(student: Student, award: Award) -> dict:
    most, counted = whole(award.of), score(student, award.earned)
    return {"test-name": line(award.rule), "passed": is_full(award), "score": min(whole(counted), most), "max-score": most,
            "points": points(counted), "of": points(award.of), "message": explained(award)}


def when(tag: str, otherwise: str) -> str:
    """The time in submit/<UTC>-<commit>, in the only form that the schema allows."""
    digits = re.match(r"submit/(\d{4})-?(\d\d)-?(\d\d)T?-?(\d\d)[:-]?(\d\d)[:-]?(\d\d)", tag)
    return "{}-{}-{}T{}:{}:{}Z".format(*digits.groups()) if digits else otherwise


@for_student("classroom50", "result.json", "the result of one submission for Classroom 50, inside its job")
def classroom50(pupils: Class, student: Student) -> str | None:
    if not student.has_points:
        return None
    given = {field: pupils.environment.get(variable, "") for field, variable in FIELDS.items()}
    given["owner"] = given["owner"] or pupils.environment.get("USERNAME", "")
    given["review"] = given["review"] or given["commit"]
    given["assignment_type"] = given["assignment_type"] or "individual"
    for field, value in given.items():
        if not value:
            raise ReportError(f"classroom50: the environment variable {FIELDS[field]} is not set; "
                              "leave classroom50 out of --formats outside a job of Classroom 50")
    tests = [test(student, award) for award in student.visible]
    grading = pupils.grades.grading
    return json.dumps({
        "schema": "classroom50/result/v1", **given, "datetime": when(given["submission"], grading.started), "graded_at": grading.finished or grading.started,
        "score": sum(one["score"] for one in tests), "max-score": sum(one["max-score"] for one in tests), "tests": tests},
        indent=1) + "\n"
