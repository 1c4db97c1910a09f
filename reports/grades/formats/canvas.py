"""CSV for Canvas: Grades, Import. The id of a student is taken for the SIS Login ID; the title of the lab names the assignment."""

from reports.csv_text import table
from reports.grades.formats import for_class
from reports.grades.load import Class


@for_class("canvas", "canvas.csv", "grades for Canvas's gradebook")
def canvas(pupils: Class) -> str:
    grades = pupils.grades
    rows = [("Student", "ID", "SIS User ID", "SIS Login ID", "Section", grades.grading.title or grades.grading.lab),
            ("Points Possible", "", "", "", "", grades.of)]
    rows += [(student.name, "", "", student.id, "", student.earned) for student in grades.students if student.has_points]
    return table(rows)
