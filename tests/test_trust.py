"""Variants that cheat the clock or keep their answers: none gets a time that is not its own, and nobody honest is accused.

A variant of tests/corpus/evil says itself what it is caught as; those named here are the ones that this boundary was built for.
"""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from conftest import ROOT

EVIL = ROOT / "tests/corpus/evil"
# Each with a sentence that a student reads; where several ways of being caught race, any of them.
TOLD = {
    "caches_by_pointer": r"every wrong cell still holds the NaN from before",
    "caches_by_content": "",
    "caches_by_call_count": r"\d+ of \d+ cells differ",
    "patched_clock": r"it reports .* per call, but (it computes for|a call takes) ",
    "late_thread": r"C changed after its last call had returned: does a thread go on\?|\d+ of \d+ cells differ|it reports ",
    "lazy_output": r"it reports .* per call, but (it computes for|a call takes) |is faster than this machine",
    "wakes_at_fetch": r"its output cannot be read: did it protect or move that memory\?|it reports ",
    "another_process_computes": r"it reports .* per call, but a call takes ",
    "loads_a_library": r"it loads libopenblas\S*\.so\S*, which this lab forbids",
}
SHORT = {"precision": "50%", "max_time": "300ms", "min_samples": 8, "max_samples": 8}


def caught_as(name):
    text = next(EVIL.glob(f"{name}.c*")).read_text()
    return re.search(r"^// Caught as: (.*)$", text, re.M)[1].split(", ")


