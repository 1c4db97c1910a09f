"""harness grade --executor slurm where the shared folder is slow, full or over its quota, and where the clock of a node is wrong."""

import os
import signal
import sqlite3
import subprocess
import time

import pytest
from conftest import ROOT, skip
from slurm_class import WRONG, pupils, slurm  # noqa: F401, fixtures


@pytest.fixture
def awkward(pupils):
    """Mounts the folder of the results so that each operation takes some milliseconds (awkward_mount.py)."""
    results, source, log = pupils.lab.results.folder, pupils.folder / "source", pupils.folder / "mount.log"
    results.mkdir(), source.mkdir()

    def mount(milliseconds):
        with log.open("w") as said:
            mounts.append(subprocess.Popen(["/usr/bin/python3", ROOT / "tests/awkward_mount.py", source, results, str(milliseconds)],
                                           stdout=said, stderr=said))
        while not results.is_mount():
            if mounts[0].poll() is not None:
                skip(f"a slow file system needs /dev/fuse, root and python3-fusepy: {log.read_text()[-300:]}")
            time.sleep(0.05)
        return source.with_suffix(".exceeded")

    mounts = []
    yield mount
    if results.is_mount():
        subprocess.run(["umount", results], check=True)
    for process in mounts:
        process.wait(30)


def test_a_shared_file_system_is_slow(pupils, slurm, awkward):
    awkward(milliseconds=3)
    ran = pupils.submit("anna").submit("ben", WRONG + "// b\n").grade("--executor", "slurm", "--per-job", "1")
    assert ran.code == 0 and ran.out.count("submitted job") == 1, ran.out + ran.err
    assert [student["status"] for student in pupils.students().values()] == ["GRADED", "GRADED"]
    assert list(pupils.lab.results.states().values()) == ["complete", "complete"]


def test_a_quota_is_exceeded(pupils, slurm, awkward):
    exceeded = awkward(milliseconds=0)
    slurm.set_nodes("drain")
    command = pupils.submit("anna").start("--executor", "slurm")
    slurm.wait_for(lambda: "submitted job" in command.out)
    exceeded.touch()
    slurm.bring_back()
    code, out = command.finish()
    assert code == 3 and "Disk quota exceeded" in out, out
    exceeded.unlink()
    assert pupils.grade("--executor", "slurm").code == 0
    assert pupils.students()["anna"]["status"] == "GRADED" and len(pupils.lab.results.states()) == 1


def test_a_shared_file_system_is_full(pupils, slurm):
    """First when the results of a job are brought home, then when a job writes them: nothing is lost, nothing runs twice."""
    results = pupils.lab.results.folder
    results.mkdir(parents=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "none", results], capture_output=True).returncode:
        skip("a small disk needs root and mount")

    def fill():
        with (results / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(bytes(1 << 12))

    try:
        command = pupils.submit("anna").start("--executor", "slurm")
        slurm.wait_for(lambda: "submitted job" in command.out)
        command.process.send_signal(signal.SIGSTOP)
        slurm.wait_for(lambda: list(pupils.home.glob("0/outcomes/*")) and not slurm.tasks("RUNNING") and not slurm.tasks("PENDING"))
        fill()
        command.process.send_signal(signal.SIGCONT)
        code, out = command.finish()
        assert code == 3 and "No space left on device" in out, out
        (results / "filler").unlink()
        jobs = slurm.jobs()
        assert pupils.grade("--executor", "slurm").code == 0 and slurm.jobs() == jobs
        assert pupils.students()["anna"]["status"] == "GRADED"

        slurm.set_nodes("drain")
        command = pupils.submit("ben", WRONG + "// b\n").start("--executor", "slurm")
        slurm.wait_for(lambda: "submitted job" in command.out)
        fill()
        slurm.bring_back()
        code, out = command.finish()
        assert code == 3 and "No space left on device" in out, out
        (results / "filler").unlink()
        assert pupils.grade("--executor", "slurm").code == 0
        assert pupils.students()["ben"]["status"] == "GRADED" and len(pupils.lab.results.states()) == 2
    finally:
        slurm.bring_back()
        subprocess.run(["umount", results], check=True)


@pytest.mark.parametrize("minutes", [-30, 30])
def test_a_node_whose_clock_is_wrong(pupils, slurm, minutes):
    """What the job left gets the times of that clock before the command looks at it: the program is static, so it cannot be lied to."""
    command = pupils.submit("anna").start("--executor", "slurm")
    slurm.wait_for(lambda: "submitted job" in command.out)
    command.process.send_signal(signal.SIGSTOP)
    slurm.wait_for(lambda: list(pupils.home.glob("0/outcomes/*")) and not slurm.tasks("RUNNING") and not slurm.tasks("PENDING"))
    with sqlite3.connect(pupils.home / "0/harness.sqlite") as store:
        store.execute("UPDATE runs SET started_ms = started_ms + ?1, finished_ms = finished_ms + ?1", [minutes * 60_000])
    for file in pupils.home.rglob("*"):
        os.utime(file, times=(time.time() + minutes * 60,) * 2, follow_symlinks=False)
    command.process.send_signal(signal.SIGCONT)
    code, out = command.finish()
    assert code == 0 and out.count("submitted job") == 1, out
    assert pupils.students()["anna"]["status"] == "GRADED"
    again = pupils.grade("--executor", "slurm")
    assert again.code == 0 and "submitted" not in again.out and again.out.count("(known)") == 1, again.out
    pupils.submit("ben", WRONG + "// b\n")
    assert pupils.grade("--executor", "slurm").code == 0
    runs = pupils.lab.harness("runs", "--results", pupils.lab.results.folder).out
    anna, ben = (runs.index(pupils.students()[id]["run"]) for id in ("anna", "ben"))
    assert ben < anna, "the newest first, whatever its date"
