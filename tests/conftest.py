"""The real program on small labs: real sandbox, compiler, store. HARNESS_BUILD says where the program is."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
VARIANTS = Path(__file__).resolve().parent / "variants"
# Samples that come quickly, and too few of them to be called unstable on a busy machine.
QUICK = {"precision": "20%", "max_time": "200ms", "min_samples": 6, "max_samples": 6}


class Ran:
    """What a run of the program left: exit code, output, events (with --json)."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def events(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, name):
        return [event for event in self.events if event["event"] == name]

    @property
    def cases(self):
        return {event["id"].split("/", 1)[1]: event for event in self.of("case")}

    @property
    def end(self):
        return self.of("end")[0]


class Program:
    def __init__(self):
        self.path = Path(os.environ["HARNESS_BUILD"]) / "harness"

    def start(self, *words, cwd=ROOT, root=ROOT, before=()):
        """`before`: a command that starts the program some other way."""
        return subprocess.Popen([*map(str, before), self.path, *map(str, words)], cwd=cwd, stdin=subprocess.DEVNULL,
                                env={**os.environ, "HARNESS_ROOT": str(root)}, start_new_session=True, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process, timeout=240):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            pytest.fail(f"{process.args} hangs; it said:\n{out[-2000:]}\n{err[-2000:]}")
        return Ran(process.returncode, out, err)

    def __call__(self, *words, **named):
        return self.finish(self.start(*words, **named))


class Results:
    """A folder of results, seen through SQLite and the files, not through the program."""

    def __init__(self, folder):
        self.folder = folder

    def query(self, sql, *values):
        connection = sqlite3.connect(self.folder / "harness.sqlite")
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def states(self):
        return dict(self.query("SELECT id, state FROM runs ORDER BY row"))

    def samples(self, run):
        """Of each case that `run` has measured or found: where it was measured, and the bytes of its samples."""
        rows = self.query("SELECT cases.id, record, samples_ms FROM cases JOIN samples ON of_case = cases.row "
                          "JOIN runs ON runs.row = run WHERE runs.id = ? AND status = 'PASSED'", run)
        return {name: (json.loads(record).get("reused_from") or run, samples) for name, record, samples in rows}

    def run_json(self, lab, run="latest"):
        return json.loads((self.folder / lab / run / "run.json").read_text())


def lab_text(**changes):
    """A config. JSON is YAML."""
    lab = {"lab": "small", "kernel": "gemm", "sweeps": [{"name": "sizes", "variants": ["cpu_baseline"],
                                                         "axes": {"size": [16, 24]}}], "measure": QUICK}
    return json.dumps({**lab, **changes}, indent=1)


def head_of(file):
    """The lines "// Key: text" at the head of a file of the corpus (harness/engine/corpus.h), by key."""
    comment = re.match(r"(//.*\n)*", file.read_text())[0]
    return dict(re.findall(r"^// ([A-Z][a-z ]+): (.*)$", comment, re.M))


@pytest.fixture(scope="session")
def harness():
    return Program()


@pytest.fixture(scope="session")
def lab():
    """Writes a config with `changes` into `folder`."""
    def write(folder, **changes):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "lab.yaml"
        file.write_text(lab_text(**changes))
        return file

    return write


@pytest.fixture(scope="session")
def variants():
    return VARIANTS


@pytest.fixture(scope="session")
def results():
    return Results


@pytest.fixture(scope="session")
def has_gpu():
    return bool(shutil.which("nvidia-smi"))


@pytest.fixture(scope="session")
def living():
    """Those of the names that are in the path of a file that a living process has mapped."""
    def find(names):
        found = set()
        for maps in Path("/proc").glob("[0-9]*/maps"):
            try:
                text = maps.read_text()
            except OSError:  # it ended meanwhile, or is somebody else's
                continue
            found |= {name for name in names if name in text}
        return found

    return find


class SmallDisk:
    """A disk of 2 MiB in a mount namespace of its own. From outside it is seen through its holder's root, which
    SQLite would follow to the wrong place: the store is read in a copy."""

    def __init__(self, folder):
        self.folder = folder
        script = f"mount -t tmpfs -o size=2m tmpfs '{folder}' && echo mounted && exec sleep 600"
        self.holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        self.works = self.holder.stdout.readline() == "mounted\n"
        self.inside = ["nsenter", f"--target={self.holder.pid}", "--mount"]
        self.seen = Path(f"/proc/{self.holder.pid}/root{folder}")

    def fill(self):
        with open(self.seen / "filler", "wb", buffering=0) as file, pytest.raises(OSError):
            while True:
                file.write(bytes(4096))

    def free(self):
        (self.seen / "filler").unlink()

    def copy(self, to):
        return shutil.copytree(self.seen, to)

    def end(self):
        self.holder.kill()
        return self.holder.communicate()[1].strip()


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "disk").mkdir()
    disk = SmallDisk(tmp_path / "disk")
    if not disk.works:
        reason = f"no disk can be mounted here: {disk.end()}"
        print(reason)
        pytest.skip(reason)
    yield disk
    disk.end()
