"""The formats that grades are exported to: one file each, which registers itself when this package is imported."""

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Callable, Iterator

from reports.grades.load import Class, folder_name
from reports.grades.record import Student

FILES = Iterator[tuple[str, bytes]]  # path below the output folder, content


@dataclass(frozen=True)
class Format:
    about: str
    files: Callable[[Class], FILES]


FORMATS: dict[str, Format] = {}


def for_class(name: str, file: str, about: str):
    """Registers a function that makes one text from a class."""
    def register(make: Callable[[Class], str]):
        FORMATS[name] = Format(f"{file}: {about}", lambda pupils: iter([(file, make(pupils).encode())]))
        return make

    return register


def for_student(name: str, file: str, about: str):
    """Registers a function that makes one file from a student: text, bytes, or None if there is nothing to write."""
    def register(make: Callable[[Class, Student], str | bytes | None]):
        def files(pupils: Class) -> FILES:
            for student in pupils.grades.students:
                made = make(pupils, student)
                if made is not None:
                    yield student_file(student, file), made.encode() if isinstance(made, str) else made

        FORMATS[name] = Format(f"students/*/{file}: {about}", files)
        return make

    return register


def student_file(student: Student, file: str) -> str:
    return f"students/{folder_name(student.id)}/{file}"


for module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{module.name}")
FORMATS = dict(sorted(FORMATS.items()))
