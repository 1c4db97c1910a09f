"""Each mistake of a user gives one clear message and the right exit code, and loses nothing."""

import fcntl
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import CORPUS, QUICK, ROOT

GOOD = """lab: small
kernel: gemm
baseline: cpu_baseline
sweeps:
  - name: sizes
    variants: [cpu_baseline, cpu_avx]
    axes: {size: [16, 24]}
measure: {precision: 20%, max_time: 100ms, min_samples: 6, max_samples: 6}
"""
# What is changed in GOOD, and the message behind the file's name.
CONFIGS = {
    "not YAML": ("kernel: gemm", "kernel: [gemm", r":3:9: not YAML: .*"),
    "a tab": ("  - name: sizes", "\t- name: sizes", r":5:2: not YAML: .*"),
    "unknown key": ("measure:", "mesure:", r':8:1: unknown key "mesure" \(did you mean "measure"\?\)'),
    "unknown key inside": ("precision:", "precison:",
                           r':8:11: unknown key "precison" \(did you mean "precision"\?\)'),
    "duplicate key": ("kernel: gemm", "kernel: gemm\nkernel: gemm", r':3:1: duplicate key "kernel"'),
    "missing key": ("lab: small\n", "", r':1:1: this config needs a key "lab"'),
    "wrong type": ("variants: [cpu_baseline, cpu_avx]", "variants: cpu_avx",
                   r':6:15: "variants" must be a list, not "cpu_avx"'),
    "no time": ("max_time: 100ms", "max_time: soon",
                r':8:37: "max_time" must be a time such as 15s, 2m or 500ms, from 1ms to 168h, not "soon"'),
    "hardly a time": ("max_time: 100ms", "max_time: 1e-9s",
                      r':8:37: "max_time" must be a time such as 15s, 2m or 500ms, from 1ms to 168h, not "1e-9s"'),
    "misspelt required key": ("sweeps:", "sweps:", r':4:1: unknown key "sweps" \(did you mean "sweeps"\?\)'),
    "long title": ("lab: small", "title: " + 300 * "x" + "\nlab: small",
                   r":1:8: this text of 300 bytes is too long; the limit is 200"),
    "code as a macro": ("cpu_avx]\n    axes: {", 'cpu_unrolled]\n    axes: {UNROLL: ["1;system(2)"], ',
                        r':7:12: macro "UNROLL" must be a number or a name, not "1;system\(2\)"'),
    "table is a device": ("measure:", "published: [/dev/zero]\nmeasure:",
                          r":8:13: /dev/zero: cannot read: it is a device or a pipe, not a file"),
    "negative size": ("[16, 24]", "[16, -24]",
                      r':5:5: sweep "sizes", size=-24: size must be at least 1, not -24'),
    "size of letters": ("[16, 24]", "[16, big]",
                        r':5:5: sweep "sizes", size=big: size must be an integer, not "big"'),
    "backward range": ("[16, 24]", '"64:16:*2"',
                       r':7:18: range "64:16:\*2" runs backwards; put the smaller end first'),
    "unknown axis": ("{size:", "{sise:", r':7:12: unknown axis "sise" \(did you mean "size"\?\)'),
    "unknown macro": ("[16, 24]}", "[16, 24], BLOK: 8}", r':7:28: no variant of the sweep has a macro "BLOK".*'),
    "unknown variant": ("cpu_avx]", "cpu_axv]", r':6:30: unknown variant "cpu_axv" \(did you mean "cpu_avx"\?\)'),
    "unknown baseline": ("baseline: cpu_baseline", "baseline: cpu_base",
                         r':3:11: unknown variant "cpu_base".*'),
    "unknown kernel": ("kernel: gemm", "kernel: gem", r':2:9: unknown kernel "gem" \(did you mean "gemm"\?\).*'),
    "unknown sandbox": ("kernel: gemm", "kernel: gemm\nsandbox: bwarp",
                        r':3:10: unknown sandbox "bwarp" \(did you mean "bwrap"\?\).*'),
    "nothing left": ("[16, 24]}", "[16, 24]}\n    exclude: [{size: [16, 24], reason: none}]",
                     r':5:5: sweep "sizes" selects nothing: all of its cases are excluded'),
    "missing table": ("measure:", "published: [none.csv]\nmeasure:",
                      r":8:13: .*none\.csv: cannot read: No such file or directory"),
}
# A claim in GOOD, whose sentence begins at 8:19, and the message behind the file's name.
CLAIMS = {
    "cpu_axv faster than cpu_baseline": r':8:19: sweep "sizes" has no variant "cpu_axv" \(did you mean "cpu_avx"\?\)',
    "cpu_avx faster than cpu_baseline where sise > 16": r':8:58: sweep "sizes" has no axis "sise" \(did you mean "size"\?\)',
    "cpu_avx faster than cpu_baseline where size = 17": r':8:65: sweep "sizes" has no case with size=17; it has 16, 24',
    "gflop of cpu_avx above 3": r':8:19: unknown metric "gflop" \(did you mean "gflops"\?\)',
    "time of cpu_baseline over cpu_avx between 5 and 4": r":8:53: the range between 5 and 4 is reversed; put the smaller number first",
    "time of cpu_baseline over cpu_avx between 4 and 4": r":8:53: the range between 4 and 4 is empty",
    "cpu_avx faster than cpu_baseline where size > 24": r":8:19: this claim compares nothing: no case of cpu_avx is selected",
    "time of cpu_avx rises along size where size = 16": r":8:19: this claim compares nothing: fewer than two values of size are selected",
    "time of cpu_avx lowest at size = 20": r":8:19: this claim compares nothing: values of size inside and outside of the range are needed",
    "time of cpu_baseline size=24 over cpu_avx size=16 above 1":
        r":8:19: this claim compares the times of different problems, f32 m=24 n=24 k=24 and f32 m=16 n=16 k=16; compare rates, or "
        r"write how the time changes along an axis",
}
# Words behind `run CONFIG`, exit code, message.
WORDS = {
    "--budgt 3s": (2, r'unknown option "--budgt" \(did you mean "--budget"\?\); see harness --help'),
    "--budget soon": (2, r'--budget "soon" is not a time; write for example 60s or 5m'),
    "--budget -3s": (2, r'--budget "-3s" is not a time; write for example 60s or 5m'),
    "--set size": (2, r'--set "size" is not axis=value; write for example --set size=512'),
    "--set size=16 --set size=24": (2, "--set size is given twice, 16 and 24; give one value"),
    "--set sise=16": (2, r'--set sise=16: unknown axis "sise" \(did you mean "size"\?\)'),
    "--set size=0": (2, r'--set size=0: sweep "sizes", size=0: size must be at least 1, not 0'),
    "--set threads=x": (2, r'--set threads=x: "threads" must be a whole number from 1 to 4096, not "x"'),
    "--sweep size": (2, r'--sweep: unknown sweep "size" \(did you mean "sizes"\?\)'),
    "--sandbox bwarp": (2, r'unknown sandbox "bwarp" \(did you mean "bwrap"\?\); there are apptainer, bwrap, docker, none, podman'),
    "--fail-on clams": (2, r'--fail-on "clams" is unknown \(did you mean "claims"\?\); there are claims; see harness --help'),
    "--sanitize all": (2, r'--sanitize "all" is unknown; there are thread, address, undefined; see harness --help'),
    "--points --json": (2, r"--points prints a table for people; leave out --json"),
    "--submission /no/such": (2, r"/no/such: no such file or folder"),
    "--variant gpu_*": (4, r'nothing selected: --variant "gpu_\*" matches none of cpu_avx, cpu_baseline'),
}


