"""The real program on small labs: real sandbox, compiler and store. HARNESS_BUILD says where the program is.

    lab().variant("mine", SOURCE).sweep(size=[16, 24]).run("--json").expect(mine="PASSED")
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests/corpus"
# Samples that come quickly, and too few of them to be called unstable on a busy machine.
# Six samples, on a busy machine too: they give an interval, and no case is UNSTABLE.
QUICK = {"precision": "20%", "max_time": "20s", "min_samples": 6, "max_samples": 6}
os.environ["HARNESS_PROGRESS_S"] = "3600"  # no lines about progress on a busy machine
os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "C"  # English, whatever the language of the machine


class Ran:
    """What a run of the program left: exit code, output, events (with --json) and `run.json` (of a lab)."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err, self.document = code, out, err, None

    @property
    def events(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, name):
        return [event for event in self.events if event["event"] == name]

    def __repr__(self):
        """What pytest prints when an assertion about this run fails."""
        cases = self.cases if self.out.startswith("{") or self.document else {}
        failed = [f"{name} {case['status']}: {case['reason']}" for name, case in cases.items() if case["status"] != "PASSED"]
        return "\n".join(["run", *failed, self.err])

    @property
    def cases(self):
        """Cases by sweep, variant and point: from the events of a run with --json, else from `run.json`."""
        told = self.of("case") if self.out.startswith("{") else self.document["cases"]
        return {case["id"].split("/", 1)[1]: case for case in told}

    def case(self, variant):
        """The only case of a variant."""
        found, = [case for case in self.cases.values() if case["variant"] == variant]
        return found

    @property
    def end(self):
        return self.of("end")[0]

    def expect(self, code=0, **statuses):
        """The exit code, and the status of all cases of a variant."""
        assert self.code == code, self.out + self.err
        for variant, status in statuses.items():
            cases = [case for case in self.cases.values() if case["variant"] == variant]
            assert cases and {case["status"] for case in cases} == {status}, [case["reason"] for case in cases]
        return self


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
    """A folder of results. It is read with SQLite and from the files, not with the program."""

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
        """For each case that passed in `run`: the run that measured it, and its samples."""
        rows = self.query("SELECT cases.id, record FROM cases JOIN runs ON runs.row = run "
                          "WHERE runs.id = ? AND status = 'PASSED'", run)
        records = {name: json.loads(record) for name, record in rows}
        return {name: (record.get("reused_from") or run, record["samples_ms"]) for name, record in records.items()}

    def run_json(self, lab, run="latest"):
        return json.loads((self.folder / lab / run / "run.json").read_text())


def head_of(file):
    """The lines "// Key: text" at the head of a file of the corpus (harness/corpus/corpus.h), by key."""
    comment = re.match(r"(//.*\n)*", file.read_text())[0]
    return dict(re.findall(r"^// ([A-Z][a-z ]+): (.*)$", comment, re.M))


class Lab:
    """A config and its submission in a folder, and the runs of it."""

    def __init__(self, harness, folder, **keys):
        self.harness, self.folder, self.file = harness, Path(folder), Path(folder) / "lab.yaml"
        self.keys = {"lab": "small", "kernel": "gemm", "measure": QUICK, **keys}
        self.results = Results(self.folder / "results")
        self.submission, self.own = self.folder / "submission", []

    def variant(self, name, source):
        """Adds a source file, `NAME.cpp` unless the name has an ending: a text, or a file to copy with the headers beside it."""
        file = name if "." in name else f"{name}{source.suffix if isinstance(source, Path) else '.cpp'}"
        self.submission.mkdir(parents=True, exist_ok=True)
        for header in source.parent.glob("*.h") if isinstance(source, Path) else ():
            shutil.copy(header, self.submission)
        (self.submission / file).write_text(source.read_text() if isinstance(source, Path) else source)
        if not file.endswith((".h", ".inl")):
            self.own.append(file.split(".")[0])
        return self

    def sweep(self, *variants, name="all", **axes):
        """Adds a sweep; without names of variants it is one of all variants added so far."""
        self.keys.setdefault("sweeps", []).append({"name": name, "variants": list(variants or self.own), "axes": axes})
        return self

    def write(self, **keys):
        """Writes the config with changed keys. JSON is YAML."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.keys |= keys
        sizes = {"name": "sizes", "variants": ["cpu_baseline"], "axes": {"size": [16, 24]}}
        self.file.write_text(json.dumps({"sweeps": [sizes], **self.keys}, indent=1))
        return self.file

    def words(self, *more, report=False):
        submission = ["--submission", self.submission] if self.submission.exists() else []
        return ["run", self.write(), *submission, "--results", self.results.folder, *([] if report else ["--no-report"]), *more]

    def start(self, *more, report=False, **how):
        return self.harness.start(*self.words(*more, report=report), **how)

    def finish(self, process, timeout=240):
        ran = self.harness.finish(process, timeout)
        latest = self.results.folder / self.keys["lab"] / "latest/run.json"
        if latest.exists():
            ran.document = json.loads(latest.read_text())
        return ran

    def run(self, *more, timeout=240, **how):
        return self.finish(self.start(*more, **how), timeout)


@pytest.fixture(scope="session")
def harness():
    return Program()


@pytest.fixture(scope="session")
def lab(harness, tmp_path_factory):
    """Creates a lab in a new folder; the arguments are keys of its config."""
    return lambda folder=None, **keys: Lab(harness, folder or tmp_path_factory.mktemp("lab"), **keys)


@pytest.fixture(scope="session")
def results():
    return Results


def skip(reason):
    print(reason)
    pytest.skip(reason)


def need(program):
    if not shutil.which(program):
        skip(f"{program} is not installed")


@pytest.fixture(scope="session")
def emulation(harness):
    """Skips the tests that need the emulated device where it cannot be built."""
    if "ok emulation" not in " ".join(harness("doctor").out.split()):
        skip("this machine lacks what the emulated device is built from")


@pytest.fixture(scope="session")
def has_gpu():
    return bool(shutil.which("nvidia-smi"))


@pytest.fixture(scope="session")
def living():
    """Returns the names that occur in the path of a file that a running process has mapped."""
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
        skip(f"no disk can be mounted here: {disk.end()}")
    yield disk
    disk.end()
