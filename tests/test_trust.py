"""Variants that cheat the clock or keep results between calls are caught, and honest variants are not accused.

Each file in tests/corpus/evil says what verdict it must get. These are the attacks on times and on the worker.
"""

import os
import re
import subprocess

import pytest
from conftest import ROOT, head_of, skip

EVIL = ROOT / "tests/corpus/evil"
# A pattern of the reason that a student reads. Some can be caught in several ways.
TOLD = {
    "caches_by_pointer": r"every wrong cell still holds (the NaN from before|its old value)",
    "caches_by_content": "",
    "caches_by_call_count": r"\d+ of \d+ cells differ",
    "clears_its_output": r"still holds (the NaN from before|its old value)|C changed after the call had returned: did it answer before it had finished, or does a thread go on\?",
    "answers_first": r"still holds (the NaN from before|its old value)|C changed after the call had returned: did it answer before it had finished, or does a thread go on\?",
    "skips_every_nth_call": r"\d+ of \d+ cells differ",
    "lazy_output": r"every wrong cell still holds (the NaN from before|its old value)",
    "wakes_at_fetch": r"every wrong cell still holds (the NaN from before|its old value)",
    "another_process_computes": r"it starts a thread or a process, but this case has one thread: the config's axis \"threads\" gives more",
    "loads_a_library_for_a_call": r"it loads libopenblas\S*\.so\S*, which this lab forbids",
    "maps_a_program": r"it runs code from /usr/\S+; this lab forbids openblas, and the harness cannot see what that is",
    "code_in_the_vdso": r"it runs code that is in no file; this lab forbids openblas",
    "loads_a_library": r"it loads libopenblas\S*\.so\S*, which this lab forbids",
}
# These lie about time, or send false replies. Nobody asks them: their times are those of the same code without the lie.
PLAIN = (EVIL / "honest.h").read_text().replace("#pragma once", "") + "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }\n"
LIARS = ("patched_clock", "clock_detoured", "answers_in_time")
HONEST = ("PASSED", "UNSTABLE", "SKIPPED")
# Each lie would make times a hundredth. A busy machine can make them several times longer.
FAR_ABOVE = 0.1
SHORT = {"precision": "50%", "max_time": "300ms", "min_samples": 8, "max_samples": 8}


def caught_as(name):
    return head_of(next(EVIL.glob(f"{name}.c*")))["Caught as"].split(", ")


@pytest.fixture(scope="module")
def evil(lab):
    """The cases of all of them in one run, with two variants of the lab."""
    work = lab(lab="evil", forbid="openblas", flags={"cxx": ["-O1"]}, measure=SHORT, vendor="cpu_openblas")
    for name in TOLD:
        work.variant(name, next(EVIL.glob(f"{name}.c*")))
    ran = work.sweep("cpu_baseline", "cpu_openblas", *TOLD, size=112).run()
    return {case["variant"]: case for case in ran.document["cases"]}


@pytest.mark.parametrize("name", TOLD)
def test_each_is_caught(evil, name):
    case = evil[name]
    assert case["status"] in caught_as(name), case["reason"]
    assert re.search(TOLD[name], case["reason"]), case["reason"]
    if case["status"] != "PASSED":
        assert case["samples_ms"] == [] or case["status"] == "SUSPECT"


def test_who_declares_threads_and_gets_one_is_not_accused(lab):
    """A pool of as many threads as there are cores starts one where a scaling study begins."""
    pool = """#include <thread>
#include "lab/gemm.h"
LAB_NEEDS(threads);
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::thread([&] {
    for (int64_t i = 0; i < g.m; ++i)
      for (int64_t j = 0; j < g.n; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
        lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
      }
  }).join();
}
"""
    loaded = """#include <thread>
#include "lab/gemm.h"
LAB_NEEDS(threads);
static struct Pool {
  std::thread thread{[] {}};
  ~Pool() { thread.join(); }
} pool;
""" + PLAIN
    ran = lab().variant("pool", pool).variant("loaded", loaded).sweep("pool", "loaded", size=16, threads=[1, 2]).run()
    for name in ("pool", "loaded"):
        one, two = (ran.cases[f"all/{name} size=16 threads={n}"] for n in (1, 2))
        assert one["status"] == "SKIPPED" and two["status"] in HONEST, (one, two)
        assert re.fullmatch(r"on all \d+ check shapes: it starts a thread, and this case has one: compute in that one, or run it with more", one["reason"])


