import json

import pytest

from reports.document import Document, Section
from reports.load import parse_run
from reports.record import Run
from reports.tests.recorded import add_gpu, add_student, recorded_run


def load(recorded: dict) -> Run:
    return parse_run(json.dumps(recorded))


def part(document: Document, anchor: str) -> Section:
    return next(section for section in document.sections if section.anchor == anchor)


@pytest.fixture
def recorded() -> dict:
    """A new run for each test, which may change it."""
    return recorded_run()


@pytest.fixture(scope="session")
def plain_run() -> Run:
    """A run on a machine without a GPU. All CPU cases passed."""
    return load(recorded_run())


@pytest.fixture(scope="session")
def student_run() -> Run:
    """The same run with a wrong and a broken submission."""
    return load(add_student(recorded_run()))


@pytest.fixture(scope="session")
def gpu_run() -> Run:
    return load(add_gpu(recorded_run()))


@pytest.fixture
def folder(tmp_path):
    """A function that writes a run folder."""
    def write(recorded: dict):
        (tmp_path / "run.json").write_text(json.dumps(recorded), encoding="utf-8")
        return tmp_path

    return write