# What is in a table of published times, and the message behind the file's name.
TABLES = {
    "semicolons": (b"variant;size;kernel_ms\n", ":1: separate the fields with commas"),
    "UTF-16": ("variant,size,kernel_ms\n".encode("utf-16"), ":1: not UTF-8 text; save the file as UTF-8"),
    "unclosed quote": (b'variant,size,kernel_ms\n"cpu_avx,16,1\n', ":2: a quote that is not closed, or is inside a field; write a quote in a quoted field twice"),
    "negative time": (b"variant,size,kernel_ms\ncpu_avx,16,-1\n",
                      ':2: "-1" in column "kernel_ms" must not be negative'),
    "row twice": (b"variant,size,kernel_ms\ncpu_avx,16,1\ncpu_avx,16,2\n",
                  ":3: a second row for cpu_avx size=16 (the first is on line 2); keep one"),
    "column twice": (b"variant,size,kernel_ms,kernel_ms\n", ':1: two columns "kernel_ms"; keep one'),
}


def the_message(ran):
    """Returns the only line of the message."""
    assert ran.out == ""
    assert re.fullmatch(r"harness: [^\n]+\n", ran.err), ran.err
    assert not re.search(r"Traceback|terminate called|what\(\)|exception", ran.err)
    return ran.err.removeprefix("harness: ").removesuffix("\n")


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "lab.yaml"
    file.write_text(GOOD)
    return file


