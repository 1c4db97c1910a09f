"""Containers for real: podman, with an image that is made here without a registry. test_docker.py does some of it in Docker.

Where podman cannot work the tests are skipped and say why, unless HARNESS_NEEDS_CONTAINERS is set.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT, head_of

IMAGE = "localhost/harness-cpu"
LABEL = "harness.owner"


def podman(*words):
    return subprocess.run(["podman", *words], capture_output=True, text=True)


def left():
    """Returns containers whose harness has ended. Containers of tests that run at the same time are not among them."""
    rows = podman("ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.ID}} {{.Labels}}").stdout
    owners = re.findall(rf"^(\S+) .*{re.escape(LABEL)}:(\d+):", rows, re.M)
    return [name for name, owner in owners if not os.path.exists(f"/proc/{owner}")]


def give_up(reason):
    print(reason)
    if os.environ.get("HARNESS_NEEDS_CONTAINERS"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def image(harness):
    """Returns the id of our image. Its base is made once per machine; podman keeps its layers."""
    for program in ("podman", "mmdebstrap"):
        if not shutil.which(program):
            give_up(f"there is no {program}")
    made = subprocess.run([ROOT / "containers/make", "cpu"], capture_output=True, text=True)
    if made.returncode != 0:
        give_up(f"containers/make cpu: {made.stderr[-600:]}")
    name, digest = made.stdout.split()
    assert name == IMAGE and re.fullmatch(r"sha256:[0-9a-f]{64}", digest)
    return digest.removeprefix("sha256:")


@pytest.fixture(scope="module")
def run(image, harness, lab, tmp_path_factory):
    folder = tmp_path_factory.mktemp("containers")
    tried = lab(folder).run("--sandbox", "podman")
    if tried.code == 3:
        give_up(tried.err)

    def go(*words, name="results", **changes):
        """A run of a config with `changes`, and its run.json."""
        words = ("run", lab(folder / name, **changes).write(), "--results", folder / name, "--json", *words)
        ran = harness.finish(harness.start(*words), timeout=900)  # twenty files of the emulated device at first
        documents = sorted((folder / name).glob("*/latest/run.json"))
        return SimpleNamespace(ran=ran, document=json.loads(documents[0].read_text()) if documents else None,
                               folder=documents[0].parent if documents else None)

    return go


def test_a_lab_on_the_cpu_and_the_emulated_device(run, image):
    sweeps = [{"name": "cpu", "variants": ["cpu_baseline", "cpu_avx", "cpu_openblas"], "axes": {"size": [64, 128]}},
              {"name": "gpu", "variants": ["gpu_naive"], "axes": {"size": 64, "BLOCK": 16}}]
    done = run(sweeps=sweeps, container=IMAGE, lab="contained")
    assert done.ran.code == 0, done.ran.err + done.ran.out
    assert {case["status"] for case in done.document["cases"]} <= {"PASSED", "SKIPPED"}
    assert {case["status"] for case in done.document["cases"] if case["variant"] != "cpu_avx"} == {"PASSED"}
    told = done.document["container"]
    assert (told["program"], told["image"], told["id"], told["mounts"]) == ("podman", IMAGE, image, [])
    assert told["digest"] == podman("image", "inspect", "--format", "{{.Digest}}", IMAGE).stdout.strip()
    assert told["version"] == podman("--version").stdout.strip() and told["runtime"] in ("runc", "crun")
    assert done.document["run"]["sandbox"] == "podman"
    # The compiler is the image's, whatever this machine has.
    inside = podman("run", "--rm", "--network=none", f"--runtime={told['runtime']}", "--ulimit=nofile=512:512",
                    "--ulimit=nproc=512:512", IMAGE, "g++", "--version").stdout.splitlines()[0]
    assert {build["compiler"] for build in done.document["builds"]} == {inside}
    report = (done.folder / "report.md").read_text()
    assert told["digest"] in report and IMAGE in report and f"{told['version']}, {told['runtime']}" in report
    assert left() == []


def test_what_a_variant_sees_from_inside(run, tmp_path):
    done = run("--submission", submission(tmp_path / "mine", ["tells_what_it_sees"]), "--no-report", name="inside", lab="inside",
               sweeps=[{"name": "all", "variants": ["tells_what_it_sees"], "axes": {"size": 16}}], sandbox="podman",
               resources={"processes": 50, "file_size": "8MiB"})
    [case] = done.document["cases"]
    said = next((note["arguments"]["output"] for note in case["notes"] if note["code"] == "printed"), None)
    assert said, case["reason"]
    told = dict(word.split("=") for word in said.split())
    for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb"):
        assert int(told[name], 16) == 0, said
    assert told["NoNewPrivs"] == "1" and told["Seccomp"] == "2" and told["root_id"] == "0", said
    for name in ("write_root", "write_usr", "write_object", "shadow", "reference", "first_memory"):
        assert told[name] == "0", said
    # Its own /tmp, with what it just made, and the way to the project if that lies there; the loopback device; itself and the first
    # process; 0 to 3 and the folder.
    in_tmp = str(1 + (Path("/tmp") in ROOT.parents))
    assert [told[name] for name in ("write_tmp", "in_tmp", "interfaces", "pids", "fds")] == ["1", in_tmp, "1", "2", "5"], said
    assert (told["nproc"], told["fsize"]) == ("50", str(8 << 20)), said


NAMES = ["allocates_endlessly", "answers_itself", "closes_everything", "detaches", "endless_loop", "exits", "fills_tmp",
         "fork_bomb", "null_pointer", "plain", "prints_endlessly", "takes_more_cores", "writes_huge_file", "writes_past_end"]


CORPUS = {file.stem: file for folder in ("correct", "wrong", "evil") for file in (ROOT / "tests/corpus" / folder).glob("*.cpp")}


def submission(folder, names):
    folder.mkdir()
    for name in names:
        shutil.copy(CORPUS[name], folder)
    for header in (ROOT / "tests/corpus").glob("*/*.h"):
        shutil.copy(header, folder)
    return folder


@pytest.fixture(scope="module")
def hostile(run, tmp_path_factory):
    limits = {"case_time": "3s", "memory": "64MiB", "file_size": "8MiB", "processes": 50}
    folder = submission(tmp_path_factory.mktemp("hostile") / "mine", NAMES)
    done = run("--submission", folder, "--no-report", name="hostile", lab="hostile", resources=limits,
               sweeps=[{"name": "all", "variants": NAMES, "axes": {"size": 24}}], sandbox="podman",
               flags={"cxx": ["-O1"]})
    return {case["variant"]: case for case in done.document["cases"]}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_verdicts_as_in_bubblewrap(hostile, name):
    assert hostile[name]["status"] in head_of(CORPUS[name]).get("Caught as", "PASSED").split(", "), hostile[name]["reason"]
    assert head_of(CORPUS[name]).get("Says", "") in hostile[name]["reason"]


def test_no_container_is_left_of_them(hostile):
    assert left() == []


@pytest.mark.parametrize("name, source, limit, reason", [
    ("bad", '#include "lab/gemm.h"\nLAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { g.c[0] = x; }\n', "120s",
     "bad.cpp:2:59: error: 'x' was not declared in this scope"),
    ("slow", "template <int n, int m> struct F { static constexpr long v = F<n - 1, m>::v + F<n - 1, m + 1>::v; };\n"
             "template <int m> struct F<0, m> { static constexpr long v = m; };\n"
             '#include "lab/gemm.h"\nLAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { g.c[0] = F<880, 0>::v; }\n', "2s",
     "the compiler was stopped after 2 s"),
], ids=["bad", "slow"])
def test_what_does_not_compile_in_time_is_told(run, tmp_path, name, source, limit, reason):
    (tmp_path / "mine").mkdir()
    (tmp_path / f"mine/{name}.cpp").write_text(source)
    done = run("--submission", tmp_path / "mine", "--no-report", name=name, lab=name, sandbox="podman",
               resources={"build_time": limit}, sweeps=[{"name": "all", "variants": [name], "axes": {"size": 24}}])
    [case] = done.document["cases"]
    assert (case["status"], case["reason"]) == ("COMPILE_ERROR", reason)


def test_killing_the_harness_ends_its_container(run, image, lab, tmp_path):
    work = lab(tmp_path, resources={"case_time": "300s"}, flags={"cxx": ["-O1"]}, sandbox="podman")
    process = work.variant("endless_loop", CORPUS["endless_loop"]).sweep(size=24).start("--json")

    def until(found, seconds):
        """Once per module is enough, because containers are started and removed for each run."""
        end = time.monotonic() + seconds
        while not (it := found()) and time.monotonic() < end:
            time.sleep(0.2)
        return it

    assert until(lambda: podman("ps", "--quiet", "--filter", f"label={LABEL}").stdout, 120), process.poll()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert until(lambda: left() == [], 60), podman("ps", "--all").stdout


def test_what_is_left_of_a_harness_that_is_gone_is_removed(run, image, harness, tmp_path):
    """A container that was never removed, as after a crash of podman: the process that its label names does not exist."""
    made = podman("create", f"--label={LABEL}=999999999:1", "--network=none", IMAGE, "true")
    assert made.returncode == 0, made.stderr
    assert left() != []
    for entry in ROOT.iterdir():  # a checkout of its own: others build in this one
        if entry.name != "build":
            (tmp_path / entry.name).symlink_to(entry)
    ran = harness("clean", root=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert left() == []


def refused(harness, lab, tmp_path, path=None, **changes):
    ran = harness.finish(subprocess.Popen(
        [harness.path, "run", lab(tmp_path, **changes).write(), "--results", tmp_path / "results", "--no-report"], text=True,
        env={**os.environ, "HARNESS_ROOT": str(ROOT), **({"PATH": path} if path else {})}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE))
    assert ran.code == 3
    return ran.err


def test_what_is_missing_is_said_with_the_way_out(run, image, harness, lab, tmp_path):
    assert refused(harness, lab, tmp_path, container="localhost/harness-none") == (
        'harness: podman has no image "localhost/harness-none"; name one that it has, or make ours with '
        "containers/make cpu\n")
    (tmp_path / "empty").mkdir()
    assert refused(harness, lab, tmp_path, path=str(tmp_path / "empty"), container={"program": "podman"}) == (
        'harness: the container program "podman" is not installed; type `sudo apt-get install podman`, or use '
        "--sandbox bwrap\n")
    assert refused(harness, lab, tmp_path, container={"mounts": ["/no/such/toolkit"]}) == (
        f'harness: {tmp_path}/lab.yaml: there is no folder "/no/such/toolkit" to mount into the container\n')


def test_an_image_for_another_processor_is_refused(run, image, harness, lab, tmp_path):
    (tmp_path / "file").write_text("x")
    subprocess.run(["tar", "-cf", tmp_path / "foreign.tar", "-C", tmp_path, "file"], check=True)
    foreign = "s390x"
    podman("import", "--arch", foreign, str(tmp_path / "foreign.tar"), "localhost/foreign")
    try:
        said = refused(harness, lab, tmp_path, container="localhost/foreign")
    finally:
        podman("rmi", "localhost/foreign")
    here = podman("image", "inspect", "--format", "{{.Architecture}}", IMAGE).stdout.strip()
    assert said == (f'harness: the image "localhost/foreign" is for {foreign}, and this machine is {here}; make it here '
                    "with containers/make cpu\n")


def test_no_runtime_that_works_is_told_with_what_each_said(run, image, harness, lab, tmp_path):
    """A podman without a runtime. Everything else is the real podman."""
    real = shutil.which("podman")
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "podman").write_text(f'#!/bin/sh\n[ "$1" = --runtime ] && {{ shift 2; set -- --runtime /no/$$ "$@"; }}\nexec {real} "$@"\n')
    (fake / "podman").chmod(0o755)
    said = refused(harness, lab, tmp_path, path=f"{fake}:{os.environ['PATH']}", sandbox="podman")
    assert re.fullmatch(r"harness: podman starts no container here \((runc|crun): .*; (runc|crun): .*\); see harness doctor, "
                        r"or use --sandbox bwrap\n", said), said


def test_a_cuda_toolkit_of_this_machine_is_mounted(run, image):
    toolkit = "/usr/local/cuda"
    if not os.path.exists(f"{toolkit}/bin/nvcc"):
        give_up("there is no CUDA toolkit in /usr/local/cuda")
    done = run("--gpu", "cuda", "--gpu-arch", "sm_90", "--no-report", name="cuda", lab="cuda",
               sweeps=[{"name": "gpu", "variants": ["gpu_naive"], "axes": {"size": 64, "BLOCK": 16}}],
               container={"image": IMAGE, "mounts": [toolkit]})
    [build] = done.document["builds"]
    assert build["state"] in ("built", "cached") and build["command"].find(f"{toolkit}/bin/nvcc") >= 0, build
    assert "release" in build["compiler"]