def test_one_skipped_call_in_twenty_is_found(lab):
    work = lab(flags={"cxx": ["-O1"]}, measure={"precision": "50%", "max_time": "20s", "min_samples": 60, "max_samples": 60})
    ran = work.variant("skips", EVIL / "skips_every_nth_call.cpp").sweep("skips", size=100, EVERY=20).run("--json")
    skips = ran.case("skips")
    assert skips["status"] == "WRONG" and skips["reason"].startswith("output of a timed call"), skips["reason"]


def test_a_lie_about_time_makes_no_time_shorter(lab):
    work = lab(flags={"cxx": ["-O1"]}, measure={"precision": "5%", "max_time": "2s"})
    for name in LIARS:
        work.variant(name, EVIL / f"{name}.cpp")
    work.variant("plain", PLAIN)
    ran = work.sweep("plain", *LIARS, size=[16, 80]).run()
    by_size = {}
    for case in ran.document["cases"]:
        assert case["status"] in ("PASSED", "UNSTABLE"), (case["variant"], case["reason"])
        by_size.setdefault(case["axes"]["size"], {})[case["variant"]] = min(case["samples_ms"])  # a busy machine disturbs it least
    for size, times in by_size.items():
        for name in LIARS:
            assert times[name] > FAR_ABOVE * times["plain"], (size, times)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_clock_makes_a_time_shorter(lab, threads):
    """A clock at a hundredth, at one half and 30 % fast, on square, thin and tiny problems."""
    needs = "\nLAB_NEEDS(threads);\n" if threads > 1 else ""
    clock = (EVIL / "patched_clock.cpp").read_text() + needs
    shapes = [{"size": 128}, {"m": 1, "n": 512, "k": 512}, {"m": 4, "n": 256, "k": 256}]
    if threads == 1:  # with two, the harness may have to sleep, which takes longer than a tiny call
        shapes.append({"size": 16})
    work = lab(flags={"cxx": ["-O1"]}, measure={"precision": "5%", "max_time": "2s"}).variant("plain", PLAIN + needs)
    work.variant("clock.cpp", clock).variant("got.h", (EVIL / "got.h").read_text()).variant("honest.h", (EVIL / "honest.h").read_text())
    for i, shape in enumerate(shapes):
        work.sweep("plain", name=f"plain{i}", threads=threads, **shape)
        work.sweep("clock", name=f"clock{i}", threads=threads, SPEED_PERCENT=[1, 50, 77], **shape)
    times = {}
    for case in work.run().document["cases"]:
        assert case["status"] in ("PASSED", "UNSTABLE"), (case["id"], case["reason"])
        times.setdefault(case["sweep"], []).append(min(case["samples_ms"]))  # a busy machine disturbs it least
    for i, shape in enumerate(shapes):
        plain, = times[f"plain{i}"]
        assert len(times[f"clock{i}"]) == 3
        assert min(times[f"clock{i}"]) > FAR_ABOVE * plain, (shape, times)


SQUARE, THIN = {"size": 256}, {"m": 4, "n": 1024, "k": 512}
EARLY = [("early_start", SQUARE), ("early_start_of_half", THIN), ("early_start_of_some_steps", SQUARE), ("early_start_of_some_steps", THIN)]


@pytest.mark.parametrize("name, shape", EARLY)
def test_work_before_the_release_is_wrong(lab, name, shape):
    """The variant keeps its thread and computes as soon as it sees new data. Some of the smaller input is still that of before."""
    work = lab(flags={"cxx": ["-O1"]}, measure=SHORT).variant(name, EVIL / f"{name}.cpp").sweep(name, **shape)
    early = work.run("--json").case(name)
    assert early["status"] == "WRONG" and early["reason"].startswith("output of a timed call"), early


