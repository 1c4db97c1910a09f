"""Cases on the emulated device: right or wrong, with diagnostics, without times."""

import json
import subprocess

import pytest

from reports import captions, checks, diagnostics, failures, highlights, method, provenance, results
from reports.document import Paragraph, Table, plain
from reports.load import load_run
from reports.record import Run
from reports.plots import build_figure, plot_spec
from reports.render import render_run
from reports.sections import document
from reports.tests.conftest import load
from reports.tests.emulation import RACE, emulate
from reports.tests.recorded import ROOT, plot, recorded_run
from reports.tests.small import SIZES, ms, small_run, timed
from reports.tests.test_sections import lines
from reports.tests.test_tables import made, rows

RACE_TEXT = ("Thread (1,0) reads at gpu_shared.cu:41 what thread (0,0) writes at gpu_shared.cu:38, and there is no barrier between them "
             "(block (0,0)).")


@pytest.fixture(scope="module")
def lab5() -> Run:
    """An example of the documentation, changed as if there had been no GPU."""
    return load(emulate(json.loads((ROOT / "docs/examples/lab5-h200/run.json").read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def racy() -> Run:
    return load(emulate(recorded_run(), racy_blocks=(8, 16)))


def shown(run: Run) -> dict[str, list]:
    return {plain(section.title): list(section.blocks) for section in results.sections(run)[0].results}


def test_one_short_table_for_all_emulated_cases(lab5):
    found = shown(lab5)
    (table,) = found["GPU variants by size and block edge"]
    assert [plain(column.head) for column in table.columns] == ["variant", "BLOCK", "result", "mistakes", "performance problems"]
    assert rows(table) == [["gpu_naive", block, "right", "0", problems] for block, problems in (("4", "2"), ("8", "2"), ("16", "2"), ("32", "1"))] + [
        ["gpu_shared", block, "right", "0", "0"] for block in ("4", "8", "16", "32")]
    assert plain(table.caption) == (
        "These cases ran on the emulated device. If a size takes too long there, a smaller one of the same proportions is checked "
        "instead. They have no times: see how this was measured.")
    assert [plain(item) for item in found["Not shown"][0].items] == [
        "Where the time of gpu_naive goes; gpu_shared by block edge; GPU variants by size, 16 x 16 threads per block; Where the time of "
        "gpu_naive goes, 16 x 16 threads per block; published/lab5_gpu_blocks.csv: the cases ran on the emulated device, which "
        "measures no times."]


def test_a_plot_of_such_a_table_is_a_sentence(racy):
    table, sentence = shown(racy)["Naive and shared by block edge"]
    assert isinstance(table, Table) and isinstance(sentence, Paragraph)
    assert plain(sentence.text) == "There is no plot: the cases ran on the emulated device, which measures no times."
    assert [row[1:] for row in rows(table)[4:]] == [
        ["4", "right", "0", "0"], ["8", "WRONG", "1", "0"], ["16", "WRONG", "1", "0"], ["32", "right", "0", "0"]]


def test_in_a_table_with_times_a_cell_is_a_word():
    run = small_run([timed("cpu_a", 128, ms(4.83, 0.02)), timed("gpu_x", 128, {}, device="emulated"),
                     timed("gpu_y", 128, {}, device="emulated", status="WRONG", reason="1 cell differs")],
                    [SIZES], [plot("Times", "sizes", "lines", "size", ["kernel_ms"], ["variant"])])
    table = made(run)
    assert rows(table) == [["cpu_a", "4.830 ±0.020"], ["gpu_x", "right (a)"], ["gpu_y", "WRONG (b)"]]
    assert [plain(note) for _, note in table.notes] == [
        "right on the emulated device, at this size or at a smaller one of the same proportions; no time was measured", "wrong: 1 cell differs"]
    figure, chart = build_figure(run, plot_spec(run.asked("plots", "plot")[0]))
    assert [series.label for series in chart.series] == ["cpu_a"]
    assert (" Not drawn: 1 case that did not pass. Not drawn: 1 case on the emulated device, because it measures no times."
            in plain(figure.caption))


def test_why_is_it_slow(lab5):
    section = diagnostics.performance(lab5)
    assert plain(section.title) == "Why is it slow?"
    assert lines(section) == [
        "The emulated device counted these performance problems while it ran the variants on the shapes of the check. The worst comes "
        "first. A performance problem makes a variant slow but not wrong. If builds differ, the text describes the worst build, and "
        "the numbers give the range over all builds.",
        "1. Uncoalesced access in gpu_naive, kernel gemm, gpu_naive.cu:28", "", "sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];",
        "what: Each request of a warp touches 8.0 blocks of 32 bytes where 1.0 would do: gpu_naive.cu:28 uses 12 % of what it fetches.",
        "usual fix: Let neighbouring threads (threadIdx.x) use neighbouring elements.",
        "how much: 2.0 to 8.0 times the ideal: 1024 to 4096 sectors of 32 bytes were fetched, 512 would be enough",
        "builds: BLOCK 4, 8 and 16",
        "2. Divergence in gpu_naive, kernel gemm, gpu_naive.cu:23", "", "if (col >= g.n) return;",
        "what: 9.0 of 32.0 lanes of a warp take part at gpu_naive.cu:23: the others wait in another branch.",
        "usual fix: Branch on what is the same for a whole warp, or give the threads work such that neighbours do the same.",
        "how much: 28 % of the ideal: 36 to 288 lanes took part, 128 to 1024 could have",
        "builds: BLOCK 4, 8, 16 and 32"]


def test_mistakes_name_both_positions(racy):
    section = failures.section(racy)
    found = lines(section)
    assert found[0] == f"WRONG gpu_shared, 8 cases (size 512, 1024, 2048 and 4096; BLOCK 8 and 16): {RACE['what']}."
    assert found[1] == "For the position in the source, see mistakes in the code."
    assert "PASSED, emulated|24|output is right on the emulated device, no time measured|no" in found
    assert "PASSED|46|output is right, time measured|no" in found
    assert plain(section.sections[0].title) == "Mistakes in the code"
    assert lines(section.sections[0])[1:] == [
        "1. Race in shared memory in gpu_shared, kernel gemm, gpu_shared.cu:41", "", "sum += a[threadIdx.y][p] * b[p][threadIdx.x];",
        f"what: {RACE_TEXT}", "other position: gpu_shared.cu:38",
        "fix: Put __syncthreads() between the two, reached by every thread of the block.", "how often: 24 times", "builds: BLOCK 8 and 16"]


def test_the_summary_and_the_outcome(racy, lab5):
    assert highlights.totals(racy) == "70 of 78 passed, 24 of them on the emulated device; 8 wrong"
    assert plain(highlights.highlights(racy)[1]) == (
        "32 cases ran on the emulated device, which checks outputs but measures no times. It found 1 mistake and 2 performance "
        "problems in 2 variants.")
    unstable = len(lab5.with_status("UNSTABLE"))  # among those on the CPU
    assert highlights.totals(lab5) == f"{len(lab5.cases) - unstable} of {len(lab5.cases)} passed, 36 of them on the emulated device; {unstable} unstable"


def test_what_emulated_means(lab5):
    assert lines(method.section(lab5))[1] == (
        "- 2 variants of this run used the emulated device instead of a GPU. It runs the same source on the CPU: the threads of a block "
        "one after the other, each up to the next barrier. The harness checks the outputs with the same tolerance as all others. "
        "If a size takes too long there, a smaller one of the same proportions is checked instead. The time of these calls says nothing "
        "about a GPU, so the report does not show it. "
        "Counts such as memory sectors or bank conflicts depend only on the code: a real GPU counts the same for the same accesses.")


def test_provenance_holds_its_settings(lab5):
    assert "emulated device: 32 lanes per warp; order of threads: in order; diagnostics on" in lines(provenance.section(lab5))
    off = load(emulate(recorded_run(), diagnostics=False))
    assert "emulated device: 32 lanes per warp; order of threads: in order; diagnostics off" in lines(provenance.section(off))
    assert diagnostics.performance(off) is None and diagnostics.mistakes(off) == ()


def test_no_output_was_timed(lab5):
    (naive,) = [row for row in lines(checks.section(lab5)) if row.startswith("gpu_naive|")]
    assert naive == "gpu_naive|all|18|0.020|0.00049|all|–"


def test_only_emulated_cases():
    """The report says nothing about times and intervals if there are none."""
    run = small_run([timed("gpu_x", 128, {}, device="emulated")], [SIZES])
    assert [item[:41] for item in lines(method.section(run))] == [
        "- 1 variant of this run used the emulated", "- Compilers and variants ran in a sandbox"]
    assert captions.clock(run, run.cases) == ""
    assert plain(document(run)[0].sections[0].blocks[0].items[0]) == (
        "1 case ran on the emulated device, which checks outputs but measures no times.")


def test_an_unknown_severity():
    from reports.errors import ReportError

    with pytest.raises(ReportError, match="severity: invalid enum value 'hint'$"):
        small_run([timed("gpu_x", 128, {}, device="emulated", diagnostics=[{**RACE, "severity": "hint"}])])


def test_in_every_format(folder):
    run_dir = folder(emulate(recorded_run(), racy_blocks=(8, 16)))
    render_run(run_dir, ("md", "html", "pdf"))
    markdown, page = ((run_dir / name).read_text(encoding="utf-8") for name in ("report.md", "report.html"))
    assert "It found [1 mistake](#mistakes-in-the-code) and [2 performance problems](#why-is-it-slow) in 2 variants." in markdown
    assert "**1. Uncoalesced access** in `gpu_naive`, kernel `gemm`, `gpu_naive.cu:28`" in markdown
    assert "```text\nsum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];\n```" in markdown
    assert "| `gpu_shared` | 8 | WRONG | 1 | 0 |" in markdown
    assert '<section id="advice" class="part">' in page and '<a href="#mistakes">1 mistake</a>' in page
    pdf = subprocess.run(["pdftotext", "-layout", run_dir / "report.pdf", "-"], check=True, capture_output=True, text=True).stdout
    flat = " ".join(pdf.split())
    assert "5 Why is it slow?" in flat and "6.1 Mistakes in the code" in flat
    assert "1. Race in shared memory in gpu_shared, kernel gemm, gpu_shared.cu:41 sum += a[threadIdx.y][p] * b[p][threadIdx.x];" in flat
    assert "There is no plot: the cases ran on the emulated device, which measures no times." in flat
    assert load_run(run_dir).emulated.lanes == 32