@pytest.mark.parametrize("name", CONFIGS)
def test_a_mistake_in_the_config_is_told_with_its_position(harness, config, name):
    old, new, message = CONFIGS[name]
    assert old in GOOD
    config.write_text(GOOD.replace(old, new, 1))
    ran = harness("run", config, "--results", config.parent / "results")
    assert ran.code == 2
    assert re.fullmatch(re.escape(str(config)) + message, the_message(ran)), ran.err
    assert not (config.parent / "results").exists()
    assert harness("plan", config).err == ran.err or "sandbox" in name or "table" in name


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_mistake_in_a_claim_is_told_with_its_position(harness, config, sentence):
    config.write_text(GOOD.replace("measure:", f"claims: [{{claim:  {sentence}, sweep: sizes, source: a report}}]\nmeasure:"))
    ran = harness("plan", config)
    assert ran.code == 2
    assert re.fullmatch(re.escape(str(config)) + CLAIMS[sentence], the_message(ran)), ran.err


@pytest.mark.parametrize("words", WORDS)
def test_a_mistake_in_the_words_is_told(harness, config, words):
    code, message = WORDS[words]
    ran = harness("run", config, *words.split(), "--results", config.parent / "results")
    assert ran.code == code
    assert re.fullmatch(message, the_message(ran)), ran.err
    assert not (config.parent / "results").exists()


@pytest.mark.parametrize("name", TABLES)
def test_a_mistake_in_a_table_is_told_with_its_line(harness, config, name):
    content, message = TABLES[name]
    config.write_text(GOOD + "published: [times.csv]\n")
    (config.parent / "times.csv").write_bytes(content)
    ran = harness("plan", config)
    assert (ran.code, the_message(ran)) == (2, "times.csv" + message)


def test_paths_are_relative_to_the_config_and_a_table_may_have_a_byte_order_mark(harness, config):
    config.write_text(GOOD + "published: [times.csv]\n")
    (config.parent / "times.csv").write_bytes(b"\xef\xbb\xbfvariant, size, kernel_ms\ncpu_avx, 16, 1\n")
    assert harness("plan", config, cwd="/").code == 0


def test_a_pipe_is_no_file(harness, config):
    os.mkfifo(config.parent / "times.csv")
    config.write_text(GOOD + "published: [times.csv]\n")
    assert the_message(harness("plan", config)).endswith(
        "times.csv: cannot read: it is a device or a pipe, not a file")


def test_an_empty_value_is_refused(harness, config):
    for option in ("--results", "--submission", "--variant", "--budget"):
        ran = harness("run", config, option, "")
        assert (ran.code, the_message(ran)) == (2, f'{option} "": give it a value; see harness --help')


def test_a_title_cannot_control_the_terminal(harness, config):
    config.write_text(GOOD + 'title: "\\e[31mred\\u009b31m"\n')
    ran = harness("run", config, "--set", "size=16", "--no-report", "--results", config.parent / "results")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "small: ?[31mred?31m")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["list"], ["schema"], ["run", "--help"], []])