def test_an_early_start_that_compares_gains_nothing(lab):
    """It compares the data with those that it computed with, and computes again if they differ. That takes longer than an honest call."""
    work = lab(flags={"cxx": ["-O1"]}, measure={"precision": "5%", "max_time": "3s"}).variant("plain", PLAIN)
    work.variant("early", EVIL / "early_start_with_pauses.cpp")
    ran = work.sweep("plain", "early", **SQUARE).run("--json")
    early = ran.case("early")
    assert early["status"] in ("PASSED", "UNSTABLE", "SUSPECT"), early["reason"]
    if early["status"] != "SUSPECT":
        assert early["metrics"]["kernel_ms"]["min"] > 0.75 * ran.case("plain")["metrics"]["kernel_ms"]["min"]


def test_all_variants_of_a_group_have_one_overhead(lab):
    ran = lab(measure=SHORT).variant("one", PLAIN).variant("two", PLAIN).sweep(size=4).run()
    one, two = ([note["arguments"]["overhead_ms"] for note in ran.case(name)["notes"] if note["code"] == "short_call"] for name in ("one", "two"))
    assert one == two and len(one) == 1 and one[0] > 0


# What computes honestly in them: from this text to that one, and the call.
HONEST_PARTS = {"early_start_beside_slow_control": ("static void by_rows", "// Most of its rows", "by_rows(g)"),
                "sleeps_in_other_calls": ("__attribute__", "// Returns the number of rows", "rows(g, 0, g.m)")}


@pytest.mark.parametrize("name", HONEST_PARTS)
def test_an_early_start_gains_little_from_time_elsewhere(lab, name):
    """One leaves the Linux kernel work for the time of the idle control, the other sleeps in every third call."""
    source = (EVIL / f"{name}.cpp").read_text()
    begin, end, call = HONEST_PARTS[name]
    part = source[source.index(begin):source.index(end)]
    honest = '#include "lab/gemm.h"\n' + part + f"LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {{ {call}; }}\n"
    work = lab(flags={"cxx": ["-O1"]}, measure={"precision": "5%", "max_time": "3s"}).variant("plain", honest)
    work.variant("slow", source.replace('#include "honest.h"', '#include "lab/gemm.h"').replace(
        '#include "turns.h"', (EVIL / "turns.h").read_text().replace("#pragma once", "")))
    ran = work.sweep("plain", "slow", m=4, n=1024, k=512).run("--json")
    slow = ran.case("slow")
    assert slow["status"] in ("PASSED", "UNSTABLE", "SUSPECT", "WRONG"), slow["reason"]  # WRONG: it computed with old data
    if slow["status"] in ("PASSED", "UNSTABLE"):  # it got a third of its time before
        assert slow["metrics"]["kernel_ms"]["min"] > 0.6 * ran.case("plain")["metrics"]["kernel_ms"]["min"]


HEAD_STARTS = [("early_start_as_data_come", "fresh", {"m": 1, "n": 256, "k": 112}), ("early_start_of_half", "fresh", {"m": 2, "n": 256, "k": 192}),
               ("early_start_of_half", "cold", {"size": 32})]


@pytest.mark.parametrize("name, cache, shape", HEAD_STARTS)
def test_little_data_give_no_head_start(lab, name, cache, shape):
    """They arrive while the worker waits. It sees them, but not the smallest input until just before its release."""
    headers = {name: (EVIL / name).read_text().replace("#pragma once", "") for name in ("honest.h", "turns.h")}
    source = (EVIL / f"{name}.cpp").read_text()
    for header, text in headers.items():
        source = source.replace(f'#include "{header}"', text)
    measure = {"precision": "5%", "max_time": "3s", "cpu_cache": cache}
    work = lab(flags={"cxx": ["-O1"]}, measure=measure).variant("plain", PLAIN).variant("early", source)
    ran = work.sweep("plain", "early", **shape).run("--json")
    early = ran.case("early")
    assert early["status"] in ("PASSED", "UNSTABLE", "SUSPECT", "WRONG"), early["reason"]  # WRONG: it computed with old data
    if early["status"] in ("PASSED", "UNSTABLE"):  # it got half of its time or less if all data came at once
        assert early["metrics"]["kernel_ms"]["min"] > 0.75 * ran.case("plain")["metrics"]["kernel_ms"]["min"]


