"""CSV for Moodle: Grades, Import, CSV file; map "ID number" to the ID number of the user, and both other columns to the assignment."""

import html

from reports.csv_text import table
from reports.grades.formats import for_class
from reports.grades.load import Class
from reports.grades.wording import feedback_line


@for_class("moodle", "moodle.csv", "grades and feedback for Moodle's gradebook")
def moodle(pupils: Class) -> str:
    # Moodle loses the grades of an import without their feedback, and the reverse. It shows feedback as HTML. A student without
    # a grade gets no row, because an empty cell would delete a grade that is there.
    title = pupils.grades.grading.title or pupils.grades.grading.lab
    rows = [("ID number", "Full name", title, f"{title} (feedback)")]
    rows += [(student.id, student.name, student.earned, html.escape(feedback_line(student), quote=False))
             for student in pupils.grades.students if student.has_points]
    return table(rows)
