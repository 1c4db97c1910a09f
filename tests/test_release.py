"""A release: the steps of .github/workflows/release.yml up to the upload, with the build under test, and what they leave."""

import json
import os
import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from conftest import ROOT, need
from ruamel.yaml import YAML
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from test_containers import give_up, podman
from test_package import run_lab5, unpacked

STEPS = {step["name"]: step for step in YAML(typ="safe").load(ROOT / ".github/workflows/release.yml")["jobs"]["release"]["steps"] if "name" in step}
IMAGE = "localhost/harness-harness"
LARGEST = 600_000_000  # bytes


def step(folder, name):
    """Runs a step where the runner would have its checkout."""
    names = (".git", ".github", ".venv", "build-arm64", "containers", "reports")
    for at, source in {**{name: ROOT / name for name in names}, "build": os.environ["HARNESS_BUILD"]}.items():
        if not (folder / at).exists():
            (folder / at).symlink_to(source)
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
    version = re.search(r"project\(harness VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    return subprocess.run(script, cwd=folder, env={"GITHUB_REF_NAME": f"v{version}", **os.environ}, capture_output=True, text=True)


def done(folder, *names):
    for name in names:
        ran = step(folder, name)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder / "dist"


@pytest.fixture(scope="module")
def arm64():
    """What the step compiles for arm64; it stays in build-arm64/, as the compiler's work does in build/."""
    for program in ("dpkg-deb", "aarch64-linux-gnu-g++", "qemu-aarch64-static", "mmdebstrap"):
        need(program)
    made = subprocess.run(["bash", "-eo", "pipefail", "-c", STEPS["Build for arm64"]["run"]], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout[-3000:] + made.stderr[-3000:]
    return ROOT / "build-arm64"


@pytest.fixture(scope="module")
def dist(arm64, tmp_path_factory):
    return done(tmp_path_factory.mktemp("release"), "Packages", "Compare the tag with the version", "Bill of materials and checksums")


def test_the_steps_before_and_after_are_known():
    assert list(STEPS) == ["Install git, so that the checkout is a clone", "Trust the checkout, which belongs to the host's user", "Build",
                           "Install what makes a release", "Build for arm64", "Packages", "Compare the tag with the version", "Image",
                           "Bill of materials and checksums", "Upload"]


def test_a_tag_of_another_version_is_refused(dist, monkeypatch):
    monkeypatch.setenv("GITHUB_REF_NAME", "v9.9")
    ran = step(dist.parent, "Compare the tag with the version")
    assert ran.returncode == 1 and re.fullmatch(r"the tag is v9\.9, and CMakeLists\.txt says \d.*\n", ran.stdout)


def test_the_checksums_are_of_all_files(dist):
    assert subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, capture_output=True).returncode == 0
    listed = [line.split()[1] for line in (dist / "SHA256SUMS").read_text().splitlines()]
    assert sorted(listed) == sorted(file.name for file in dist.iterdir() if file.name != "SHA256SUMS")
    assert {name.split(".", 1)[-1] for name in listed} >= {"spdx.json"} and [name for name in listed if name.endswith(".tar.gz")]


def test_two_releases_of_one_commit_are_the_same_bytes(dist, tmp_path):
    again = done(tmp_path, "Packages", "Bill of materials and checksums")
    assert (again / "SHA256SUMS").read_text() == (dist / "SHA256SUMS").read_text()


def test_the_bill_of_materials_is_valid_and_complete(dist):
    document = parse_file(str(dist / "harness.spdx.json"))
    assert validate_full_spdx_document(document) == []
    parts = {package.name: package for package in document.packages}
    linked = {relation.related_spdx_element_id for relation in document.relationships if relation.relationship_type.name == "STATIC_LINK"}
    assert {parts[name].spdx_id for name in ("libc6-dev", "libcli11-dev", "libfmt-dev", "libsqlite3-dev", "libyaml-cpp-dev", "nlohmann-json3-dev")} <= linked
    contained = {relation.related_spdx_element_id for relation in document.relationships if relation.relationship_type.name == "CONTAINS"}
    assert not [name for name in parts if "gtest" in name or "benchmark" in name]
    assert {"g++", "bubblewrap", "fonts-noto-cjk"} <= set(parts)
    for line in re.findall(r"^[\w.-]+==\S+$", (ROOT / "reports/requirements.txt").read_text(), re.M):
        name, version = line.split("==")
        assert parts[name].version == version and parts[name].spdx_id in contained and parts[name].external_references[0].locator == f"pkg:pypi/{name}@{version}"


def test_the_archive_reports_without_a_network(dist, tmp_path):
    """With the Python of the distribution, which the archive brings packages for, and no other package of Python."""
    archive, = dist.glob("harness-*-x86_64.tar.gz")
    (tmp_path / "home").mkdir()
    installed = unpacked(archive, tmp_path / "installed")
    folder = run_lab5(installed, tmp_path / "home", "--unshare-net")
    assert (folder / "report.md").exists() and (folder / "report.html").exists()
    print(f"{archive.name}: {archive.stat().st_size / 1e6:.0f} MB")
    names = {re.match(r"[^-]+-[^-]+", file.name)[0].lower().replace("_", "-") for file in installed.glob("**/wheels/*.whl")}
    listed = re.findall(r"^[\w.-]+==\S+$", (ROOT / "reports/requirements.txt").read_text(), re.M)
    assert names == {line.lower().replace("==", "-").replace("_", "-") for line in listed}


def test_the_program_for_arm64_is_static_and_runs(arm64, dist, tmp_path):
    """Under qemu-user: what makes no sandbox and measures nothing."""
    deb, = dist.glob("harness_*_arm64.deb")
    assert subprocess.run(["dpkg-deb", "--field", deb, "Architecture"], capture_output=True, text=True).stdout == "arm64\n"
    subprocess.run(["dpkg-deb", "--extract", deb, tmp_path], check=True)
    program = tmp_path / "usr/lib/harness/harness"
    headers = subprocess.run(["readelf", "--file-header", "--program-headers", program], capture_output=True, text=True).stdout
    assert "AArch64" in headers and "INTERP" not in headers

    def type(*words):
        return subprocess.run(["qemu-aarch64-static", program, *words], cwd=tmp_path, capture_output=True, text=True)

    here = subprocess.run([f"{os.environ['HARNESS_BUILD']}/harness", "plan", "lab5", "--json"], env={**os.environ, "HARNESS_ROOT": str(ROOT)}, capture_output=True, text=True)
    assert type("help", "trust").stdout == (ROOT / "docs/trust.md").read_text()
    there = type("plan", "lab5", "--json")
    assert there.returncode == here.returncode == 0 and len(there.stdout) > 1000, there.stderr
    assert {case["id"] for case in json.loads(there.stdout)["cases"]} == {case["id"] for case in json.loads(here.stdout)["cases"]}


# The modules that say whether a result is right, and what a time is.
@pytest.mark.parametrize("module", ["check", "measure"])
def test_unit_tests_pass_on_arm64(arm64, module):
    ran = subprocess.run(["bash", "-c", f"ninja -C {arm64} {module}_test && qemu-aarch64-static -L {arm64}/system {arm64}/{module}_test"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0 and "[  PASSED  ]" in ran.stdout, ran.stdout[-3000:] + ran.stderr[-1000:]


def identity():
    return podman("image", "inspect", "--format", "{{.Id}}", IMAGE).stdout.strip()


@pytest.fixture(scope="module")
def image(dist):
    """A function that runs the image as `docker run` does, with a folder as /work. Its base is made once per machine."""
    for program in ("podman", "mmdebstrap"):
        if not shutil.which(program):
            give_up(f"there is no {program}")
    before, made = identity(), step(dist.parent, "Image")
    if before not in ("", identity()):
        podman("image", "rm", before)  # 194 MB of another build
    if made.returncode != 0:
        give_up(made.stderr[-600:])
    limits = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--network=none"]
    works = [name for name in ("crun", "runc") if podman("--runtime", name, "run", "--rm", *limits, IMAGE, "--version").returncode == 0]
    if not works:
        give_up("podman starts no container here")

    def run(folder, *words, options=()):
        folder.mkdir(exist_ok=True)
        ran = podman("--runtime", works[0], "run", "--rm", *limits, *options, f"--volume={folder}:/work", IMAGE, *words)
        documents = sorted((folder / "results").glob("*/latest/run.json"))
        return SimpleNamespace(code=ran.returncode, out=ran.stdout, err=ran.stderr, document=json.loads(documents[0].read_text()) if documents else None)

    return run


def test_the_image_is_small_and_among_the_files(image, dist):
    size = int(podman("image", "inspect", "--format", "{{.Size}}", IMAGE).stdout)
    print(f"{IMAGE}: {size / 1e6:.0f} MB, compressed {(dist / 'harness_image.tar.gz').stat().st_size / 1e6:.0f} MB")
    assert size < LARGEST


def test_the_image_runs_a_lab_on_the_cpu_and_the_emulated_device(image, tmp_path):
    small = ["--variant", "cpu_avx", "--variant", "cpu_openblas", "--variant", "gpu_naive", "--set", "size=64", "--set", "BLOCK=16"]
    ran = image(tmp_path / "work", "run", "lab5", *small)
    assert ran.code == 0, ran.out + ran.err
    statuses = {case["variant"]: case["status"] for case in ran.document["cases"]}
    # Beside other tests every time may scatter; a machine without AVX skips cpu_avx.
    assert statuses.pop("cpu_avx") in ("PASSED", "UNSTABLE", "SKIPPED")
    assert set(statuses) == {"cpu_openblas", "gpu_naive"} and set(statuses.values()) <= {"PASSED", "UNSTABLE"}, statuses
    assert ran.document["run"]["sandbox"] == "none" and "run only code that you trust" in ran.err
    assert (tmp_path / "work/results/lab5/latest/report.pdf").read_bytes().startswith(b"%PDF")


def test_a_user_of_the_image_owns_the_results(image, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    os.chmod(work, 0o777), os.chmod(tmp_path, 0o755)
    ran = image(work, "run", "lab5", "--variant", "cpu_baseline", "--set", "size=32", options=["--user=1234:1234"])
    assert ran.code == 0, ran.out + ran.err
    assert {path.stat().st_uid for path in work.rglob("*")} == {1234}


def test_the_image_uses_bubblewrap_where_it_may(image, tmp_path):
    ran = image(tmp_path / "work", "run", "lab5", "--variant", "cpu_baseline", "--set", "size=32", "--no-report", options=["--privileged"])
    if ran.document["run"]["sandbox"] == "none":
        give_up("a privileged container may not make namespaces here")
    assert ran.code == 0 and ran.document["run"]["sandbox"] == "bwrap" and "trust" not in ran.err