@pytest.fixture(scope="module")
def evil(harness, lab, results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("evil")
    submission = folder / "submission"
    submission.mkdir()
    for file in EVIL.iterdir():
        if file.stem in TOLD or file.suffix == ".h":
            (submission / file.name).symlink_to(file)
    config = lab(folder, lab="evil", forbid="openblas", flags={"cxx": ["-O1"]}, measure=SHORT, vendor="cpu_openblas",
                 sweeps=[{"name": "all", "variants": ["cpu_baseline", "cpu_openblas", *TOLD], "axes": {"size": 112}}])
    ran = harness("run", config, "--submission", submission, "--results", folder / "results", "--no-report")
    cases = results(folder / "results").run_json("evil")["cases"]
    return SimpleNamespace(ran=ran, cases={case["variant"]: case for case in cases})


@pytest.mark.parametrize("name", TOLD)
def test_each_is_caught(evil, name):
    case = evil.cases[name]
    if unverified := [note["text"] for note in case["notes"] if note["code"] in ("overhead_unknown", "machine_busy")]:
        pytest.skip(unverified[0])
    assert case["status"] in caught_as(name), case["reason"]
    assert re.search(TOLD[name], case["reason"]), case["reason"]
    if case["status"] != "PASSED":
        assert case["samples_ms"] == [] or case["status"] == "SUSPECT"


def test_the_honest_ones_beside_them_pass(evil):
    assert evil.cases["cpu_baseline"]["status"] in ("PASSED", "UNSTABLE"), evil.cases["cpu_baseline"]["reason"]


def test_the_vendor_may_load_what_others_may_not(evil):
    case = evil.cases["cpu_openblas"]
    if case["status"] == "SKIPPED":
        pytest.skip(case["reason"])
    assert case["status"] in ("PASSED", "UNSTABLE"), case["reason"]


def test_the_limit_of_memory_is_not_for_a_librarys_own_buffers(harness, lab, tmp_path):
    """OpenBLAS reserves 128 MiB a thread. On CPUs with AVX-512 it does so for large matrices only, hence the size."""
    config = lab(tmp_path, measure=SHORT, limits={"memory": "1MiB", "case_time": "20s"},
                 sweeps=[{"name": "all", "variants": ["cpu_openblas"], "axes": {"size": 300, "threads": [1, 2]}}])
    ran = harness("run", config, "--no-report", "--results", tmp_path / "results", "--json")
    cases = ran.of("case")
    assert len(cases) == 2
    if cases[0]["status"] == "SKIPPED":
        pytest.skip(cases[0]["reason"])
    for case in cases:
        assert case["status"] in ("PASSED", "UNSTABLE", "SKIPPED"), case["reason"]


@pytest.mark.parametrize("kernel, size", [("gemm", 24), ("gemm", 100), ("conv2d", 40)])
def test_nobody_honest_is_accused(harness, lab, results, tmp_path, kernel, size):
    config = lab(tmp_path, kernel=kernel, measure=SHORT,
                 sweeps=[{"name": "all", "variants": ["cpu_*", "gpu_*"], "axes": {"size": size}}])
    ran = harness("run", config, "--gpu", "emulated", "--no-report", "--results", tmp_path / "results")
    cases = results(tmp_path / "results").run_json("small")["cases"]
    assert len(cases) >= len(list((ROOT / "labs" / kernel).glob("*pu_*.c*")))
    for case in cases:
        assert case["status"] in ("PASSED", "UNSTABLE", "SKIPPED"), (case["variant"], case["reason"])
    assert any(case["samples_ms"] for case in cases), ran.out


def test_one_that_loads_a_library_openly_is_told_before_it_is_timed(harness, lab, tmp_path):
    config = lab(tmp_path, forbid=["openblas", "mkl"], measure=SHORT,
                 sweeps=[{"name": "all", "variants": ["cpu_openblas"], "axes": {"size": 16}}])
    ran = harness("run", config, "--no-report", "--results", tmp_path / "results", "--json")
    case, = ran.of("case")
    if case["status"] == "SKIPPED":
        pytest.skip(case["reason"])
    assert case["status"] == "MISTRUSTED"
    assert re.fullmatch(r"it loads libopenblas\S*, which this lab forbids", case["reason"])


SEES = r"""
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include "lab/gemm.h"

// Every wall that stands adds a bit to C[0][0]; the result is right where all of them do.
static bool only_itself() {  // of processes: the sandbox's first and this one
  int seen = 0;
  DIR* all = opendir("/proc");
  while (dirent* entry = readdir(all)) seen += atoi(entry->d_name) > 1 && atoi(entry->d_name) != getpid();
  closedir(all);
  return seen == 0;
}
static bool no_descriptors() {
  for (int fd = 4; fd < 1024; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) return false;
  return true;
}
static bool denied(long result) { return result == -1 && errno == EPERM; }
static int walls() {
  int standing = 0;
  standing += only_itself();
  standing += no_descriptors();
  standing += denied(syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
  standing += denied(syscall(SYS_process_vm_writev, getppid(), nullptr, 0, nullptr, 0, 0));
  standing += denied(syscall(SYS_bpf, 0, nullptr, 0));
  standing += denied(syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
  standing += denied(syscall(SYS_userfaultfd, 0));
  standing += denied(syscall(SYS_io_uring_setup, 1, nullptr));
  standing += denied(syscall(SYS_add_key, nullptr, nullptr, nullptr, 0, 0));
  standing += denied(syscall(SYS_mount, nullptr, nullptr, nullptr, 0, nullptr));
  standing += denied(unshare(CLONE_NEWNET));
  standing += denied(syscall(SYS_clone, CLONE_NEWUSER, nullptr, nullptr, nullptr, nullptr));
  standing += syscall(SYS_clone3, nullptr, 0) == -1 && errno == ENOSYS;
  standing += denied(syscall(SYS_personality, 0x0040000));
  standing += denied(prctl(PR_SET_DUMPABLE, 0));
  standing += denied(syscall(SYS_memfd_create, "note", 0));
  return standing;
}
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const int standing = walls();
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  if (standing != 16) g.c[0] = 1e6f + standing;
}
"""


@pytest.mark.parametrize("sandbox, status", [("bwrap", "PASSED"), ("none", "WRONG")])
def test_walls_around_the_worker(harness, lab, tmp_path, sandbox, status):
    """Without a sandbox it sees other processes, and nothing else more."""
    submission = tmp_path / "submission"
    submission.mkdir()
    (submission / "sees.cpp").write_text(SEES)
    config = lab(tmp_path, measure=SHORT, sweeps=[{"name": "all", "variants": ["sees"], "axes": {"size": 16}}])
    ran = harness("run", config, "--submission", submission, "--no-report", "--results", tmp_path / "results", "--json",
                  "--sandbox", sandbox)
    case, = ran.of("case")
    assert case["status"] in (status, "UNSTABLE"), case["reason"]
    if status == "WRONG":
        assert "got 1000015" in case["reason"]


# As the filter of some containers has it: process_vm_readv gives EPERM, here and in all that is started from here.
NO_READV = """
import ctypes, os, platform, struct, sys
number = {"x86_64": 310, "aarch64": 270}[platform.machine()]
load, jump_if_equal, give = 0x20, 0x15, 0x06
steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in (
    (load, 0, 0, 0), (jump_if_equal, 0, 1, number), (give, 0, 0, 0x00050001), (give, 0, 0, 0x7fff0000))))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(steps)))
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""
OUTPUTS, LIBRARIES = "outputs_not_observed", "libraries_not_observed"


def shows_maps(before):
    """Of a process of somebody else. (Since Linux 6.17 this needs less than SYS_PTRACE.)"""
    with subprocess.Popen(["setpriv", "--reuid=nobody", "--clear-groups", "cat"], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE) as other:
        print("", file=other.stdin, flush=True)
        other.stdout.readline()  # it is the other program by now
        read = subprocess.run([*before, "cat", f"/proc/{other.pid}/maps"], capture_output=True, text=True)
    return read.stdout != ""


@pytest.mark.parametrize("before, notes", [
    ([], []),
    ([sys.executable, "-c", NO_READV], [OUTPUTS]),
    pytest.param(["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all"], [OUTPUTS, LIBRARIES],
                 marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can give capabilities up, and needs them here")),
], ids=["a machine like any", "a filter", "root without SYS_PTRACE"])
def test_what_could_not_be_seen_is_said(harness, lab, tmp_path, before, notes):
    if LIBRARIES in notes and shows_maps(before):
        notes = [OUTPUTS]
    config = lab(tmp_path, forbid="openblas", measure=SHORT,
                 sweeps=[{"name": "all", "variants": ["cpu_baseline"], "axes": {"size": 24}}])
    ran = harness("run", config, "--no-report", "--results", tmp_path / "results", "--json", before=before)
    case, = ran.of("case")
    assert case["status"] in ("PASSED", "UNSTABLE"), case["reason"]
    assert [note["code"] for note in case["notes"]] == notes
