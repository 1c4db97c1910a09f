"""Feedback for each student, as the pages of a report are rendered."""

from typing import Iterator

from reports.grades.feedback import document
from reports.grades.formats import FORMATS, Format, for_student, student_file
from reports.grades.load import Class
from reports.grades.record import Student
from reports.html import render_html
from reports.markdown import render_markdown
from reports.pdf import render_pdf


def pages(pupils: Class) -> Iterator[tuple[str, bytes]]:
    for student in pupils.grades.students:
        made = document(pupils, student)
        yield student_file(student, "feedback.md"), render_markdown(made).encode()
        yield student_file(student, "feedback.html"), render_html(made, {}).encode()


FORMATS["feedback"] = Format("students/*/feedback.md and .html: points, reasons, what to look at next", pages)


@for_student("feedback-pdf", "feedback.pdf", "the same on paper")
def on_paper(pupils: Class, student: Student) -> bytes:
    return render_pdf(render_html(document(pupils, student), {}, paper=True))