def test_a_full_standard_output_is_an_error(harness, words):
    with open("/dev/full", "w") as full:
        ran = subprocess.run([harness.path, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (3 if words else 2,
                                            "harness: standard output: No space left on device\n")


def test_an_export_writes_through_links_and_into_devices(harness, tmp_path):
    run = ROOT / "docs/examples/lab10-h200"
    export = lambda to: harness("export", run, "--list", "-o", to)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert export(tmp_path / "link").code == 0
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text()
    (tmp_path / "full").symlink_to("/dev/full")
    for full in ("/dev/full", tmp_path / "full"):
        ran = export(full)
        assert (ran.code, the_message(ran)) == (3, "/dev/full: cannot be written: No space left on device")
    assert not os.path.isfile("/dev/full")


def test_an_interrupt_ends_the_rendering(harness):
    process = harness.start("report", ROOT / "docs/examples/lab10-h200")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (child := children.read_text().split()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    ran = harness.finish(process)
    assert (ran.code, ran.err) == (130, 'harness: interrupted; the same command starts again\n')
    assert not Path(f"/proc/{child[0]}").exists()


def test_a_killed_harness_takes_the_rendering_with_it(harness):
    process = harness.start("report", ROOT / "docs/examples/lab10-h200")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (child := children.read_text().split()):
        time.sleep(0.01)
    time.sleep(0.2)
    process.kill()
    harness.finish(process)
    end = time.monotonic() + 5
    while (there := Path(f"/proc/{child[0]}/stat").exists()) and time.monotonic() < end:
        time.sleep(0.05)
    assert not there


def test_two_runs_do_not_take_times_at_once(harness, lab):
    work = lab()
    with open("/tmp/harness-timing.lock", "a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = work.start("--json")
        for line in process.stdout:
            if "another run" in line:
                break
        assert json.loads(line) == {"event": "warning", "text": "another run takes times on this machine: waiting"}
    out, err = process.communicate(timeout=240)
    assert (process.returncode, err) == (0, "")
    assert '"status":"PASSED"' in out


def test_unknown_commands_and_words(harness):
    for words, message in {
        ("rum",): 'unknown command "rum" (did you mean "run"?); see harness --help',
        ("list", "--need"): 'unknown option "--need" (did you mean "--needs"?); see harness --help',
        ("plan",): "config is required; see harness --help",
    }.items():
        ran = harness(*words)
        assert (ran.code, the_message(ran)) == (2, message)
    for words in (["-x"], ["doctor", "now"], ["run", "lab.yaml", "--jobs", "0"],
                  ["run", "lab.yaml", "--jobs", "many"], ["run", "lab.yaml", "--results"]):
        ran = harness(*words)
        assert ran.code == 2
        message = the_message(ran)
        assert words[-1] in message and not message[0].isupper(), message


def test_no_such_file(harness, config):
    ran = harness("run", config.parent / "lap.yaml")
    assert (ran.code, the_message(ran)) == (
        2, f'{config.parent}/lap.yaml: no such file (did you mean "{config}"?)')
    ran = harness("run", config.parent)
    assert (ran.code, the_message(ran)) == (2, f"{config.parent}: is a folder; name one file: {config}")
    ran = harness("report", "20200101", "--results", config.parent / "results")
    assert ran.code == 2
    assert the_message(ran) == (f"{config.parent}/results: no store here; run a lab first, or name another folder "
                                "with --results")
    assert not (config.parent / "results").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_config_that_may_not_be_read(harness, config):
    config.chmod(0)
    ran = harness("run", config)
    assert (ran.code, the_message(ran)) == (
        2, f"{config}: cannot read: Permission denied; check who owns it, or choose another folder")


def test_bytes_that_are_no_text(harness, config):
    config.write_bytes(GOOD.encode() + b"title: \xff\xfe\n")
    ran = harness("run", config)
    assert (ran.code, the_message(ran)) == (2, f"{config}:9: not UTF-8 text; save the file as UTF-8")
    config.write_bytes(b"\0" * 100)
    ran = harness("run", config)
    assert ran.code == 2
    assert the_message(ran).startswith(f"{config}:")


@pytest.mark.parametrize("variants", ["[cpu_baseline, cpu_avx]", "[cpu_baseline, gpu_naive]"])
def test_matrices_that_do_not_fit_are_told_with_what_is_needed(harness, config, variants):
    config.write_text(GOOD.replace("[cpu_baseline, cpu_avx]", variants).replace("[16, 24]", "1000000"))
    ran = harness("run", config, "--gpu", "cuda", "--results", config.parent / "results")
    assert ran.code == 2
    assert re.fullmatch(r"size=1000000 needs 21\.8 TiB of memory \(10\.9 TiB of matrices\), this machine has "
                        r"[\d.]+ [KMGT]iB available; choose smaller sizes with --set", the_message(ran))


def test_a_size_that_does_not_fit_beside_others_is_skipped(harness, config):
    config.write_text(GOOD.replace("[16, 24]", "[16, 1000000]"))
    cases = json.loads(harness("plan", config, "--json").out)["cases"]
    reasons = {case["axes"]["size"]: case["reason"] for case in cases if case["variant"] == "cpu_baseline"}
    assert reasons[16] == "" and reasons[1000000].startswith("size=1000000 needs 21.8 TiB of memory ")


ENTRY = "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { g.c[0] = %s; }\n"


# Each is a COMPILE_ERROR with this reason, which shows the student's own file and line.
SOURCES = {
    "slip": ('// A slip.\n#include "lab/gemm.h"\n\n' + ENTRY % "g.sum", r"slip\.cpp:4:\d+: error: .*has no member named .sum."),
    "no_such_header": ('#include <no/such/header.h>\n#include "lab/gemm.h"\n' + ENTRY % "1",
                       r"no_such_header\.cpp:1:10: fatal error: no/such/header\.h: No such file or directory"),
    "no_body": ('#include "lab/gemm.h"\nfloat sum(const float* x);\n' + ENTRY % "sum(g.a)",
                r".*undefined reference to .sum\(float const\*\).; a variant is one file: if the definition is in another one, #include that"),
    "mute": ('// No entry point.\n#include "lab/gemm.h"\nvoid gemm() {}\n', r"it defines no entry point for f32.*"),
    "twice": ('#include "lab/gemm.h"\n' + ENTRY % "1" + ENTRY % "2", r"twice\.cpp:3:\d+: error: redefinition of .*"),
    "both": ('#include "lab/gemm.h"\n' + ENTRY % "1" + "LAB_GEMM_GPU(float)(const lab::Gemm<float>&, lab::Stream) {}\n",
             r"it defines two entry points for f32, one for the CPU and one for the GPU; a variant is one file with one"),
    "needy": ('#include "lab/gemm.h"\nLAB_NEEDS(avx3);\n' + ENTRY % "1", r'.*unknown need "avx3".*'),
}


@pytest.fixture(scope="module")
def compiled(lab):
    work = lab()
    for name, (source, _) in SOURCES.items():
        work.variant(name, source)
    ran = work.sweep("cpu_baseline", *SOURCES, size=16).run("--json").expect(1)
    assert ran.err == ""
    return ran


def test_sources_with_errors_cost_only_their_cases(compiled):
    compiled.expect(1, cpu_baseline="PASSED")
    assert compiled.case("cpu_baseline")["reason"] == "" and len(compiled.cases) == 1 + len(SOURCES)


@pytest.mark.parametrize("name", SOURCES)
def test_an_error_in_a_source_names_the_line(compiled, name):
    case = compiled.expect(1, **{name: "COMPILE_ERROR"}).case(name)
    assert re.fullmatch(SOURCES[name][1], case["reason"]), case["reason"]


def test_the_compiler_is_limited_too(lab):
    """One source never finishes compiling, the other includes a system file."""
    work = lab(resources={"build_time": "4s"})
    work.variant("slow", '#include "lab/gemm.h"\ntemplate <int D, int I> struct Tree { static constexpr int value = '
                         "Tree<D - 1, 2 * I>::value + Tree<D - 1, 2 * I + 1>::value; };\n"
                         "template <int I> struct Tree<0, I> { static constexpr int value = I & 1; };\n"
                         + ENTRY % "Tree<24, 0>::value")
    work.variant("includes", '#include "/etc/shadow"\n#include "lab/gemm.h"\n' + ENTRY % "1")
    ran = work.sweep("cpu_baseline", "slow", "includes", size=16).run("--json")
    ran.expect(1, cpu_baseline="PASSED", slow="COMPILE_ERROR", includes="COMPILE_ERROR")
    assert ran.err == ""
    assert ran.case("cpu_baseline")["reason"] == ""
    assert ran.case("slow")["reason"] == "the compiler was stopped after 4 s"
    assert re.fullmatch(r"includes\.cpp:1:10: fatal error: /etc/shadow: (No such file or directory|Permission denied)",
                        ran.case("includes")["reason"])


def test_a_submission_with_links_and_devices(harness, config):
    folder = config.parent / "submission"
    (folder / "sub").mkdir(parents=True)
    other = config.parent / "other.cpp"
    other.write_text('#include "lab/gemm.h"\n')
    (folder / "sub/real.h").write_text("")
    (folder / "inside.h").symlink_to("sub/real.h")  # a link inside is fine
    (folder / "stolen.cpp").symlink_to(other)
    ran = harness("run", config, "--submission", folder)
    assert (ran.code, the_message(ran)) == (
        2, f'{folder}/stolen.cpp: a link to "{other}" outside of the submission; copy the file')
    (folder / "stolen.cpp").unlink()
    os.mkfifo(folder / "sub/pipe.h")
    ran = harness("run", config, "--submission", folder)
    assert (ran.code, the_message(ran)) == (2, f"{folder}/sub/pipe.h: a device, pipe or socket; remove it")
    (folder / "sub/pipe.h").unlink()
    (folder / "zero.h").symlink_to("/dev/zero")
    ran = harness("run", config, "--submission", folder)
    assert (ran.code, the_message(ran)) == (
        2, f'{folder}/zero.h: a link to "/dev/zero" outside of the submission; copy the file')


def test_a_submission_that_fits_nowhere(harness, config):
    folder = config.parent / "submission"
    folder.mkdir()
    ran = harness("run", config, "--submission", folder)
    assert (ran.code, the_message(ran)) == (
        2, f"{folder}: no variant in this folder; its file name ends in one of .hip.cpp, .cpp, .cc, .cxx, .c, .cu, but not in _test")
    (folder / "notes.txt").write_text("none")
    ran = harness("run", config, "--submission", folder / "notes.txt")
    assert (ran.code, the_message(ran)) == (
        2, f"{folder}/notes.txt: not a variant; its file name ends in one of .hip.cpp, .cpp, .cc, .cxx, .c, .cu, but not in _test")
    (folder / "mine.cpp").write_text('#include "lab/gemm.h"\nLAB_GEMM_CPU(real)(const lab::Gemm<float>&) {}\n')
    ran = harness("run", config, "--submission", folder)
    assert (ran.code, the_message(ran)) == (
        2, f"{folder}/mine.cpp:2: LAB_GEMM_CPU(real): write float, double or bf16 there; the harness reads the source as "
           "text")


@pytest.mark.parametrize("name, better", [("mine.CPP", "mine.cpp"), ("mine.C", "mine.cpp"), ("mine.c++", "mine.cpp"),
                                          ("mine.CU", "mine.cu"), ("mine.Cxx", "mine.cxx")])
def test_an_unusual_ending_is_told_with_the_better_one(harness, config, name, better):
    file = config.parent / name
    file.write_text(ENTRY % "1")
    ran = harness("plan", config, "--submission", file)
    assert (ran.code, the_message(ran)) == (2, f"{file}: rename it to {better}")


@pytest.mark.parametrize("ending", ["cc", "cxx"])
def test_other_endings_of_cpp_are_accepted(lab, ending):
    lab().variant(f"mine.{ending}", (CORPUS / "correct/plain.cpp").read_text()).sweep("cpu_baseline", "mine", size=16).run(
        ).expect(mine="PASSED")


def test_results_below_a_file(harness, config):
    (config.parent / "file").write_text("not a folder")
    ran = harness("run", config, "--results", config.parent / "file/results")
    assert ran.code == 3
    assert re.fullmatch(re.escape(f"{config.parent}/file/results")
                        + r"\S*: cannot create the folder: Not a directory; a part of this path is a file: choose another folder", the_message(ran))
    assert (config.parent / "file").read_text() == "not a folder"


def test_a_store_that_is_none(harness, config):
    results = config.parent / "results"
    results.mkdir()
    (results / "harness.sqlite").write_text("These are my notes, and no database at all.\n" * 100)
    ran = harness("run", config, "--results", results)
    assert ran.code == 3
    assert re.fullmatch(re.escape(f"{results}/harness.sqlite") + r": .*; move .*", the_message(ran))
    assert (results / "harness.sqlite").read_text().startswith("These are my notes")


def test_a_full_disk_loses_no_finished_case(lab, results, tmp_path, disk):
    work = lab(tmp_path, measure={**QUICK, "min_batch": "25ms"}).sweep("cpu_baseline", name="sizes", size="16:96:+5")
    work.results = results(disk.folder)
    process = work.start("--json", before=disk.inside)
    done = 0
    for line in process.stdout:
        done += '"event":"case"' in line
        if done == 2:
            break
    disk.fill()
    ran = work.finish(process).expect(3)
    store = re.escape(f"{disk.folder}/harness.sqlite")
    assert re.fullmatch(rf"harness: {store}: .*; free some space and run again: finished cases are kept\n", ran.err)

    disk.free()
    before = results(disk.copy(tmp_path / "before"))
    (torn, _), = before.states().items()
    finished = before.samples(torn)
    assert 2 <= len(finished) < 17
    again = work.run("--json", before=disk.inside)
    assert {case["reason"] for case in again.cases.values()} == {""}
    after = results(disk.copy(tmp_path / "after"))
    samples = after.samples(again.expect().end["run"])
    assert len(samples) == 17 and again.end["reused"] == len(finished)
    assert {name: samples[name] for name in finished} == finished
    assert after.states() == {torn: "interrupted", again.end["run"]: "complete"}
    assert after.query("PRAGMA integrity_check") == [("ok",)]


def test_a_disk_that_is_full_from_the_start(harness, config, disk):
    disk.fill()
    ran = harness("run", config, "--results", disk.folder / "results", before=disk.inside)
    assert ran.code == 3
    assert the_message(ran).endswith("; free some space and run again: finished cases are kept")
