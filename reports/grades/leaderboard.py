"""Who is fast, under names that only the students themselves know."""

import hashlib

from reports.grades.load import Class, visible_cases
from reports.grades.record import Student
from reports.grades.wording import score, total
from reports.record import Run

FIRST = ("amber", "bold", "brisk", "calm", "clever", "cosy", "crisp", "dapper", "eager", "fair", "fond", "gentle", "glad", "golden", "grand",
         "happy", "jolly", "keen", "kind", "lively", "lucky", "merry", "mild", "neat", "noble", "plucky", "proud", "quick", "quiet", "rapid",
         "rosy", "sharp", "silver", "smart", "snug", "steady", "sunny", "swift", "tidy", "witty")
SECOND = ("alder", "aspen", "badger", "beaver", "cedar", "crane", "curlew", "dolphin", "elk", "falcon", "fern", "finch", "fox", "hare", "hazel",
          "hedgehog", "heron", "ibis", "jay", "kestrel", "lark", "lynx", "maple", "marten", "moth", "newt", "oak", "osprey", "otter", "owl",
          "pine", "puffin", "raven", "robin", "rowan", "seal", "sparrow", "stoat", "swan", "willow")


def nickname(student: Student) -> str:
    """From the id and the key, which is a hash of the student's own sources: others cannot compute it."""
    digest = int.from_bytes(hashlib.sha256(f"{student.id}\0{student.key}".encode()).digest()[:8])
    pair, rest = digest % (len(FIRST) * len(SECOND)), digest // (len(FIRST) * len(SECOND)) % 90 + 10
    return f"{FIRST[pair % len(FIRST)]} {SECOND[pair // len(FIRST)]} {rest}"


def best_speedup(student: Student, run: Run | None) -> float | None:
    """Of cases that the student sees, and that passed: a suspect time ranks nobody."""
    found = [case.metrics["speedup"].median for case in visible_cases(student, run) if case.comparable and "speedup" in case.metrics]
    return max(found, default=None)


def leaderboard(pupils: Class, speedups: dict[str, float | None]) -> list[tuple[str, float, float | None]]:
    """Nickname, points of the rules that students see, best speedup; the best first."""
    rows = [(nickname(student), score(student, total(student.visible)[0]), speedups.get(student.id))
            for student in pupils.grades.students if student.has_points and student.run]
    return sorted(rows, key=lambda row: (-row[1], -(row[2] or 0), row[0]))