def test_the_honest_variant_passes(evil):
    assert evil["cpu_baseline"]["status"] in ("PASSED", "UNSTABLE"), evil["cpu_baseline"]["reason"]


def test_the_vendor_may_load_what_others_may_not(evil):
    case = evil["cpu_openblas"]
    if case["status"] == "SKIPPED":
        skip(case["reason"])
    assert case["status"] in ("PASSED", "UNSTABLE"), case["reason"]


PINS_ITSELF = (EVIL / "honest.h").read_text().replace("#pragma once", "") + """
#include <sched.h>
#include <thread>
LAB_NEEDS(threads);
static bool pinned() {
  cpu_set_t first, now;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  if (sched_setaffinity(0, sizeof first, &first) != 0 || sched_getaffinity(0, sizeof now, &now) != 0) return true;
  return CPU_EQUAL(&first, &now);
}
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  constexpr bool expected = EXPECTED;
  bool other = !expected;
  std::thread([&] { other = pinned(); }).join();
  if (pinned() != expected || other != expected) confess(g);
}
"""


CORES = len(os.sched_getaffinity(0))


@pytest.mark.parametrize("threads, works", [
    pytest.param(2, "false", marks=pytest.mark.skipif(CORES < 3, reason="with two cores there is none to leave for")),
    pytest.param(CORES, "true", marks=pytest.mark.skipif(not 1 < CORES == os.cpu_count(), reason="needs two cores, and all of the machine's"))])
def test_threads_stay_on_their_cores(lab, threads, works):
    """A thread that pins itself hears that it worked, as OpenMP wants it. It changes something only if there is no other core."""
    pins = PINS_ITSELF.replace("EXPECTED", works)
    ran = lab(measure=SHORT).variant("pins", pins).sweep("pins", "cpu_tuned", size=100, threads=threads).run("--json")
    assert len(ran.cases) == 2
    for case in ran.cases.values():
        assert case["status"] in HONEST, case["reason"]


def cases_of(ran):
    """The cases, unless this machine lacks what the first one needs."""
    cases = list(ran.cases.values())
    if cases[0]["status"] == "SKIPPED":
        skip(cases[0]["reason"])
    return cases


def test_the_memory_limit_does_not_cover_the_buffers_of_a_library(lab):
    """OpenBLAS reserves 128 MiB a thread. On CPUs with AVX-512 it does so for large matrices only, hence the size."""
    work = lab(measure=SHORT, resources={"memory": "1MiB", "case_time": "20s"}).sweep("cpu_openblas", size=300, threads=[1, 2])
    cases = cases_of(work.run("--json"))
    assert len(cases) == 2
    for case in cases:
        assert case["status"] in HONEST, case["reason"]


@pytest.mark.parametrize("kernel, size", [("gemm", 24), ("gemm", 100), ("conv2d", 40)])
def test_no_honest_variant_is_accused(lab, kernel, size):
    ran = lab(kernel=kernel, measure=SHORT).sweep("cpu_*", "gpu_*", size=size).run("--gpu", "emulated")
    assert len(ran.cases) >= len(list((ROOT / "labs" / kernel).glob("*pu_*.c*")))
    for case in ran.cases.values():
        assert case["status"] in HONEST, (case["variant"], case["reason"])
    assert any(case["samples_ms"] for case in ran.cases.values()), ran.out


def test_sums_near_zero_by_chance_accuse_nobody(lab):
    """One sum of a million terms: in one of eight outputs or so, zeros would pass too."""
    work = lab(measure=SHORT).sweep("cpu_baseline", "cpu_unrolled", m=1, n=1, k=[300_000 + step for step in range(8)])
    for case in work.run().expect().cases.values():
        assert case["status"] in HONEST, case["reason"]


