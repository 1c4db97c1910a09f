"""`python -m reports grades FOLDER`: writes what a class and its teacher read, from grades.json."""

import argparse
import sys
from pathlib import Path

import msgspec

from reports.errors import ReportError, UnknownName, suggestion
from reports.fields import Fields
from reports.grades.formats import FORMATS
from reports.grades.load import Class, find_student, load_class
from reports.language import speaking
from reports.render import write

USUAL = "class,feedback,csv,moodle,canvas,similar"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder with grades.json")
    parser.add_argument("--formats", default=USUAL, metavar="LIST", help=f"comma-separated: {', '.join(FORMATS)} (default: {USUAL})")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="default: the folder of grades.json")
    parser.add_argument("--only", default="", metavar="ID", help="only the student with this id")
    parser.add_argument("--earlier", type=Path, action="append", default=[], metavar="FOLDER",
                        help="submissions of another year, which similar.html compares with too; may be repeated")
    parser.add_argument("--class-median", action="store_true", help="feedback shows the median of the class")


def chosen(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in FORMATS:
            raise UnknownName(f'--formats: unknown format "{name}"{suggestion(name, FORMATS)}; known: {", ".join(FORMATS)}')
    if not names:
        raise UnknownName(f"--formats: no format given; known: {', '.join(FORMATS)}")
    return names


def write_grades(options: argparse.Namespace) -> int:
    pupils = load_class(options.folder)
    pupils.chosen, pupils.median, pupils.earlier = chosen(options.formats), options.class_median, options.earlier
    if options.only:
        pupils.grades = msgspec.structs.replace(pupils.grades, students=(find_student(pupils.grades, options.only),))
    folder = pupils.output = options.output or pupils.folder
    with speaking(language_of(pupils)):
        return write_formats(pupils, folder)


def language_of(pupils: Class) -> str:
    """That of the configuration, which the runs of the students have; empty without a run."""
    runs = (pupils.run(student) for student in pupils.grades.students)
    return next((Fields(run.report, "run.json: report").text("language") for run in runs if run), "")


def write_formats(pupils: Class, folder: Path) -> int:
    for name in pupils.chosen:
        count, path = 0, folder
        for file, content in FORMATS[name].files(pupils):
            path = folder / file
            try:
                write(path, content)
            except OSError as error:
                raise ReportError(f"{path}: cannot be written: {error.strerror}") from None
            count += 1
        print(path if count == 1 else f"{name}: {count} files in {folder / 'students'}")
    for remark in pupils.remarks:
        print(remark, file=sys.stderr)
    return 0
