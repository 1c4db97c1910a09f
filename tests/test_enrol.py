"""Who is in a class, under which name, and which of several submissions counts."""

import os
import re
import shutil
import subprocess
import unicodedata
import zipfile

from conftest import skip
from small_class import RULES, WRONG
from small_class import pupils, untimed  # noqa: F401, fixtures


def test_late_submissions_and_several_of_one_student(untimed):
    """anna is in time, ben is late, carla has an extension, dora handed in three times, emil a year later, fritz nothing."""
    untimed.lab.keys["grade"] = {"rules": RULES[:1], "attempts": "best",
                                 "late": {"deadline": "2026-11-20T23:59+01:00", "per_day": "10%", "grace": "15m", "cut_off": "72h"}}
    for student in ("anna", "ben", "carla", "emil"):
        untimed.submit(student, WRONG)
    untimed.submit("dora/1", "int broken(\n").submit("dora/02", "int broken(\n// 02\n").submit("dora/2", WRONG)
    untimed.submit("dora/200000", "int broken(\n// again\n")
    roster = untimed.folder / "roster.csv"
    roster.write_text("id,submitted,extension\nanna,2026-11-20T23:10:00Z,\nben,2026-11-22T00:59+01:00,\ncarla,2026-11-22T00:00:00Z,48h\n"
                      "dora,2026-11-20T10:00:00Z,\nemil,2027-01-01T00:00:00Z,\nfritz,,\n")
    ran = untimed.grade("--roster", roster)
    assert ran.code == 0, ran.out + ran.err
    students = untimed.students
    assert {id: student["earned"] for id, student in students.items()} == {"anna": 10, "ben": 8, "carla": 10, "dora": 10, "emil": 0, "fritz": 0}
    assert students["ben"]["late"] == "handed in 25 h after the deadline" and "late" not in students["carla"]
    assert students["dora"]["submission"] == str(untimed.submissions / "dora/2")
    assert '1 student without a time in the column "submitted" of the roster: they count as in time' in untimed.grades["remarks"]
    untimed.lab.keys["grade"]["attempts"] = "last"
    before = untimed.grades
    assert untimed.grade(command="regrade").err == (f"harness: {untimed.lab.file}: late, files or attempts have changed since the class was graded; "
                                                    "run harness grade again: it repeats no run\n")
    assert untimed.grade("--roster", roster, "--only", "dora").err == (
        f"harness: --only: {untimed.grades_folder}/grades.json was made with other keys beside the rules (late, files, attempts); leave out --only once\n")
    assert untimed.grades == before
    assert untimed.grade("--roster", roster).code == 0
    assert untimed.students["dora"]["earned"] == 0
    del untimed.lab.keys["grade"]["late"]["deadline"]
    roster.write_text(roster.read_text().replace("id,submitted,extension", "id,submitted,deadline"). replace(",48h", ",2026-11-22T00:00:00Z"))
    assert untimed.grade("--roster", roster).code == 0
    assert untimed.students["ben"]["earned"] == 10 and untimed.grades["remarks"] == [
        '1 student without a time in the column "submitted" of the roster: they count as in time',
        '5 students without a deadline in the column "deadline" of the roster or in "late": they count as in time']


def test_only_the_newest_50_attempts_count(untimed):
    untimed.lab.keys["grade"] = {"rules": RULES[:1], "attempts": "best"}
    for student, attempts in (("anna", 51), ("ben", 50)):
        untimed.submit(f"{student}/1", WRONG)
        for attempt in range(2, attempts + 1):
            untimed.submit(f"{student}/{attempt}", "int broken(\n")
    ran = untimed.grade()
    assert ran.code == 0, ran.out + ran.err
    anna, ben = untimed.students["anna"], untimed.students["ben"]
    assert (anna["earned"], anna["reason"]) == (0, "only the newest 50 of 51 attempts count")
    assert ben["earned"] == 10 and "reason" not in ben
    assert "GRADED: Only the newest 50 of 51 attempts count." in (untimed.grades_folder / "students/anna/feedback.md").read_text()