def test_an_output_that_shows_nothing_is_not_believed(lab):
    """The bound of TF32 for one sum of four million terms is larger than the sum."""
    source = (ROOT / "labs/gemm/cpu_baseline.cpp").read_text() + "LAB_PRECISION(tf32);\n"
    work = lab(measure=SHORT).variant("mine", source).sweep("mine", m=1, n=1, k=[4_000_000])
    case = work.run().expect(1, mine="MISTRUSTED").case("mine")
    assert case["reason"] == "on m=1 n=1 k=4000000: an output of zeros would have passed"


def test_a_forbidden_library_is_reported_before_timing(lab):
    ran = lab(forbid=["openblas", "mkl"], measure=SHORT).sweep("cpu_openblas", size=16).run("--json")
    case, = cases_of(ran)
    assert case["status"] == "MISTRUSTED"
    assert re.fullmatch(r"it loads libopenblas\S*, which this lab forbids", case["reason"])


def test_the_linker_compiles_nothing(lab):
    """Code for the linker's compiler, hidden in assembler text: nobody would see what that reads, for example a library."""
    honest = (EVIL / "honest.h").read_text().replace("#pragma once", "")
    entry = "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }\n"
    command = ["g++", "-flto", "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", f"-I{ROOT}/labs", "-S", "-x", "c++", "-", "-o", "-"]
    text = subprocess.run(command, input=honest + entry, capture_output=True, text=True, check=True).stdout
    assert ".gnu.lto_" in text
    source = f'#ifdef NOWHERE\n{entry}#endif\nasm(R"text({text})text");\n'
    case = lab(measure=SHORT).variant("mine", source).sweep("mine", size=16).run().expect(1, mine="COMPILE_ERROR").case("mine")
    assert case["reason"].startswith("it defines no entry point for f32")  # the linker leaves out what it would have to compile


def test_who_is_slow_in_the_checks_alone_is_checked_again(lab):
    """It sleeps in the largest of the small problems. So it seems too slow for problems near the case's size, where it is wrong."""
    source = "#include <unistd.h>\n" + (EVIL / "honest.h").read_text().replace("#pragma once", "") + """
LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const double flops = 2.0 * g.m * g.n * g.k;
  if (flops > 4.5e5 && flops < 1.2e6) usleep(600'000);
  multiply(g);
  if (flops > 1.2e6 && flops != 2.0 * 256 * 256 * 256) g.c[0] = 0;
}
"""
    work = lab(measure={"max_time": "1s", "min_samples": 6, "max_samples": 6}, resources={"case_time": "20s"}).variant("mine", source)
    case = work.sweep("mine", size=256).run().expect(1, mine="WRONG").case("mine")
    assert "small problems come out right: does it compute larger ones in another way?" in case["reason"]
    assert not case["samples_ms"]


def test_a_vendor_that_is_none_any_more_is_looked_at_again(lab):
    """What an earlier run allowed to load the library says nothing about a lab that forbids it."""
    work = lab(forbid="openblas", vendor="cpu_openblas", measure=SHORT).sweep("cpu_openblas", size=200)
    assert work.run("--json").case("cpu_openblas")["status"] in ("PASSED", "UNSTABLE")
    del work.keys["vendor"]
    assert work.run("--json").case("cpu_openblas")["status"] == "MISTRUSTED"


def test_times_that_scatter_less_than_the_precision_are_stable(lab):
    """Each second call takes twice as long: an interval of a third of the median or so.

    Of 40 samples, one that a busy machine made long does not move the interval's ends."""
    source = (ROOT / "labs/gemm/cpu_baseline.cpp").read_text().replace("{", """{
  static int calls = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(++calls % 2 ? 2 : 4);
  while (std::chrono::steady_clock::now() < end) {
  }""", 1)
    measure = {"precision": "90%", "max_time": "2s", "min_samples": 40, "max_samples": 40}
    work = lab(measure=measure).variant("mine", "#include <chrono>\n" + source)
    case = work.sweep("mine", size=16).run("--json").case("mine")
    time = case["metrics"]["kernel_ms"]
    assert (time["high"] - time["low"]) / 2 > 0.1 * time["median"] and case["status"] == "PASSED", case
    work.keys["measure"]["precision"] = "1%"
    assert work.run("--json").case("mine")["status"] == "UNSTABLE"


