"""Docker for real: a daemon that the test starts in a folder of its own, without a network. The image is podman's (test_containers.py)."""

import os
import shutil
import subprocess
import time

import pytest
from conftest import head_of
from test_containers import CORPUS, IMAGE, LABEL, give_up, image, submission  # noqa: F401 (image is a fixture)

NAMES = ["allocates_endlessly", "detaches", "endless_loop", "fork_bomb", "plain", "prints_endlessly", "writes_huge_file", "writes_past_end"]
PATIENCE_S = 120


@pytest.fixture(scope="module")
def docker(image, tmp_path_factory):  # noqa: F811
    if os.geteuid() != 0:
        give_up("only root can start docker's daemon")
    if not shutil.which("dockerd") or not shutil.which("docker"):
        give_up("docker's daemon is not installed, and could not be; bin/test installs packages-docker.txt")
    folder = tmp_path_factory.mktemp("docker")
    os.environ["DOCKER_HOST"] = f"unix://{folder}/socket"
    words = ["dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none", "--data-root", folder / "data", "--exec-root", folder / "exec",
             "--pidfile", folder / "pid", "--host", os.environ["DOCKER_HOST"]]
    with open(folder / "log", "w") as log:
        daemon = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE_S
        while subprocess.run(["docker", "info"], capture_output=True).returncode != 0:
            if daemon.poll() is not None or time.monotonic() > end:
                give_up(f"docker's daemon does not start here: {(folder / 'log').read_text()[-600:]}")
            time.sleep(0.2)
        saved = subprocess.Popen(["podman", "save", IMAGE], stdout=subprocess.PIPE)
        subprocess.run(["docker", "load"], stdin=saved.stdout, check=True, capture_output=True)
        yield lambda *words: subprocess.run(["docker", *words], capture_output=True, text=True, check=True).stdout
    finally:
        daemon.terminate()
        daemon.wait()
        del os.environ["DOCKER_HOST"]


@pytest.fixture(scope="module")
def cases(docker, lab, tmp_path_factory):
    """A right lab and hostile variants in one run."""
    folder = tmp_path_factory.mktemp("in_docker")
    work = lab(folder, sandbox="docker", resources={"case_time": "2s", "memory": "64MiB", "file_size": "8MiB", "processes": 50})
    work.submission = submission(folder / "mine", [*NAMES, "tells_what_it_sees"])
    work.keys["sweeps"] = [{"name": "all", "variants": ["cpu_baseline", *NAMES, "tells_what_it_sees"], "axes": {"size": 24}}]
    ran = work.run(timeout=600)
    assert ran.document, ran.err
    assert (ran.document["container"]["program"], ran.document["container"]["image"]) == ("docker", IMAGE)
    return {case["variant"]: case for case in ran.document["cases"]}


def test_a_right_variant_passes(cases):
    assert cases["cpu_baseline"]["status"] == "PASSED", cases["cpu_baseline"]["reason"]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_verdicts_as_in_bubblewrap(cases, name):
    assert cases[name]["status"] in head_of(CORPUS[name]).get("Caught as", "PASSED").split(", "), cases[name]["reason"]


def test_what_a_variant_sees_from_inside(cases):
    said = next(note["arguments"]["output"] for note in cases["tells_what_it_sees"]["notes"] if note["code"] == "printed")
    told = dict(word.split("=") for word in said.split())
    for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb"):
        assert int(told[name], 16) == 0, said
    assert told["NoNewPrivs"] == "1" and told["Seccomp"] == "2" and told["root_id"] == "0", said
    for name in ("write_root", "write_usr", "write_object", "shadow", "reference", "first_memory"):
        assert told[name] == "0", said
    assert (told["interfaces"], told["nproc"], told["fsize"]) == ("1", "50", str(8 << 20)), said


def test_no_container_is_left(cases, docker):
    assert docker("ps", "--all", "--quiet", "--filter", f"label={LABEL}") == ""
