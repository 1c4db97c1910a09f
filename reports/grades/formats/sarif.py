"""SARIF 2.1.0: failures and diagnostics with a line, for code scanning pages and editors."""

import json
from urllib.parse import quote

from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.positions import remarks
from reports.grades.record import Student
from reports.text import unique

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@for_student("sarif", "diagnostics.sarif", "failures and diagnostics with their lines")
def sarif(pupils: Class, student: Student) -> str:
    found = remarks(student, pupils.run(student))
    results = [{"ruleId": one.kind, "level": one.level, "message": {"text": one.text}, "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": quote(one.file)}, "region": {"startLine": one.line}}}]} for one in found]
    driver = {"name": "harness", "version": pupils.grades.grading.harness.version, "rules": [{"id": kind} for kind in unique(one.kind for one in found)]}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}, indent=1) + "\n"
