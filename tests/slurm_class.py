"""A class whose jobs run on a real Slurm with two nodes: fixtures of the tests of --executor slurm."""

import json
import os
import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from conftest import CORPUS, skip
from slurm_daemons import Slurm

RULES = [{"name": "compiles", "rule": "builds", "variant": "cpu_mine", "points": 10},
         {"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 20}]
# Nothing is timed, so this is quick.
WRONG = (CORPUS / "wrong/square_only.cpp").read_text()
# Right for size=16 and for the small problems of the check, whose limit is 5 s. Its case size=40 takes longer than any test. That case has
# packed rows, alpha 1 and beta 0, which makes it unlikely that the check draws it, too.
ENDLESS = WRONG.replace("j < g.m", "j < g.n").replace("p < g.m", "p < g.k").replace(
    "lab::Gemm<float>& g) {", "lab::Gemm<float>& g) {\n  volatile int on = g.m == 40 && g.n == 40 && g.k == 40 && g.lda == 40 && g.ldb == 40 && g.ldc == 40 && g.alpha == 1 && g.beta == 0; while (on) {}", 1)


@pytest.fixture(scope="module")
def slurm():
    if missing := Slurm.missing():
        skip(f"Slurm is not installed, and could not be: {', '.join(missing)} missing; bin/test installs packages-slurm.txt")
    folder = Path(tempfile.mkdtemp(prefix="slurm"))  # short: the path of a socket has at most 107 characters
    slurm = Slurm(folder / "s")
    try:
        # A port may be taken between its choice and its use.
        assert slurm.start() or (slurm.stop() or slurm.start()) or (slurm.stop() or slurm.start()), slurm.story()
        os.environ["SLURM_CONF"] = str(slurm.config)
        yield slurm
    finally:
        os.environ.pop("SLURM_CONF", None)
        slurm.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Class:
    def __init__(self, lab, folder):
        self.folder, self.lab = folder, lab(folder, grade={"rules": RULES}, resources={"case_time": "10m"})
        self.lab.sweep("cpu_mine", name="sizes", size=[16, 40])
        self.started = []
        self.home = self.lab.results.folder / "small/grades/shards"

    def submit(self, student, source=WRONG):
        (self.folder / "submissions" / student).mkdir(parents=True, exist_ok=True)
        (self.folder / "submissions" / student / "cpu_mine.cpp").write_text(source)
        return self

    def words(self, *more, results=None):
        return ["grade", self.lab.write(), self.folder / "submissions", "--results", results or self.lab.results.folder, "--no-sanitize", *more]

    def grade(self, *more, results=None, **how):
        return self.lab.harness(*self.words(*more, results=results), **how)

    def start(self, *more):
        self.started.append(Watched(self.lab.harness.start(*self.words(*more))))
        return self.started[-1]

    def students(self, results=None):
        grades = json.loads(((results or self.lab.results.folder) / "small/grades/grades.json").read_text())
        return {student["id"]: student for student in grades["students"]}


class Watched:
    """A command whose output is read while it runs."""

    def __init__(self, process):
        self.process, self.out = process, ""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.out += line

    def finish(self):
        self.process.wait(240)
        self.reader.join()
        return self.process.returncode, self.out + self.process.stderr.read()


@pytest.fixture
def pupils(lab, tmp_path):
    pupils = Class(lab, tmp_path)
    yield pupils
    for command in pupils.started:
        command.process.kill()
        command.finish()
