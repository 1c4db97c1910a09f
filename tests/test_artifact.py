"""A reviewer's three commands (docs/artifact.md) on a machine that has nothing of the makers: a root with only the system and a fresh
copy of the project, without a network, a home or an environment. It is made with bubblewrap."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Ran, need, skip

PAGE = (ROOT / "docs/artifact.md").read_text()
COMMANDS = re.findall(r"^bin/harness (show|reproduce|compare) (.*)$", PAGE, re.M)
PROGRAMS = ("harness", "harness-launcher", "harness-worker", "harness-rewriter")


@pytest.fixture(scope="module")
def reviewer(harness, tmp_path_factory):
    """A function that runs a command in the clean root, whose folders /home/project and /home/reviewer last from one to the next."""
    need("bwrap")
    home = tmp_path_factory.mktemp("clean")
    project = home / "project"
    for folder in ("labs", "reports", "emulator", "configs"):
        shutil.copytree(ROOT / folder, project / folder, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    (project / "build").mkdir()
    (home / "reviewer").mkdir()
    for program in PROGRAMS:
        if (made := harness.path.parent / program).exists():
            shutil.copy(made, project / "build")
    system = [word for name in ("bin", "lib", "lib64", "sbin") if (path := Path("/") / name).is_symlink()
              for word in ("--symlink", os.readlink(path), str(path))]
    etc = [word for name in ("alternatives", "ld.so.cache", "passwd", "group") for word in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]
    root = ["bwrap", "--die-with-parent", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--ro-bind", "/usr", "/usr", *system, *etc,
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind", str(home), "/home", "--chdir", "/home/reviewer", "--clearenv",
            "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HARNESS_ROOT", "/home/project"]
    if os.geteuid() == 0:
        root += ["--cap-add", "ALL"]

    def run(*words):
        ran = subprocess.run([*root, *words], capture_output=True, text=True, timeout=900)
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    inner = run("bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true")
    if inner.code:
        skip(f"bubblewrap does not work inside of bubblewrap here: {inner.err.strip()}")
    run.home = home / "reviewer"
    return run


def test_a_reviewers_three_commands(harness, lab, reviewer):
    made = lab(submissions="shared").variant("mine", ROOT / "labs/gemm/cpu_baseline.cpp").sweep("cpu_baseline", "mine", size=[16, 24])
    made.run().expect(0, mine="PASSED")
    packed = harness("bundle", "latest", "-o", reviewer.home / "lab5.zip", "--results", made.results.folder)
    assert packed.code == 0, packed.err
    assert [command for command, _ in COMMANDS] == ["show", "reproduce", "compare"]
    ran = [reviewer("/home/project/build/harness", command, *shlex.split(line.replace("cpu_avx size=256", "mine size=24")), *results)
           for (command, line), results in zip(COMMANDS, ([], ["--results", "results"], ["--results", "results"]))]
    shown, again, compared = ran
    assert shown.code == 0 and "sha256" in shown.out, shown.out + shown.err
    assert again.code in (0, 1, 4) and "\n4 cells: " in again.out and "it does not compile here" not in again.out, again.out + again.err
    assert len(re.findall(r"^(?:REPRODUCED|ORDER HOLDS|DIFFERENT|UNDECIDED) .*all/", again.out, re.M)) == 4, again.out
    assert (reviewer.home / "results/small/latest/reproduced.md").is_file()
    assert compared.code == 0 and re.search(r"^4 cells: ", compared.out, re.M), compared.out + compared.err
    files = {path.relative_to(reviewer.home).parts[0] for path in reviewer.home.rglob("*")}
    assert files == {"lab5.zip", "results"}


def test_a_bundle_that_was_changed_is_refused_there(harness, reviewer):
    (reviewer.home / "bad.zip").write_bytes(b"PK\x03\x04 not all of it")
    ran = reviewer("/home/project/build/harness", "show", "bad.zip", "mine")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "harness: /home/reviewer/bad.zip: it is not a ZIP archive, or not all of one: was the download cut?\n"
    (reviewer.home / "bad.zip").unlink()
