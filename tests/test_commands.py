"""The commands beside `run`: what they print, and that the program needs nothing around it."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

LAB = {
    "title": "A lab to plan",
    "sweeps": [
        {"name": "sizes", "variants": ["cpu_baseline", "gpu_naive"], "axes": {"size": [16, 32]},
         "exclude": [{"variant": "gpu_naive", "size": 32, "reason": "the report stops at 16"}]},
        {"name": "threads", "variants": ["cpu_baseline"], "axes": {"size": 16, "threads": [1, 4096]}},
    ],
    "measure": {"max_time": "2s"},
}
COMMANDS = ["run", "plan", "list", "doctor", "report", "export", "claims", "clean", "selftest", "schema", "debug", "init", "grade", "regrade", "package", "shard", "tune", "runs", "show",
            "compare", "bundle", "reproduce", "help", "completion", "manual"]


def sanitized():
    cache = Path(os.environ["HARNESS_BUILD"]) / "CMakeCache.txt"
    return cache.exists() and re.search(r"^HARNESS_SANITIZE:\w+=.", cache.read_text(), re.M)


@pytest.fixture(scope="module")
def config(lab, tmp_path_factory):
    return lab(tmp_path_factory.mktemp("plan"), **LAB).write()


def test_plan_shows_cases_skips_and_exclusions_with_reasons(harness, config, has_gpu):
    ran = harness("plan", config, "--gpu", "cuda")
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[:2] == ["sizes", "run cpu_baseline size=16"]
    assert "out gpu_naive size=32 (the report stops at 16)" in lines
    cores = json.loads(harness("plan", config, "--json").out)["cases"][-1]["reason"]
    assert re.fullmatch(r"needs 4096 cores, this machine has \d+", cores)
    assert f"skip cpu_baseline size=16 threads=4096 ({cores})" in lines
    if has_gpu:
        pytest.skip("this machine has nvidia-smi: GPU cases may run")
    assert "skip gpu_naive size=16 (no GPU was found on this machine)" in lines
    assert lines[-2] == "5 cases: 3 to run, 2 skipped, 1 excluded by the config; 1 build"
    assert lines[-1] == "time: typically 4.5 s, at most 6 s of sampling; --budget bounds it"


def test_plan_with_the_emulated_device(harness, config, emulation):
    ran = harness("plan", config, "--gpu", "emulated")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "run gpu_naive size=16" in lines
    assert lines[-2] == "5 cases: 4 to run, 1 skipped, 1 excluded by the config; 2 builds"
    assert lines[-1] == "time: typically 4.5 s, at most 6 s of sampling; --budget bounds it"
    cases = json.loads(harness("plan", config, "--gpu", "emulated", "--json").out)["cases"]
    assert [case["device"] for case in cases] == ["cpu", "emulated", "cpu", "cpu", "cpu"]


@pytest.mark.parametrize("words, error", [
    (["--gpu", "cudo"], '--gpu "cudo" is no device (did you mean "cuda"?); there are auto, cuda, emulated, hip'),
    (["--schedule", "randon"],
     '--schedule "randon" is unknown (did you mean "random"?); there are mixed, in_order, random, random:SEED'),
    (["--lanes", "48"], '--lanes "48": a warp has 32 lanes (NVIDIA) or 64 (AMD)'),
    (["--diagnostics", "maybe"], '--diagnostics "maybe" is neither on nor off')])
def test_wrong_words_for_the_device(harness, config, words, error):
    ran = harness("plan", config, *words)
    assert (ran.code, ran.out) == (2, "")
    assert error in ran.err


def test_plan_as_json(harness, config):
    planned = json.loads(harness("plan", config, "--json").out)
    assert planned["lab"] == "small"
    assert [case["id"] for case in planned["cases"]] == [
        "small/sizes/cpu_baseline size=16", "small/sizes/gpu_naive size=16", "small/sizes/cpu_baseline size=32",
        "small/threads/cpu_baseline size=16 threads=1", "small/threads/cpu_baseline size=16 threads=4096"]
    first, last = planned["cases"][0], planned["cases"][-1]
    assert (first["label"], first["axes"]) == ("m=16 n=16 k=16", {"size": 16})
    assert (first["runs"], first["reason"]) == (True, "")
    assert last["runs"] is False and last["reason"].startswith("needs 4096 cores")
    assert planned["excluded"] == [{"sweep": "sizes", "variant": "gpu_naive", "axes": {"size": 32},
                                    "reason": "the report stops at 16"}]


def test_plan_leaves_nothing_behind(harness, config):
    before = sorted(config.parent.rglob("*"))
    harness("plan", config, cwd=config.parent)
    assert sorted(config.parent.rglob("*")) == before


def test_list_is_read_from_the_files(harness):
    ran = harness("list")
    assert (ran.code, ran.err) == (0, "")
    for file in sorted((ROOT / "configs").glob("*.yaml")):
        title = re.search(r"^title: *(.*)$", file.read_text(), re.M).group(1).strip("\"'")
        assert re.search(rf"^  configs/{file.name} +{re.escape(title)}$", ran.out, re.M)
    for kernel in (path for path in (ROOT / "labs").iterdir() if (ROOT / f"labs/lab/{path.name}.h").exists()):
        assert re.search(rf"^{kernel.name}  ", ran.out, re.M)
        for file in (*kernel.glob("*.cpp"), *kernel.glob("*.cu")):
            summary = file.read_text().splitlines()[0].removeprefix("// ")
            assert re.search(rf"^  {file.stem} +(f32|f64|bf16)[ bf0-9]* {re.escape(summary)}$", ran.out, re.M), file
    assert re.search(r"^  bwrap +\S", ran.out, re.M) and re.search(r"^  none +\S", ran.out, re.M)


def test_list_needs_names_what_sources_declare(harness):
    ran = harness("list", "--needs")
    assert ran.code == 0
    names = {line.split()[0] for line in ran.out.splitlines()}
    declared = set()
    for file in (ROOT / "labs").rglob("*.c*"):
        for words in re.findall(r"^LAB_NEEDS\((.*)\)", file.read_text(), re.M):
            declared |= {word.strip() for word in words.split(",")}
    assert declared and declared <= names


def test_doctor_says_what_is_there_and_how_to_get_the_rest(harness, has_gpu):
    ran = harness("doctor")
    assert (ran.code, ran.err) == (0, "")
    states = dict(reversed(match) for match in re.findall(r"^(ok|limited|missing) +(\S+)", ran.out, re.M))
    assert set(states) >= {"CPU", "compiler", "OpenBLAS", "GPU", "CUDA", "HIP", "sandbox", "containers", "ccache",
                           "Python", "PDF", "fonts"}
    assert states["compiler"] == "ok"  # it has built this very program
    assert has_gpu or states["GPU"] == "missing"
    blocks = re.split(r"^(?=ok|limited|missing)", ran.out, flags=re.M)[1:]
    for block in blocks:
        wanting = not block.startswith("ok")
        assert ("cost:" in block and "fix:" in block) == wanting, block
    assert re.search(r"^\d+ ok, \d+ limited, \d+ missing$", ran.out.strip().splitlines()[-1])


def test_selftest_rejects_all(harness):
    ran = harness("selftest")
    assert (ran.code, ran.err) == (0, "")
    heads = re.findall(r"^(\w+) (f32|f64|bf16): accepts the reference: yes; rejects (\d+) of (\d+)$", ran.out, re.M)
    assert {("gemm", dtype) for dtype in ("f32", "f64", "bf16")} <= {head[:2] for head in heads}
    assert all(rejected == total and int(total) >= 9 for _, _, rejected, total in heads)
    assert "ACCEPTED" not in ran.out
    assert ran.out.count("\n  rejected ") == sum(int(total) for *_, total in heads)


def check(*words):
    return subprocess.run([sys.executable, "-m", "check_jsonschema", *map(str, words)], capture_output=True,
                          text=True)


def test_schema_is_the_one_beside_the_configs_and_fits_them(harness, config, tmp_path):
    ran = harness("schema")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (ROOT / "configs/config.schema.json").read_text()
    assert check("--check-metaschema", ROOT / "configs/config.schema.json").returncode == 0
    files = sorted((ROOT / "configs").glob("*.yaml"))
    assert files
    for file in files:
        assert file.read_text().startswith("# yaml-language-server: $schema=config.schema.json\n"), file
    said = check("--schemafile", ROOT / "configs/config.schema.json", *files, config)
    assert said.returncode == 0, said.stdout
    broken = tmp_path / "broken.yaml"
    broken.write_text(config.read_text().replace('"sweeps"', '"sweep"'))
    assert check("--schemafile", ROOT / "configs/config.schema.json", broken).returncode == 1


def test_help_of_everything(harness):
    main = harness("--help")
    assert (main.code, main.err) == (0, "")
    assert re.findall(r"^  ([a-z]+) {3,}", main.out, re.M) == COMMANDS
    for command in COMMANDS:
        ran = harness(command, "--help")
        assert (ran.code, ran.err) == (0, ""), command
        summary = re.search(rf"^  {command} +(.*)$", main.out, re.M).group(1)
        assert ran.out.startswith(summary.split(";")[0].split("  ")[0]), command
        assert f"Usage: harness {command}" in ran.out and "-h,--help" in ran.out
    bare = harness()
    assert (bare.code, bare.out) == (2, main.out)


def test_every_option_of_run_is_explained(harness):
    text = harness("run", "--help").out
    for option in ("--variant", "--sweep", "--set", "--submission", "--budget", "--fresh", "--jobs", "--json",
                   "--quiet", "--sandbox", "--results", "--no-report"):
        explained = re.search(rf"^  {option}[^\n]*?(?: {{2,}}|\n {{10,}})(\S[^\n]+)", text, re.M)
        assert explained and len(explained.group(1)) > 10, option


def test_version_has_the_commit(harness):
    ran = harness("--version")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(r"harness \d+\.\d+\.\d+ \(([0-9a-f]{12}|unknown)(, with uncommitted changes)?\)\n", ran.out)


@pytest.mark.skipif(sanitized(), reason="the sanitizers' runtime is a shared library")
def test_the_program_runs_where_there_is_nothing_else(harness):
    """The program runs with no libraries, no /usr and no project: a cluster node only has to bring a Linux kernel."""
    empty = ["bwrap", "--unshare-user-try", "--ro-bind", harness.path, "/harness", "--proc", "/proc", "--dev", "/dev"]
    for words in (["--version"], ["--help"], ["schema"]):
        alone = subprocess.run([*empty, "/harness", *words], capture_output=True, text=True)
        assert (alone.returncode, alone.stderr) == (0, ""), words
        assert alone.stdout == harness(*words).out
    lost = subprocess.run([*empty, "/harness", "run", "lab.yaml"], capture_output=True, text=True)
    assert (lost.returncode, lost.stderr) == (2, "harness: no project found around this program; set $HARNESS_ROOT to a clone "
                                                 "of the project\n")


def test_export_prints_one_table_of_a_report(harness, tmp_path):
    run = str(ROOT / "docs/examples/lab5-h200")
    names = harness("export", run, "--list")
    assert (names.code, names.err) == (0, "")
    assert "edge-of-the-cache-block  " in names.out
    ran = harness("export", run, "--table", "edge-of-the-cache-block")
    assert ran.out.splitlines()[0] == "variant,size,BLOCK,metric,median,low,high,n,unit,status"
    assert len(ran.out.splitlines()) == 1 + 2 * 8
    file = tmp_path / "table.tex"
    ran = harness("export", run, "--table", "Edge of the cache block", "--format", "latex", "-o", str(file))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert file.read_text().startswith("\\begin{table}\n")
    assert harness("export", run).err == "harness: which table? name one with --table NAME; --list prints the names\n"
    wrong = harness("export", run, "--table", "edge-of-cache-block")
    assert wrong.code == 2
    assert wrong.err.startswith('harness: unknown table "edge-of-cache-block" (did you mean "edge-of-the-cache-block"?); known tables: ')


def test_clean_of_what_was_built_long_ago(harness, tmp_path):
    for entry in ROOT.iterdir():  # a checkout of its own: others build in this one
        if entry.name != "build":
            (tmp_path / entry.name).symlink_to(entry)
    variants = tmp_path / "build/cache/variants"
    for name, days in (("old", 10), ("new", 1)):
        (variants / name).mkdir(parents=True)
        (variants / name / "variant.so").write_text("12345")
        os.utime(variants / name, (time.time() - days * 24 * 3600,) * 2)
    assert harness("clean", "--older", "7", root=tmp_path).out == "removed 5 B\n"
    assert os.listdir(variants) == ["new"]
    assert harness("clean", "--older", "week", root=tmp_path).err == 'harness: --older "week" is not a number of days\n'
    for more in ("--results", "--cache"):
        assert harness("clean", "--older", "7", more, root=tmp_path).err == (
            "harness: --older removes only built variants; leave out --cache and --results\n")


def test_help_prints_the_pages(harness):
    main, listed = harness("help").out.split("Pages:\n")
    assert main == harness("--help").out
    listed = listed.splitlines()
    assert [line.split()[0] for line in listed[:-1]] == sorted(page.stem for page in (ROOT / "docs").glob("*.md"))
    assert "  grading        Grading a class" in listed
    assert harness("help", "grading").out == (ROOT / "docs/grading.md").read_text()
    wrong = harness("help", "gradin")
    assert (wrong.code, wrong.err) == (2, 'harness: no topic "gradin" (did you mean "grading"?); harness help lists them\n')
    for command in re.findall(r"^  (\w+)  ", main.split("Subcommands:\n")[1], re.M):
        about, page = harness("help", command), ROOT / f"docs/{command}.md"
        assert about.out == harness(command, "--help").out + (page.read_text() if page.exists() else ""), command
        assert (about.code, about.err) == (0, "")
