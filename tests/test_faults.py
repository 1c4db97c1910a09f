"""Processes are killed and the disk fills up at random moments: no finished case is lost, no file is incomplete, nothing is left
behind, and the next run continues.

Moments and victims come from a seed that is printed; HARNESS_FAULT_SEED repeats them.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from conftest import CORPUS, ROOT

# Of some 210 faults bin/test injects a tenth; HARNESS_STRESS=1 asks for all, which take a quarter of an hour or more.
SHARE = 1 if "HARNESS_STRESS" in os.environ else 0.1
SEED = int(os.environ.get("HARNESS_FAULT_SEED") or random.SystemRandom().randrange(10**6))
SIZES = [16, 24, 32, 48, 64]
SWEEPS = [{"name": "sizes", "variants": ["cpu_baseline", "my_ikj"], "axes": {"size": SIZES}},
          {"name": "emulated", "variants": ["gpu_naive"], "axes": {"size": 64, "BLOCK": [4, 8]}}]
CASES = 2 * len(SIZES) + 2
# What a container runtime's processes are called; a new sandbox adds its own.
RUNTIME = ("bwrap",)
# What holds a whole file of each kind, and what its last bytes are.
ENDS = {".json": b"}\n", ".md": b"\n", ".html": b"</html>\n", ".pdf": b"%%EOF", ".svg": b"</svg>\n"}


def below(pid):
    """Child processes of a process, as pid and words of the command line. A zombie has no words."""
    children, words = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
        except OSError:  # it ended meanwhile
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found, ahead = [], [pid]
    while ahead:
        for child in children.get(ahead.pop(), ()):
            ahead.append(child)
            if words[child]:
                found.append((child, words[child]))
    return found


def workers(pid):
    return [p for p, words in below(pid) if "harness-worker" in words[0] and "serve" in words]


def runtimes(pid):
    return [p for p, words in below(pid) if Path(words[0]).name in RUNTIME]


def renderers(pid):
    return [p for p, words in below(pid) if "reports" in words]


def not_passed(ran):
    return [(name, case["status"], case["reason"]) for name, case in ran.cases.items() if case["status"] != "PASSED"]


class Lab:
    """One lab in its own root folder, so that every process that mentions this folder belongs to this test."""

    def __init__(self, harness, write_lab, results, folder):
        self.harness, self.results = harness, results
        self.root = folder / "root"
        (self.root / "build").mkdir(parents=True)
        for name in ("labs", "configs", "reports"):
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("tests"))
        if (ROOT / ".venv").exists():
            (self.root / ".venv").symlink_to(ROOT / ".venv")
        submission = folder / "root/submission"
        submission.mkdir()
        shutil.copy(CORPUS / "correct/my_ikj.cpp", submission)
        self.config = write_lab(folder, lab="faults", sweeps=SWEEPS).write()
        self.submission, self.epoch = submission, 0
        self.start_test("")
        self.start_over()

    def start_test(self, name):
        self.draw, self.hurt = random.Random(f"{SEED} {name}"), Counter()

    def start_over(self):
        """Deletes the stored results and keeps the builds."""
        self.epoch += 1
        self.folder = self.root / f"results-{self.epoch}"
        self.told = {}  # run and case -> what its event said
        self.kept = {}  # run and case -> its record and status

    def begin(self, *more, **how):
        return self.harness.start("run", self.config, "--submission", self.submission, "--results", self.folder, "--json",
                                  "--gpu", "emulated", *more, root=self.root, **how)

    def run(self, *more, hurt=None, after=0.0, **how):
        """Starts a run. After `after` seconds it calls `hurt` with its process until `hurt` returns what it
        hurt, or the run ends."""
        process, stop = self.begin(*more, **how), threading.Event()

        def strike():
            stop.wait(after)
            while process.poll() is None and not stop.is_set():
                name = hurt(process)
                if name:
                    self.hurt[name] += 1
                    return
                stop.wait(0.002)

        striker = threading.Thread(target=strike)
        if hurt:
            striker.start()
        try:
            ran = self.harness.finish(process, timeout=300)
        finally:
            stop.set()
            if hurt:
                striker.join()
        # A line that was being written when the process died counts as not said.
        ran.out = ran.out[:ran.out.rfind("\n") + 1]
        for begun in ran.of("run"):
            self.told |= {(begun["run"], case["id"]): case for case in ran.of("case")}
        return ran

    def reuses_all_it_can(self, ran):
        known = {name for (_, name), (_, status) in self.kept.items() if status == "PASSED"}
        return known <= {case["id"] for case in ran.of("case") if case["reused_from"]}

    def is_sound(self, folder=None):
        """Checks all runs so far: every reported case is stored, stored cases are unchanged, and files are complete."""
        store = self.results(folder or self.folder)
        if not (store.folder / "harness.sqlite").exists() or store.query("SELECT count(*) FROM sqlite_master") == [(0,)]:
            assert not self.told  # it was killed before it had made the tables
            return
        assert store.query("PRAGMA integrity_check") == [("ok",)]
        now = {(run, name): (json.loads(record), status) for run, name, record, status in store.query(
            "SELECT runs.id, cases.id, record, status FROM cases JOIN runs ON runs.row = run")}
        for which, said in self.told.items():
            record, status = now[which]
            assert (status, record["metrics"], record["reason"]) == (said["status"], said["metrics"], said["reason"]), which
        assert {which: now[which] for which in self.kept} == self.kept
        self.kept = now
        self.files_are_whole(store.folder)

    def files_are_whole(self, folder):
        for path in (folder / "faults").glob("*/**/*"):
            if path.is_file() and not path.name.endswith(".tmp"):
                assert path.read_bytes().rstrip(b"\n").endswith(ENDS[path.suffix].rstrip(b"\n")), path
        for path in (folder / "faults").glob("*/run.json"):
            document = json.loads(path.read_text())
            assert len(document["cases"]) == CASES and path.parent.name in ("latest", document["run"]["id"])

    def drafts(self, folder=None):
        return [path for top in (folder or self.folder, self.root / "build/cache") for path in top.rglob("*.tmp")]

    def left_running(self):
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(self.root).encode() in file.read_bytes():
                    found.append(file.read_bytes())
            except OSError:
                continue
        return found

    def nothing_runs(self):
        until = time.monotonic() + 10
        while self.left_running() and time.monotonic() < until:
            time.sleep(0.01)
        assert self.left_running() == []

    def goes_on_to_its_end(self, *more, **how):
        ran = self.run(*more, **how)
        assert not_passed(ran) == [] and (ran.code, ran.err) == (0, "")
        assert self.reuses_all_it_can(ran) and len(ran.cases) == CASES
        return ran


@pytest.fixture(scope="module")
def built(harness, lab, results, tmp_path_factory, emulation):
    work = Lab(harness, lab, results, tmp_path_factory.mktemp("faults"))
    work.goes_on_to_its_end("--no-report")  # builds
    # On a busy machine the limits are measured at every run, which takes long and is not what is hurt here.
    limits = work.root / "build/cache/machine_limits.json"
    limits.write_text(limits.read_text().replace('"quiet": false', '"quiet": true'))
    work.start_over()
    begin = time.monotonic()
    work.goes_on_to_its_end("--no-report")
    work.whole_s = time.monotonic() - begin
    return work


@pytest.fixture
def work(built, request):
    print(f"HARNESS_FAULT_SEED={SEED}")
    built.start_test(request.node.name)
    built.start_over()
    yield built
    print(f"a whole run takes {built.whole_s:.2f} s; hurt {built.hurt.total()} times: {dict(built.hurt)}")


def send(which):
    def hurt(process):
        process.send_signal(which)
        return which.name

    return hurt


def kill_one(find, name, draw):
    def hurt(process):
        found = find(process.pid)
        if not found:
            return None
        try:
            os.kill(draw.choice(found), signal.SIGKILL)
        except ProcessLookupError:  # it ended by itself
            return None
        return name

    return hurt


def test_the_harness_is_killed_at_any_moment(work):
    """Sends SIGKILL and the signals that the harness handles, at any moment from its start to its end."""
    # Signals that come before it answers any end it as they end others. 0: it has just ended by itself.
    deaths = {signal.SIGKILL: {-9, 0}, signal.SIGTERM: {130, 0, -15}, signal.SIGINT: {130, 0, -2}}
    while work.hurt.total() < 130 * SHARE:
        for _ in range(work.draw.randint(1, 12 if SHARE == 1 else 4)):
            before, death = work.hurt.total(), work.draw.choices(list(deaths), (6, 1, 1))[0]
            ran = work.run("--no-report", hurt=send(death), after=work.draw.uniform(0, work.whole_s))
            assert ran.code in (deaths[death] if work.hurt.total() > before else {0}), ran.err
            if death == signal.SIGKILL and ran.code == 0:
                assert list(work.results(work.folder).states().values())[-1] == "complete"
            work.nothing_runs()
            work.is_sound()
        work.goes_on_to_its_end("--no-report")
        work.is_sound()
        assert work.drafts() == []
        states = list(work.results(work.folder).states().values())
        assert states[-1] == "complete" and "running" not in states
        work.start_over()


@pytest.mark.parametrize("find, times", [(workers, 30), (runtimes, 25)])
def test_a_killed_worker_costs_a_case(work, find, times):
    """Kills the worker, as the Linux kernel does when memory is exhausted, or the runtime around it."""
    hurt = kill_one(find, find.__name__, work.draw)
    while work.hurt.total() < times * SHARE:
        before = work.hurt.total()
        ran = work.run("--no-report", hurt=hurt, after=work.draw.uniform(0, work.whole_s))
        work.nothing_runs()
        work.is_sound()
        if ran.code == 3:  # the trial whether the sandbox works
            assert find is runtimes and ran.of("run") == [] and "does not work here" in ran.err
            continue
        lost = not_passed(ran)
        assert len(ran.cases) == CASES and len(lost) <= work.hurt.total() - before, lost
        assert ran.code == (1 if lost else 0)
        for _, status, reason in lost:
            assert status == "OUT_OF_MEMORY" and "the process was killed" in reason, lost
        work.goes_on_to_its_end("--no-report")
        work.is_sound()
        work.start_over()


def test_the_report_is_hurt(work):
    """Kills the report generator, or the harness while the report is generated."""
    victims = [kill_one(renderers, "renderer", work.draw)] * 2 + [
        lambda process: send(signal.SIGKILL)(process) if renderers(process.pid) else None]
    begin = time.monotonic()
    work.goes_on_to_its_end()
    render_s = time.monotonic() - begin
    while work.hurt.total() < 16 * SHARE:
        victim, wait_s = work.draw.choice(victims), work.draw.uniform(0, render_s)
        begun = []

        def later(process):
            """Acts this long after the report generator was first seen."""
            if not begun and renderers(process.pid):
                begun.append(time.monotonic())
            return victim(process) if begun and time.monotonic() > begun[0] + wait_s else None

        before = work.hurt.total()
        ran = work.run(hurt=later)
        work.nothing_runs()
        work.is_sound()
        if ran.of("end") and work.hurt.total() > before:
            assert ran.code == 3 or ran.end["report_error"] == ""
        if ran.code == 3:
            assert "the report could not be rendered: " in ran.end["report_error"]
            assert ran.end["report_error"].endswith('; the run is kept, and "harness report" tries again')
    again = work.harness("report", "latest", "--results", work.folder, root=work.root)
    assert (again.code, again.err) == (0, "")
    ran = work.goes_on_to_its_end()
    work.is_sound()
    assert {path.name for path in (work.folder / "faults/latest").iterdir()} >= {"run.json", "report.md", "report.html",
                                                                                 "report.pdf"}
    assert work.drafts() == []


def test_the_disk_fills_up(work, disk, tmp_path):
    number = 0
    while work.hurt.total() < 10 * SHARE:
        number += 1
        work.start_over()
        work.folder = disk.folder / f"results-{number}"

        def fill(process):
            disk.fill()
            return "disk"

        before = work.hurt.total()
        ran = work.run("--no-report", hurt=fill, after=work.draw.uniform(0, work.whole_s), before=disk.inside)
        work.nothing_runs()
        if work.hurt.total() > before:
            disk.free()
        seen = disk.copy(tmp_path / f"full-{number}") / f"results-{number}"
        work.is_sound(seen)
        assert ran.code in (0, 3), ran.err
        if ran.code == 3:
            assert ran.err.endswith("; free some space and run again: finished cases are kept\n"), ran.err
        work.goes_on_to_its_end("--no-report", before=disk.inside)
        seen = disk.copy(tmp_path / f"after-{number}") / f"results-{number}"
        work.is_sound(seen)
        assert work.drafts(seen) == []
        subprocess.run([*disk.inside, "rm", "-rf", work.folder], check=True)


def test_an_error_of_the_device_ends_only_its_worker(lab, emulation):
    """One GPU kernel loses the device and one never ends. Other variants, and other builds of the same variant, still run."""
    work = lab(lab="lost", resources={"case_time": "2s"})
    for name in ("endless", "null_pointer"):
        work.variant(f"{name}.cu", ROOT / f"emulator/planted/{name}.cu")
    work.sweep("endless", "null_pointer", "gpu_naive", name="gpu", size=[32, 64], BLOCK=[8, 16])
    for watched in ("on", "off"):
        ran = work.run("--json", "--gpu", "emulated", "--diagnostics", watched).expect(1, gpu_naive="PASSED")
        assert ran.end["state"] == "complete" and ran.end["cancelled"] == 0
        assert "PASSED" not in {case["status"] for case in ran.cases.values() if case["variant"] != "gpu_naive"}
        assert all(case["reason"] for case in ran.cases.values() if case["status"] != "PASSED")
