"""JUnit XML, which CI pages read: one test per rule that the student may see."""

from xml.etree import ElementTree

from reports.grades.formats import for_student
from reports.grades.load import Class
from reports.grades.record import Student
from reports.grades.wording import advice, explained, points, reason, score, state, total
from reports.text import line


@for_student("junit", "junit.xml", "JUnit XML for CI")
def junit(pupils: Class, student: Student) -> str:
    grading, awards = pupils.grades.grading, student.visible
    states = [state(award) for award in awards]
    counts = {"tests": len(awards), "failures": sum(one in ("part", "none") for one in states), "errors": 0,
              "skipped": states.count("open"), "time": round(student.seconds, 3)}
    attributes = {name: str(value) for name, value in counts.items()}
    root = ElementTree.Element("testsuites", name=line(grading.title or grading.lab), **attributes)
    suite = ElementTree.SubElement(root, "testsuite", name=line(student.id), timestamp=grading.started.removesuffix("Z"), **attributes)
    properties = ElementTree.SubElement(suite, "properties")
    earned, of, still = total(awards)
    for name, value in (("points", points(score(student, earned))), ("points_possible", points(of)),
                        ("points_open", points(score(student, still))), ("run", student.run), ("rules_version", grading.rules_version)):
        ElementTree.SubElement(properties, "property", name=name, value=value)
    for award, how in zip(awards, states):
        made = ElementTree.SubElement(suite, "testcase", classname=line(f"{grading.lab}.{award.kind}"), name=line(award.rule), time="0")
        if how == "open":
            ElementTree.SubElement(made, "skipped", message=explained(award))
        elif how != "full":
            message = f"{points(award.earned)} of {points(award.of)} points: {reason(award)}"
            ElementTree.SubElement(made, "failure", message=message, type=award.kind).text = advice(award)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
