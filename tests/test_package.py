"""The archives of a release: the same build gives the same bytes, and a read-only copy serves users who own nothing of it."""
import hashlib
import json
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest
from conftest import ROOT, need, skip

BUILD = Path(os.environ["HARNESS_BUILD"])


def pack(folder, generator):
    """The archive that cpack makes of this build."""
    ran = subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-G", generator, "-B", folder], cwd=BUILD,
                         env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    archive, = folder.glob("harness*.*")
    return archive


def unpacked(archive, folder):
    folder.mkdir()
    words = ["dpkg-deb", "-x", archive, folder] if archive.suffix == ".deb" else ["tar", "xf", archive, "-C", folder, "--strip-components=1"]
    subprocess.run(words, check=True)
    return folder


@pytest.mark.parametrize("generator", ["TGZ", "DEB"])
def test_the_same_build_gives_the_same_archive(tmp_path, generator):
    need("dpkg-deb")
    first, second = (hashlib.sha256(pack(tmp_path / name, generator).read_bytes()).hexdigest() for name in "ab")
    assert first == second
    tree = unpacked(pack(tmp_path / "c", generator), tmp_path / "tree")
    root, = {path.parent.parent for path in tree.glob("**/labs/lab")}
    assert (root / "harness").stat().st_mode & 0o111 and os.readlink(root.parent.parent / "bin/harness") == "../lib/harness/bin/harness"
    assert not list(root.glob("**/tests")) and not list(root.glob("**/*.pyc"))
    for page in ("man/man1/harness.1", "bash-completion/completions/harness", "zsh/vendor-completions/_harness"):
        assert (root.parent.parent / "share" / page).stat().st_size > 1000


def run_lab5(installed, home, *options, **environment):
    """Runs a small part of lab5 with an unpacked archive, where the checkout cannot be seen; returns the folder of the results."""
    alone = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", ROOT, "--ro-bind", installed, installed, "--chdir", home, *options]
    if subprocess.run([*alone, "test", "!", "-e", ROOT / "labs"]).returncode != 0:
        skip("bwrap cannot hide the checkout here")
    config = next(installed.glob("**/configs/lab5.yaml"))
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    ran = subprocess.run([*alone, config.parents[3] / "bin/harness", "run", config, "--variant", "cpu_baseline", "--set", "size=32"],
                         capture_output=True, text=True, env={**kept, "HOME": str(home), **environment})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    folder = (home / "results/lab5/latest").resolve()
    assert [case["variant"] for case in json.loads((folder / "run.json").read_text())["cases"]] == ["cpu_baseline"]
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")
    return folder


def test_a_shared_installation_serves_a_user_who_owns_nothing_of_it(tmp_path):
    installed = unpacked(pack(tmp_path / "archive", "TGZ"), tmp_path / "installed")
    home, packages = tmp_path / "home", tmp_path / "packages"
    home.mkdir(), packages.mkdir()
    # What pip would install is lent instead: it takes a minute and the network, and bin/test has just done it.
    next(installed.glob("**/reports/requirements.txt")).write_text("# none\n")
    run_lab5(installed, home, "--ro-bind", sysconfig.get_path("purelib"), packages, PYTHONPATH=str(packages))
    assert sorted(path.name for path in (home / ".cache/harness").iterdir() if path.name in ("environment", "setup", "variants")) == [
        "environment", "setup", "variants"]
