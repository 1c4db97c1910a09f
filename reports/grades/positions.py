"""What a page or an annotation says about lines of the student's own files. Only rules that the student may see count."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from reports.derived import MISTAKE
from reports.grades.load import visible_cases
from reports.grades.record import Student
from reports.language import told, tr
from reports.record import Run
from reports.text import closed, line, unique

# cpu_mine.cpp:1:12: error: ..., or ..., at cpu_mine.cpp:9: ...
POSITION = re.compile(r"(?:^|\bat |\s)([\w./+-]+\.\w+):(\d+)(?::(\d+))?:")


@dataclass(frozen=True)
class Remark:
    level: str  # error, warning or note, as in SARIF
    kind: str
    file: str
    line: int
    text: str


def remarks(student: Student, run: Run | None) -> list[Remark]:
    """Failures with a line first, then mistakes that the emulated device saw, then its advice; each once."""
    found = []
    for case in visible_cases(student, run):
        if at := POSITION.search(case.reason):
            found.append((at[1], int(at[2]), "error", case.status, f"{case.status}: {line(told(case.reason))}"))
        for seen in case.diagnostics:
            level = "warning" if seen.severity == MISTAKE else "note"
            usual = tr(" (usually: {fix})", fix=line(told(seen.fix))) if seen.fix else ""
            found.append((seen.file, seen.line, level, seen.kind, line(told(seen.what)) + usual))
    own = {PurePosixPath(file).name: file for file in student.files.graded}
    made = [Remark(level, kind, own[PurePosixPath(file).name], at, closed(text))
            for file, at, level, kind, text in found if PurePosixPath(file).name in own and at > 0]
    return sorted(unique(made), key=lambda remark: ("error", "warning", "note").index(remark.level))
