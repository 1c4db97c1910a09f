"""A step summary and annotations for GitHub Actions: `cat summary.md >> $GITHUB_STEP_SUMMARY; cat annotations.txt`."""

import os
from pathlib import Path
from typing import Iterator

from reports.grades.feedback import document
from reports.grades.formats import FORMATS, Format, student_file
from reports.grades.load import Class
from reports.grades.positions import remarks
from reports.grades.record import Student
from reports.markdown import render_markdown

MOST_BYTES = 1000 * 1024  # GitHub drops a summary of more than 1024 KiB
MOST_ANNOTATIONS = 10  # of one step
COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
CUT = "\n\n(cut here: the summary would be too large)\n"


def data(text: str) -> str:
    """The message of a workflow command: it cannot end the line. The runner looks for ##[ anywhere in a line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "## [")


def value(text: str) -> str:
    """The value of a property of a workflow command."""
    return data(text).replace(":", "%3A").replace(",", "%2C")


def summary(pupils: Class, student: Student) -> bytes:
    made = render_markdown(document(pupils, student)).encode()
    if len(made) <= MOST_BYTES:
        return made
    return made[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0].encode() + CUT.encode()


def path_in_checkout(pupils: Class, student: Student, file: str) -> str:
    """Annotations name files from the root of the repository."""
    root = pupils.environment.get("GITHUB_WORKSPACE", "")
    path = Path(student.files.source or student.submission) / file
    return os.path.relpath(path, root) if root and path.resolve().is_relative_to(Path(root).resolve()) else file


def annotations(pupils: Class, student: Student) -> str:
    found = remarks(student, pupils.run(student))
    kept = found[:MOST_ANNOTATIONS - 1] if len(found) > MOST_ANNOTATIONS else found
    lines = [f"::{COMMANDS[one.level]} file={value(path_in_checkout(pupils, student, one.file))},line={one.line},"
             f"title={value(one.kind)}::{data(one.text)}" for one in kept]
    if len(found) > len(kept):
        lines.append(f"::notice title=more::{len(found) - len(kept)} more remarks are in the summary")
    return "".join(line + "\n" for line in lines)


def files(pupils: Class) -> Iterator[tuple[str, bytes]]:
    for student in pupils.grades.students:
        yield student_file(student, "summary.md"), summary(pupils, student)
        yield student_file(student, "annotations.txt"), annotations(pupils, student).encode()


FORMATS["github"] = Format("students/*/summary.md and annotations.txt: for a step of GitHub Actions", files)
