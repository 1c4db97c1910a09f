"""A class of students with a small lab, for the tests that grade one with the real program."""

import json

import pytest
from conftest import CORPUS, QUICK

RULES = [
    {"name": "compiles", "rule": "builds", "variant": "cpu_mine", "points": 10},
    {"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 20},
    {"name": "large", "rule": "correct", "variant": "cpu_mine", "where": {"size": 40}, "points": 10, "hidden": True},
    # Every right variant reaches it, on any machine.
    {"name": "fast", "rule": "speed", "variant": "cpu_mine", "steps": {1e-9: 5}},
    {"name": "report", "rule": "manual", "points": 5}]
RIGHT = (CORPUS / "correct/my_ikj.cpp").read_text()
WRONG = (CORPUS / "wrong/square_only.cpp").read_text()


class Class:
    def __init__(self, lab, folder):
        self.folder = folder
        # Six samples, however busy the machine is: fewer decide nothing about speed.
        self.lab = lab(folder, baseline="cpu_baseline", measure={**QUICK, "precision": "50%", "max_time": "20s"}, grade={"rules": RULES})
        self.lab.sweep("cpu_baseline", "cpu_mine", name="sizes", size=[16, 40])
        self.submissions, self.grades_folder = folder / "submissions", self.lab.results.folder / "small/grades"

    def submit(self, student, source=RIGHT, file="cpu_mine.cpp"):
        (self.submissions / student).mkdir(parents=True, exist_ok=True)
        (self.submissions / student / file).write_text(source)
        return self

    def words(self, *more, command="grade"):
        folder = [self.submissions] if command == "grade" else []
        return [command, self.lab.write(), *folder, "--results", self.lab.results.folder, *more]

    def grade(self, *more, command="grade"):
        return self.lab.harness(*self.words(*more, command=command))

    @property
    def grades(self):
        return json.loads((self.grades_folder / "grades.json").read_text())

    @property
    def students(self):
        return {student["id"]: student for student in self.grades["students"]}

    def points(self, student):
        return {award["rule"]: award["earned"] for award in self.students[student]["rules"]}


@pytest.fixture
def pupils(lab, tmp_path):
    return Class(lab, tmp_path)


def without_times(pupils):
    """A class whose variants compile and are wrong: nothing is timed, so this is quick."""
    pupils.lab.keys.pop("baseline")
    pupils.lab.keys["sweeps"][0]["variants"] = ["cpu_mine"]
    pupils.lab.keys["grade"] = {"rules": RULES[:2]}
    return pupils


@pytest.fixture
def untimed(pupils):
    return without_times(pupils)
