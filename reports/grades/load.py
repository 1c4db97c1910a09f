"""Reads grades.json and the runs that it names."""

import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping

import msgspec

from reports.errors import ReportError, UnknownName, suggestion
from reports.grades.record import Grades, Student
from reports.load import load_run
from reports.record import Case, Run

SCHEMA = "harness-grade/1"


class Version(msgspec.Struct):
    schema: str = ""


@dataclass
class Class:
    """The grades of a class, and where they lie."""

    grades: Grades
    folder: Path  # of grades.json
    output: Path = Path()  # where the files will lie
    chosen: tuple[str, ...] = ()  # formats that are written together
    median: bool = False  # students may see the median of the class
    earlier: list[Path] = field(default_factory=list)  # folders with submissions of other years
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    remarks: list[str] = field(default_factory=list)
    medians: dict | None = None  # of the class, when a page has asked for them
    similar: list | None = None  # pairs of sources, likewise
    too_long: list[str] = field(default_factory=list)  # whose sources were compared only in part

    def run_folder(self, student: Student) -> Path | None:
        return self.folder / student.run_folder if student.run else None  # grades.json names paths from its own folder

    def run(self, student: Student) -> Run | None:
        """None if there is no run, or if it cannot be read, which is remarked."""
        folder = self.run_folder(student)
        if folder is None:
            return None
        try:
            return load_run(folder)
        except ReportError as error:
            remark = f'"{student.id}": its page shows no numbers: {error}'
            if remark not in self.remarks:
                self.remarks.append(remark)
            return None


def load_class(path: Path) -> Class:
    file = path if path.name.endswith(".json") else path / "grades.json"
    try:
        text = file.read_text(encoding="utf-8")
        schema = msgspec.json.decode(text, type=Version).schema
        if schema != SCHEMA:
            raise ReportError(f'{file}: schema is "{schema}" but must be "{SCHEMA}"; use the harness that wrote the grades')
        return Class(msgspec.json.decode(text, type=Grades), file.parent, file.parent)
    except FileNotFoundError:
        raise ReportError(f"{file}: there is no such file; run harness grade first") from None
    except (UnicodeDecodeError, msgspec.DecodeError) as error:  # a ValidationError is a DecodeError too
        raise ReportError(f"{file}: is damaged: {error}; harness grade writes it again") from None
    except OSError as error:
        raise ReportError(f"{file}: cannot be read: {error.strerror}") from None


def find_student(grades: Grades, name: str) -> Student:
    for student in grades.students:
        if student.id == name:
            return student
    raise UnknownName(f'--only: no student "{name}"{suggestion(name, [student.id for student in grades.students])}')


def visible_cases(student: Student, run: Run | None) -> list[Case]:
    """The cases of the student that a rule which the student may see looked at. The rule `builds` looks at all of them, so it shows
    none that a hidden rule looks at."""
    secret = {name for award in student.hidden for name in award.cases}
    seen = {name for award in student.visible for name in award.cases if award.kind != "builds" or name not in secret}
    return [case for case in run.cases if case.id in seen] if run else []


def own_cases(student: Student, run: Run | None) -> list[Case]:
    """All cases that any rule looked at: for the teacher."""
    seen = {name for award in student.rules for name in award.cases}
    return [case for case in run.cases if case.id in seen] if run else []


def folder_name(identity: str) -> str:
    """A name for a folder of any id: two ids never share one, not even where case does not count."""
    safe = re.sub(r"[^a-z0-9_-]", "_", identity)[:60]
    return safe if safe == identity else f"{safe}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"