def test_an_attempt_that_fails_here_may_be_the_best_one(untimed):
    """The second attempt needs more space than there is. Until there is more, the first one does not count either."""
    results = untimed.lab.results.folder
    results.mkdir(parents=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", results], capture_output=True).returncode:
        skip("a small disk needs root and mount")
    try:
        untimed.lab.keys["grade"]["attempts"] = "best"
        untimed.submit("anna", WRONG).submit("dora/1", "int broken(\n")
        with zipfile.ZipFile(untimed.submissions / "dora/2.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("cpu_mine.cpp", WRONG)
            for number in range(15):
                archive.writestr(f"part{number}.h", "/" * (1 << 20))
        assert untimed.grade("--only", "anna").code == 0
        with (results / "filler").open("wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, os.statvfs(results).f_bavail * os.statvfs(results).f_frsize - (10 << 20))
        ran = untimed.grade()
        assert (ran.code, untimed.students["dora"]["status"]) == (3, "FAILED"), ran.out + ran.err
        assert untimed.students["dora"]["reason"].endswith(" cannot be unpacked here: cannot write: No space left on device")
        (results / "filler").unlink()
        assert untimed.grade().code == 0
        assert (untimed.students["dora"]["submission"], untimed.points("dora")["compiles"]) == (str(untimed.submissions / "dora/2.zip"), 10)
    finally:
        subprocess.run(["umount", results], check=True)


def test_what_cannot_be_copied_costs_one_student(pupils):
    pupils.submit("anna").submit("ben", file="x" * 240 + ".cpp")
    assert pupils.grade().code == 0
    assert pupils.students["ben"]["reason"] == "x" * 60 + "...: the name is too long"
    assert [pupils.students[id]["status"] for id in ("anna", "ben")] == ["GRADED", "REFUSED"]


def test_names_that_look_alike_are_two_students(untimed):
    not_utf8 = [os.fsdecode(name) for name in (b"jos\xe9", b"jos\xe8")]
    for student in ("anna\x01", "anna\x02", "ben", *not_utf8, "zoe\n[7] GRADED zoe"):
        untimed.submit(student, WRONG)
    ran = untimed.grade()
    assert ran.code == 0 and re.search(r"^\[6/6\] GRADED +zoe\?\[7\] GRADED zoe \([0-9a-f]{8}\) ", ran.out, re.M), ran.out
    names = list(untimed.students)
    assert len(names) == 6 and names[2] == "ben" and all(re.fullmatch(r"(anna|jos). \([0-9a-f]{8}\)", names[i]) for i in (0, 1, 3, 4)), names
    assert len(list(untimed.grades_folder.glob("students/*/feedback.md"))) == 6
    assert {student["status"] for student in untimed.students.values()} == {"GRADED"}


def test_a_name_as_macos_writes_it(untimed):
    as_macos = unicodedata.normalize("NFD", "müller")
    assert as_macos != "müller"
    untimed.submit(as_macos, WRONG)
    roster = untimed.folder / "roster.csv"
    roster.write_text("id,name\nmüller,Anna Müller\n")
    assert untimed.grade("--roster", roster).code == 0
    assert [(student["id"], student["status"]) for student in untimed.grades["students"]] == [("müller", "GRADED")]
    roster.write_bytes("id,name\nmüller,Anna Müller\n".encode("latin-1"))
    assert untimed.grade("--roster", roster).err == f"harness: {roster}:2: not UTF-8 text; save the file as UTF-8\n"


def test_what_a_student_sees_of_an_exception_and_of_numbered_folders(untimed):
    untimed.submit("anna", '#include <stdexcept>\n#include "lab/gemm.h"\nLAB_GEMM_CPU(float)(const lab::Gemm<float>&) {\n'
                           '  throw std::runtime_error("the tile is too large");\n}\n')
    untimed.submit("ben/1", WRONG).submit("ben/2", WRONG, file="cpu_other.cpp")
    assert untimed.grade().code == 0
    page = (untimed.grades_folder / "students/anna/feedback.md").read_text()
    assert "`cpu_mine` printed:" in page and "the tile is too large" in page
    assert untimed.students["ben"]["reason"] == ("missing: cpu_mine; what lies in 2 counts, because folders with numbers are taken for attempts")
    shutil.rmtree(untimed.submissions / "ben")
    assert '"ben" is not in the class any more; the pages in students/ stay' in untimed.grade().out
