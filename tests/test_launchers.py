"""bin/harness on a fresh clone: the real build, the real program."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "harness/base/hash.cpp"
FIRST_STEPS = ["making the Python environment", "installing Python packages from reports/requirements.txt", "configuring", "building"]


def git(*words, cwd=ROOT):
    return subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=True).stdout


def changed_files():
    return [name for name in (git("diff", "--name-only", "-z", "HEAD")
                              + git("ls-files", "--others", "--exclude-standard", "-z")).split("\0") if name]


class Clone:
    """A clone with the uncommitted files of the working tree, and an empty list of Python packages: those cost
    a minute, and bin/test has just installed them."""

    def __init__(self, folder):
        self.folder = folder
        git("clone", "--quiet", str(ROOT), str(folder))
        for name in changed_files():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name) if (ROOT / name).exists() else (folder / name).unlink()
        self.requirements = folder / "reports/requirements.txt"
        self.requirements.write_text("# none\n")

    def begin(self, program=None, cwd="/", **environment):
        return subprocess.Popen([program or self.folder / "bin/harness", "--version"], cwd=cwd, text=True,
                                env={**os.environ, "HARNESS_NO_INSTALL": "1", **environment}, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def start(self, *words, **named):
        process = self.begin(*words, **named)
        out, said = process.communicate()
        return process.returncode, out, said

    def edit(self, text, name=SOURCE):
        with open(self.folder / name, "a") as file:
            file.write(text)


@pytest.fixture(scope="module")
def clone():
    with tempfile.TemporaryDirectory() as folder:
        made = Clone(Path(folder) / "clone")
        made.first = made.start()
        yield made


def nothing_to_do(clone):
    code, out, said = clone.start()
    return code == 0 and said == "" and out == subprocess.run(
        [clone.folder / "build/harness", "--version"], capture_output=True, text=True).stdout


def steps(said):
    """Returns the steps that bin/harness printed, without times and progress."""
    return [line.split(" ... ")[0].removeprefix("harness: ") for line in said.splitlines() if " after " not in line]


def test_first_start_sets_up_and_the_second_has_nothing_to_do(clone):
    code, out, said = clone.first
    assert code == 0, said
    assert steps(said) == FIRST_STEPS
    assert git("rev-parse", "HEAD", cwd=clone.folder)[:7] in out
    built = (clone.folder / "build/harness").stat().st_mtime_ns
    begin = time.monotonic()
    assert nothing_to_do(clone)
    print(f"second start: {time.monotonic() - begin:.3f} s, the program included")
    assert (clone.folder / "build/harness").stat().st_mtime_ns == built


def test_a_folder_whose_name_has_a_space():
    """Builds what is embedded and all that this needs. The whole program takes minutes there, because ccache 4.7 finds nothing."""
    with tempfile.TemporaryDirectory() as folder:
        root = Clone(Path(folder) / "a clone").folder
        built = subprocess.run(["bash", "-euc", 'root=$0; source "$root/bin/lib/setup.sh"; begin_setup; '
                                'make_environment "$root/reports/requirements.txt"; build default embedded; end_setup', root],
                               capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        assert steps(built.stderr) == FIRST_STEPS
        assert list((root / "build").glob("**/libembedded.a"))


def test_a_long_build_prints_its_progress_into_a_file():
    """Tests show_build alone, with recorded output of Ninja. A real build is tested above."""
    ninja = "echo '[0/2] Re-running CMake'; for done in 1 2 3 4; do echo \"[$done/4] Building CXX object\"; sleep 0.7; done"
    said = subprocess.run(["bash", "-c", f"source '{ROOT}/bin/lib/build.sh'; ({ninja}) | show_build"], text=True,
                          capture_output=True, env={**os.environ, "HARNESS_PROGRESS_S": "1"}, check=True).stderr
    lines = said.splitlines()
    assert len(lines) >= 3
    assert all(re.fullmatch(r"harness: building \.\.\. [1-4]/4 after \d+ s", line) for line in lines[:-1]), said
    assert re.fullmatch(r"harness: building \.\.\. \d+ s", lines[-1])
    nothing = subprocess.run(["bash", "-c", f"source '{ROOT}/bin/lib/build.sh'; echo '[1/1] Reading' | show_build"],
                             text=True, capture_output=True, check=True)
    assert nothing.stderr == ""


def test_a_symlink_in_another_folder_starts_it(clone, tmp_path):
    (tmp_path / "lab").symlink_to(clone.folder / "bin/harness")
    code, out, said = clone.start("./lab", cwd=tmp_path)
    assert (code, out, said) == (0, clone.first[1], "")


def test_an_edited_and_a_new_source_are_built(clone):
    clone.edit("// edited\n")
    assert steps(clone.start()[2]) == ["building"]
    clone.edit("int added_later() { return 1; }\n", "harness/base/added_later.cpp")
    assert steps(clone.start()[2]) == ["building"]
    compiled = (clone.folder / "build/CMakeFiles/base.dir").glob("**/*.cxx")  # several files together
    assert any("added_later.cpp" in file.read_text() for file in compiled)
    (clone.folder / "harness/base/added_later.cpp").unlink()
    assert clone.start()[0] == 0
    assert nothing_to_do(clone)


@pytest.mark.parametrize("lost", [".", "whole"], ids=["deleted", "cut off"])
def test_a_broken_environment_is_made_again(clone, lost):
    path = clone.folder / ".venv" / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert steps(clone.start()[2])[0] == "making the Python environment"
    assert (clone.folder / ".venv/bin/python").exists()
    assert nothing_to_do(clone)


def test_a_source_that_does_not_compile_is_shown(clone):
    good = (clone.folder / SOURCE).read_text()
    clone.edit("int broken( {\n")
    code, out, said = clone.start()
    assert (code, out) == (3, "")
    assert f"{SOURCE}:" in said and "error:" in said
    assert said.splitlines()[-1] == f"harness: building: failed; all it printed is in {clone.folder}/build/.setup/setup.log"
    (clone.folder / SOURCE).write_text(good)
    assert clone.start()[0] == 0
    assert nothing_to_do(clone)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_was_cut_off_goes_on(clone, sent):
    clone.edit(f"int number_{int(sent)}() {{ return {time.time_ns()}; }}\n")
    process = clone.begin()
    assert process.stderr.read(8) == "harness:"
    os.killpg(process.pid, sent)
    process.communicate()
    assert process.returncode == (130 if sent == signal.SIGINT else -sent)
    assert clone.start()[0] == 0
    assert nothing_to_do(clone)


def test_two_starts_at_once_build_once(clone):
    clone.edit(f"int twice() {{ return {time.time_ns()}; }}\n")
    both = [clone.begin(), clone.begin()]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(steps("".join(said))) == ["building", "waiting for another start in this folder to finish its set-up"]


def test_no_network_is_said(clone):
    clone.requirements.write_text("harness-no-such-package==1.0\n")
    proxy = "http://127.0.0.1:9"
    code, _, said = clone.start(HTTPS_PROXY=proxy, HTTP_PROXY=proxy, https_proxy=proxy, http_proxy=proxy,
                                NO_PROXY="", no_proxy="", PIP_RETRIES="1")
    clone.requirements.write_text("# none\n")
    assert code == 3
    assert said.splitlines()[-1] == ("harness: the package server cannot be reached; "
                                     "connect this machine to the network and start again")
    assert clone.start()[0] == 0
    assert nothing_to_do(clone)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("user, sudo", [("root", ""), ("nobody", "sudo ")])
def test_missing_packages_are_one_line_to_type(user, sudo):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        shutil.copytree(ROOT / "bin", folder / "bin")
        (folder / "packages.txt").write_text("# build\nbash\nharness-none-a\n\nharness-none-b  # why\n")
        shutil.chown(folder, user)
        result = subprocess.run(["setpriv", "--reuid", user, "--clear-groups", folder / "bin/harness"], cwd="/",
                                env={"PATH": os.environ["PATH"], "HARNESS_NO_INSTALL": "1" if user == "root" else ""},
                                capture_output=True, text=True)
    assert result.returncode == 3
    assert result.stderr == ("harness: 2 system packages missing; type this line, then start again:\n"
                             f"{sudo}apt-get update && {sudo}apt-get install -y harness-none-a harness-none-b\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_somebody_elses_checkout_is_said():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        shutil.copytree(ROOT / "bin", folder / "bin")
        result = subprocess.run(["setpriv", "--reuid", "nobody", "--clear-groups", folder / "bin/harness"], cwd="/",
                                capture_output=True, text=True)
    assert result.returncode == 3
    assert result.stderr == (f'harness: "{folder}/build/.setup": cannot be written to; work in a clone of your own: '
                             f'git clone "{folder}" FOLDER\n')
