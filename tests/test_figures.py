"""The figures, lists and outputs that the pages show are those of the tree and of the program."""

import re
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT))
from reports import performance  # noqa: E402

README = (ROOT / "README.md").read_text()


def sources(pattern):
    return [file for file in ROOT.glob(pattern) if file.suffix in (".cpp", ".cu", ".c")]


def rows_of(text, head):
    """Returns the words in code font in the first column of the table with this head."""
    table = text.split(f"\n{head}\n", 1)[1].split("\n\n", 1)[0]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in table.splitlines()[1:]]


def blocks_of(text, begin):
    """Returns the code blocks that begin with this line."""
    return [block for block in re.split(r"^```.*\n", text, flags=re.M)[1::2] if block.startswith(begin)]


def test_readme_counts_the_corpus():
    correct, wrong, evil = re.search(r"(\d+) correct, (\d+) wrong and (\d+) evil variants", README).groups()
    planted = len(sources("emulator/planted/*"))
    assert int(correct) == len(sources("tests/corpus/correct/*")) + len(sources("labs/*/*pu_*"))
    assert int(wrong) == len(sources("tests/corpus/wrong/*")) + planted
    assert int(evil) == len(sources("tests/corpus/evil/*"))
    assert f"\n{planted} planted bugs" in README


def test_readme_counts_the_wrong_kernels(harness):
    f32, f64 = re.search(r"rejects (\d+) wrong kernels in f32 and (\d+) in f64", README).groups()
    out = harness("selftest").out
    assert f"gemm f32: accepts the reference: yes; rejects {f32} of {f32}\n" in out
    assert f"gemm f64: accepts the reference: yes; rejects {f64} of {f64}\n" in out


def test_readme_lists_all_exit_codes():
    declared = re.search(r"enum class ExitCode \{(.*?)\};", (ROOT / "harness/base/result.h").read_text(), re.S)[1]
    assert re.findall(r"^\| (\d+) \|", README, re.M) == re.findall(r"= (\d+),", declared)


def test_readme_and_security_list_all_sandboxes(harness):
    known = re.findall(r"^  (\S+)", harness("list").out.split("\nsandboxes\n")[1], re.M)
    security = (ROOT / "SECURITY.md").read_text()
    for page, head in ((README, "| sandbox | what it is |"),
                       (security, "| sandbox | network | files of the machine | other processes | memory, processes, file size | for |")):
        assert sorted(sum(rows_of(page, head), [])) == sorted(known)


def test_readme_lists_all_labs_and_recorded_runs():
    labs = sum(rows_of(README, "| config | content | report of a run on an H200 |"), [])
    assert sorted(labs) == sorted(file.stem for file in (ROOT / "configs").glob("*.yaml"))
    recorded = {folder.name for folder in (ROOT / "docs/examples").iterdir() if (folder / "run.json").exists()}
    assert {f"{lab}-h200" for lab in labs} == recorded


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "labs/README.md",
                                  "emulator/README.md", "docs/run-json.md", "docs/claims.md", "docs/actions.md", "docs/cluster.md", "tests/rehearsal/README.md"])
def test_links_lead_to_files(page):
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / page).read_text()):
        assert ((ROOT / page).parent / link).exists(), link


def test_architecture_names_every_module():
    listed = sum(rows_of((ROOT / "ARCHITECTURE.md").read_text(), "| folder | what it is | uses |"), [])
    there = {f"harness/{folder.name}/" for folder in (ROOT / "harness").iterdir() if folder.is_dir()}
    assert {name for name in listed if name.startswith("harness/")} == there
    assert [name for name in listed if "<" not in name and not (ROOT / name).is_dir()] == []


def test_the_ladder_in_the_labs_readme_names_every_variant():
    text = (ROOT / "labs/README.md").read_text()
    rungs = sum((rows_of(text, f"| {device} | what changed from the rung above |") for device in ("CPU", "GPU")), [])
    assert sorted(name for row in rungs for name in row) == sorted(file.stem for file in sources("labs/gemm/*pu_*"))


def test_security_does_not_overstate_the_faults():
    source = (ROOT / "tests/test_faults.py").read_text()
    single = sum(map(int, re.findall(r"< (\d+) \* SHARE", source)))
    told = re.search(r"more than (\d+) faults", (ROOT / "SECURITY.md").read_text())[1]
    each = sum(map(int, re.findall(r"\(\w+, (\d+)\)", re.search(r'"find, times", \[(.*)\]', source)[1])))
    assert single + each > int(told)


def test_readme_shows_the_plan_of_its_lab(harness):
    cases, builds = re.search(r"^(\d+) cases, (\d+) builds$", README, re.M).groups()
    out = harness("plan", ROOT / "configs/lab5.yaml", "--gpu", "emulated").out
    assert re.search(rf"^{cases} cases: .*; {builds} builds$", out, re.M), out


def test_readme_shows_the_error_of_its_config(harness, tmp_path):
    config = tmp_path / "mine.yaml"
    config.write_text((ROOT / "configs/lab5.yaml").read_text().replace("precision:", "precison:", 1))
    assert harness("plan", config).err.replace(f"{tmp_path}/", "") in README


def test_readme_shows_what_the_emulated_device_says_of_a_missing_barrier(harness, lab, emulation):
    lines = (ROOT / "labs/gemm/gpu_shared.cu").read_text().splitlines(keepends=True)
    del lines[next(number for number, line in enumerate(lines) if line.strip().startswith("__syncthreads()"))]
    work = lab().variant("gpu_mine.cu", "".join(lines))
    ran = harness("run", ROOT / "configs/lab5.yaml", "--submission", work.submission, "--results", work.results.folder, "--no-report",
                  "--variant", "gpu_mine", "--set", "BLOCK=16", "--gpu", "emulated")
    shown, = blocks_of(README, "gpu_mine BLOCK=16")
    assert [line for line in shown.splitlines() if line not in ran.out.splitlines()] == [], ran.out


def test_readme_shows_the_line_of_the_loads_in_gpu_naive():
    lines = (ROOT / "labs/gemm/gpu_naive.cu").read_text().splitlines()
    shown, = blocks_of(README, "gpu_naive BLOCK=8")
    cited = {int(number) for number in re.findall(r"gpu_naive\.cu:(\d+)", shown)}
    assert cited == {number for number, line in enumerate(lines, 1) if "g.a[" in line and "g.b[" in line}


def test_the_variant_in_the_labs_readme_passes(lab):
    variant, = blocks_of((ROOT / "labs/README.md").read_text(), "// Loops")
    lab().variant("my_ikj", variant).sweep(size=24).run("--json").expect(my_ikj="PASSED")


def test_performance_page_shows_the_recorded_runs():
    assert performance.page() == performance.PAGE.read_text(), "run .venv/bin/python -m reports.performance"


def test_the_exported_lines_of_an_example(harness):
    folder = ROOT / "docs/examples/dcu_gemm-h200"
    assert harness("export", folder, "--table", "lines").out == (folder / "lines.csv").read_text()
