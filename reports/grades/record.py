"""The types of grades.json. Written by reports/generate.py: do not edit."""

from typing import Literal

from msgspec import Struct

from reports.grades.derived import StudentFacts


class ProgramVersion(Struct, frozen=True, kw_only=True):
    """The harness that made the run."""

    version: str
    commit: str
    dirty: bool


class Grading(Struct, frozen=True, kw_only=True):
    """When and how the class was graded."""

    lab: str
    title: str
    config: str
    rules_version: str
    intake_version: str = ""
    config_version: str = ""
    started: str
    finished: str = ""
    harness: ProgramVersion


class Rule(Struct, frozen=True, kw_only=True):
    """A rule of the configuration."""

    name: str
    kind: str
    variant: str = ""
    about: str = ""
    points: float
    hidden: bool


class Files(Struct, frozen=True, kw_only=True):
    """The files of a submission."""

    graded: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    hash: str = ""
    folder: str = ""
    source: str = ""


class Award(Struct, frozen=True, kw_only=True):
    """What one rule gives to one student."""

    rule: str
    kind: str
    hidden: bool
    earned: float
    of: float
    open: float
    why: str
    next: str = ""
    cases: tuple[str, ...] = ()


class Student(StudentFacts, Struct, frozen=True, kw_only=True):
    """One student."""

    id: str
    name: str
    submission: str = ""
    status: Literal["GRADED", "MISSING", "MISNAMED", "EMPTY", "NO_SUBMISSION", "REFUSED", "UNREADABLE", "FAILED", "PENDING"]
    reason: str = ""
    files: Files
    key: str = ""
    run: str = ""
    run_folder: str = ""
    seconds: float
    late: str = ""
    factor: float
    earned: float
    of: float
    open: float
    marks: dict[str, float] = {}
    rules: tuple[Award, ...]


class Grades(Struct, frozen=True, kw_only=True):
    """The whole file."""

    schema: Literal["harness-grade/1"]
    grading: Grading
    of: float
    rules: tuple[Rule, ...]
    students: tuple[Student, ...]
    remarks: tuple[str, ...]