def test_lower_limits_are_tried_again(lab):
    source = (ROOT / "labs/gemm/cpu_baseline.cpp").read_text().replace("{", """{
  void* large = mmap(nullptr, 900 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (large == MAP_FAILED) throw std::bad_alloc();
  munmap(large, 900 << 20);""", 1)
    work = lab(measure=SHORT).variant("mine", "#include <sys/mman.h>\n#include <new>\n" + source).sweep("mine", size=16)
    assert work.run("--json").case("mine")["status"] in ("PASSED", "UNSTABLE")
    work.keys["resources"] = {"memory": "512MiB"}
    assert work.run("--json").case("mine")["status"] == "OUT_OF_MEMORY"


def test_times_under_a_tool_are_not_those_without_it(lab):
    work = lab(measure=SHORT).sweep("cpu_baseline", size=100)
    run = lambda *tool: work.run("--sandbox", "none", *tool).expect(0).out
    assert "known from earlier runs" not in run("--wrap", "env")
    assert "known from earlier runs" not in run()
    assert "PASSED" not in (again := run()) or "1 known from earlier runs" in again


def test_a_forbidden_library_of_the_emulated_device_is_found_by_its_need(lab, emulation):
    """The emulated device's own cuBLAS is part of the variant: there is no file to see."""
    case = lab(forbid=["cublas"], measure=SHORT).sweep("gpu_cublas", size=16).run("--gpu", "emulated", "--json").case("gpu_cublas")
    assert (case["status"], case["reason"]) == ("MISTRUSTED", "it needs cublas, which this lab forbids")


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

// Counts what is blocked. The result is right only if everything is.
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
  standing += syscall(SYS_clone3, nullptr, 0) == -1 && errno == ENOSYS;
  standing += denied(syscall(SYS_personality, 0x0040000));
  standing += denied(prctl(PR_SET_DUMPABLE, 0));
  standing += denied(syscall(SYS_memfd_create, "note", 0));
  standing += denied(prctl(PR_SET_SECCOMP, 2, nullptr, 0, 0));
  standing += denied(syscall(SYS_seccomp, 1, 0, nullptr));
  standing += denied(syscall(SYS_move_pages, 0, 1, nullptr, nullptr, nullptr, 0));
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
  if (standing != 18) g.c[0] = 1e6f + standing;
}
"""


@pytest.mark.parametrize("sandbox, status", [("bwrap", "PASSED"), ("none", "WRONG")])
def test_the_worker_is_isolated(lab, sandbox, status):
    """Without a sandbox it sees other processes, but nothing else."""
    case = lab(measure=SHORT).variant("sees", SEES).sweep(size=16).run("--json", "--sandbox", sandbox).case("sees")
    assert case["status"] in (status, "UNSTABLE"), case["reason"]
    if status == "WRONG":
        assert "got 1000017" in case["reason"]


LIBRARIES = "libraries_not_observed"


def shows_maps(before):
    """Returns whether the maps of another user's process can be read. (Since Linux 6.17 this needs fewer rights than SYS_PTRACE.)"""
    with subprocess.Popen(["setpriv", "--reuid=nobody", "--clear-groups", "cat"], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE) as other:
        print("", file=other.stdin, flush=True)
        other.stdout.readline()  # it is the other program by now
        read = subprocess.run([*before, "cat", f"/proc/{other.pid}/maps"], capture_output=True, text=True)
    return read.stdout != ""


@pytest.mark.parametrize("before, notes", [
    ([], []),
    pytest.param(["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all"], [LIBRARIES],
                 marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can give capabilities up, and needs them here")),
], ids=["a machine like any", "root without SYS_PTRACE"])
def test_a_note_tells_what_could_not_be_observed(lab, before, notes):
    if LIBRARIES in notes and shows_maps(before):
        notes = []
    ran = lab(forbid="openblas", measure=SHORT).sweep("cpu_baseline", size=24).run("--json", before=before)
    case = ran.case("cpu_baseline")
    assert case["status"] in ("PASSED", "UNSTABLE"), case["reason"]
    assert [note["code"] for note in case["notes"] if note["code"].endswith("_not_observed")] == notes
