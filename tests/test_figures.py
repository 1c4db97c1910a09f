"""The figures, lists and outputs that the pages show are those of the tree and of the program."""

import json
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


def test_the_corpus_is_counted():
    page = (ROOT / "docs/maintainer.md").read_text()
    correct, wrong, evil = re.search(r"(\d+) correct, (\d+) wrong and (\d+) evil variants", page).groups()
    planted = len(sources("emulator/planted/*"))
    assert int(correct) == len(sources("tests/corpus/correct/*")) + len(sources("labs/*/*pu_*"))
    assert int(wrong) == len(sources("tests/corpus/wrong/*")) + planted
    assert int(evil) == len(sources("tests/corpus/evil/*"))
    recorded = json.loads((ROOT / "emulator/agreement/h200.json").read_text())["sanitizer"]
    assert planted == sum(name.startswith("planted-") for name in recorded) and f"\n{planted} planted bugs" in README


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
    labs = sum(rows_of(README, "| config | content | report of a recorded run |"), [])
    assert sorted(labs) == sorted(file.stem for file in (ROOT / "configs").glob("*.yaml"))
    recorded = {folder.name for folder in (ROOT / "docs/examples").iterdir() if (folder / "run.json").exists()}
    assert set(labs) <= {name.rsplit("-", 1)[0] for name in recorded}
    pages = README + (ROOT / "docs/performance.md").read_text()
    assert [name for name in sorted(recorded) if f"examples/{name}/report.md" not in pages] == []


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "labs/README.md",
                                  "emulator/README.md", "docs/run-json.md", "docs/claims.md", "docs/student.md", "docs/teacher.md", "docs/reader.md", "docs/maintainer.md", "docs/actions.md", "docs/cluster.md", "tests/rehearsal/README.md"])
def test_links_lead_to_files(page):
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.M | re.S)
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
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


def test_readme_shows_what_the_student_s_book_shows():
    shown, = blocks_of(README, "gpu_mine.cu:68")
    assert shown in (ROOT / "docs/student.md").read_text()


def test_readme_shows_the_plan_of_its_lab(harness):
    cases, builds = re.search(r"^(\d+) cases, (\d+) builds$", README, re.M).groups()
    out = harness("plan", ROOT / "configs/lab5.yaml", "--gpu", "emulated").out
    assert re.search(rf"^{cases} cases: .*; {builds} builds$", out, re.M), out


def test_the_variant_in_the_labs_readme_passes(lab):
    variant, = blocks_of((ROOT / "labs/README.md").read_text(), "// Loops")
    lab().variant("my_ikj", variant).sweep(size=24).run("--json").expect(my_ikj="PASSED")


def test_performance_and_readme_show_the_recorded_runs():
    for page, text in performance.pages().items():
        assert text == page.read_text(), "run .venv/bin/python -m reports.performance"


def test_the_exported_lines_of_an_example(harness):
    folder = ROOT / "docs/examples/dcu_gemm-h200"
    assert harness("export", folder, "--table", "lines").out == (folder / "lines.csv").read_text()
