"""The whole report in its three formats."""

import json
import re
import subprocess
import zlib
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from reports import layout
from reports.document import Figure, Table
from reports.html import TableView, render_html
from reports.pdf import render_pdf
from reports.render import drawn, render_run
from reports.sections import document
from reports.tests.conftest import load, part
from reports.tests.recorded import add_gpu, add_student, note, recorded_run

HOSTILE = "</td><script>alert('x')</script><img src=http://evil/x onerror=y>|`](http://evil) **b** \x1b[31mred\u202e\x00 $x$"


def hostile_run() -> dict:
    """A run with hostile text everywhere a student, a compiler or a file can choose it."""
    recorded = add_student(recorded_run())
    for case in recorded["cases"]:
        if case["variant"] == "cpu_student":
            case.update(reason=HOSTILE, notes=[note("printed", HOSTILE, output=HOSTILE)])
        elif case["variant"] == "cpu_avx":
            case.update(notes=[note("printed", HOSTILE, output=HOSTILE), note("choice", HOSTILE, choice=HOSTILE)])
    recorded["variants"][-1].update(summary=HOSTILE, file=HOSTILE)
    recorded["variants"][0].update(about=HOSTILE)
    recorded["builds"][0].update(warnings=[HOSTILE])
    recorded["builds"][-1].update(log="error: " + HOSTILE * 500, command=HOSTILE, compiler=HOSTILE, source_hash=HOSTILE)
    recorded["run"].update(id=HOSTILE, lab=HOSTILE, title=HOSTILE, about=HOSTILE, started=HOSTILE, seed=HOSTILE, command=["run", HOSTILE])
    recorded["kernel"].update(name=HOSTILE)
    recorded["run"]["config"]["text"] += f"# {HOSTILE}\n```\n</pre>\n"
    recorded["published"][0].update(machine=HOSTILE)
    recorded["excluded"][0].update(reason=HOSTILE)
    recorded["selftest"]["rows"][0].update(mistake=HOSTILE)
    recorded["report"]["tables"][0].update(title=HOSTILE, caption=HOSTILE)
    recorded["report"]["plots"][0].update(caption=HOSTILE)
    recorded["metrics_info"]["kernel_ms"].update(doc=HOSTILE)
    recorded["machine"]["cpu"]["model"] = HOSTILE
    recorded["machine"]["tools"][0]["version"] = HOSTILE
    recorded["noise"]["before"][HOSTILE] = HOSTILE
    recorded["machine_limits"][0]["method"] = HOSTILE
    return recorded


def outside_code(line: str) -> str:
    """The part of a line of Markdown that is neither escaped nor in a code span."""
    kept, i = "", 0
    while i < len(line):
        run = re.match("`+", line[i:])
        if line[i] == "\\":
            i += 2
        elif run:
            end = re.search(f"(?<!`){run[0]}(?!`)", line[i + len(run[0]):])
            assert end, f"a code span is not closed: {line}"
            i += len(run[0]) + end.end()
        else:
            kept, i = kept + line[i], i + 1
    return kept


class Tags(HTMLParser):
    def __init__(self, page: str):
        super().__init__()
        self.open, self.tags, self.addresses, self.handlers = [], set(), [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action", "data")]
        self.handlers += [name for name, _ in attributes if name.startswith("on")]


def html_of(recorded: dict, paper: bool = False) -> str:
    made, charts = document(load(recorded))
    return render_html(made, drawn(charts), paper)


@pytest.fixture(scope="module")
def page() -> str:
    return html_of(add_student(recorded_run()))


def test_html_needs_nothing_from_outside(page):
    found = Tags(page)
    assert not found.tags & {"script", "link", "iframe", "object", "embed", "img"}
    assert all(address.startswith("#") for address in found.addresses)
    assert not found.handlers and "@import" not in page and not re.search(r"url\((?!#)", page)


def test_html_links_lead_somewhere(page):
    targets = re.findall(r'<a href="#([^"]+)"', page)
    assert targets and all(f'id="{target}"' in page for target in targets)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_html_says_what_it_is(page):
    assert "<title>数据级并行 - data-level parallelism on CPU and GPU</title>" in page
    assert '<html lang="en">' in page and '<td class="num" title="' in page
    assert 'role="img"><title>Lines: kernel time, ms over size 128 to 2048. ' in page
    assert page.count("<svg") == 6


def test_the_same_run_gives_the_same_bytes(page):
    assert page == html_of(add_student(recorded_run()))


def test_hostile_text_is_only_text():
    safe, evil = Tags(html_of(add_student(recorded_run()))), Tags(html_of(hostile_run()))
    assert evil.tags <= safe.tags
    assert not evil.handlers and all(address.startswith("#") for address in evil.addresses)
    evil_page = html_of(hostile_run())
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" in evil_page
    assert not set("\x1b\u202e\x00") & set(evil_page)


def test_hostile_text_in_every_format(folder):
    run_dir = folder(hostile_run())
    render_run(run_dir, ("md", "html", "pdf"))
    rendered = (run_dir / "report.md").read_text(encoding="utf-8")
    # the log is cut, and says so
    assert re.search(r"… \(\d+ more characters: see the logs of the run\)", rendered)
    blocks = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", rendered)  # code blocks may hold anything
    for line in blocks.split("\n"):
        outside = outside_code(line)
        assert "<script" not in outside and "<img" not in outside and "](http" not in outside and "**b" not in outside, line


def test_a_name_with_control_characters_is_rendered(tmp_path):
    """A drawing holds names of axes, and an XML file with such a character cannot be read."""
    recorded = json.dumps(recorded_run()).replace('"size"', r'"size\u001b\u202e"')
    (tmp_path / "run.json").write_text(recorded, encoding="utf-8")
    render_run(tmp_path, ("md", "html", "pdf"))
    for name in ("report.md", "report.html"):
        rendered = (tmp_path / name).read_text(encoding="utf-8")
        assert "size\N{REPLACEMENT CHARACTER}" in rendered and not set("\x1b\u202e") & set(rendered)


def text_of(pdf) -> str:
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True).stdout


def info_of(pdf) -> dict[str, str]:
    lines = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout.splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    run_dir = tmp_path_factory.mktemp("run")
    (run_dir / "run.json").write_text(json.dumps(add_student(recorded_run())), encoding="utf-8")
    render_run(run_dir, ("pdf",))
    return run_dir / "report.pdf"


def test_the_pdf_reads_like_the_report(pdf):
    pages = text_of(pdf).split("\f")[:-1]
    assert "数据级并行 - data-level parallelism on CPU and" in pages[0]
    assert "46 of 56 passed; 5 wrong; 5 compile error; 32 skipped: no GPU was found on this machine" in " ".join(pages[0].split())
    assert re.search(r"5 Cases that did not pass[ .]+\d+", " ".join(pages[:2]))
    flat = " ".join(" ".join(pages).split())
    assert "WRONG cpu_student (submission), 5 cases (size 128, 256, 512, 1024 and 2048): on m=17 n=31 k=13: 17 of 527 cells differ" in flat
    assert "the check rejects 9 of 9 deliberately wrong implementations and accepts the reference" in flat
    assert "32 cases skipped (gpu_naive and gpu_shared): no GPU was found on this machine." in flat
    assert "In “Block edge of the blocked kernel”, the published and the measured order by kernel time differ at size 1024 and 2048: of 56 pairs, 42 have" in flat
    assert 10 <= len(pages) <= 16
    assert all(f"{i} / {len(pages)}" in page for i, page in enumerate(pages, 1))


def test_the_contents_name_the_right_pages(pdf):
    pages = text_of(pdf).split("\f")[:-1]
    for number, title in (("5", "Cases that did not pass"), ("7", "How this was measured"), ("9", "Provenance")):
        page = int(re.search(rf"{number} {title}[ .]+(\d+)", " ".join(pages[:2]))[1])
        assert re.search(rf"^ *{number} +{title}$", pages[page - 1], flags=re.MULTILINE)


def test_the_pdf_has_metadata(pdf):
    info = info_of(pdf)
    assert info["Title"] == "数据级并行 - data-level parallelism on CPU and GPU"
    assert info["Subject"].startswith("Measured run 20261121-091500-3f2a of lab5: 46 of 56 passed")
    assert info["Keywords"] == "lab5, gemm, f32"
    assert info["Page size"].endswith("(A4)") and info["Tagged"] == "yes"


def test_the_pdf_fetches_nothing(tmp_path):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    (tmp_path / "drawing.svg").write_text(drawing, encoding="utf-8")
    page = (f'<html lang="en"><p>a</p><img alt="b" src="{(tmp_path / "drawing.svg").as_uri()}"/><img alt="c" src="http://127.0.0.1:9/d.svg"/>'
            f'<img alt="d" src="data:image/svg+xml,{quote(drawing)}"/></html>')
    (tmp_path / "page.pdf").write_bytes(render_pdf(page))
    assert text_of(tmp_path / "page.pdf").split() == ["a", "bcd"]  # the other texts of all three images


def test_drawings_stay_vectors_in_the_pdf(pdf):
    images = subprocess.run(["pdfimages", "-list", pdf], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(images) == 2  # the head of an empty list
    assert "kernel time, ms" in text_of(pdf)  # the label of an axis is text


def test_drawings_have_other_texts_in_the_pdf(pdf):
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf.read_bytes(), re.DOTALL)
    structure = b"".join(zlib.decompressobj().decompress(stream) for stream in streams if stream.startswith(b"x"))
    assert structure.count(b"/Alt (") == 6
    assert b"/Alt (Lines: kernel time, ms over size 128 to 2048. " in structure


def test_wide_tables_get_small_print_or_a_landscape_page():
    made, _ = document(load(add_gpu(recorded_run())))
    tables = [block for section in made.sections for inner in section.sections for block in inner.blocks if isinstance(block, Table)]
    assert {layout.page(table) for table in tables} == {"normal", "small", "wide"}
    cases = [c for c in recorded_run()["cases"] if c["sweep"] == "cpu_sizes" and c["axes"]["size"] < 2048]
    wide = recorded_run()
    wide["cases"] = [{**c, "id": f"{c['id']}{k}", "axes": {"size": c["axes"]["size"] + k}} for c in cases for k in range(2)]
    made, _ = document(load(wide))
    assert "wide" in layout.page(part(made, "results").sections[0].blocks[0])
    assert '<h3 class="wide">' in html_of(wide, paper=True)


def test_tables_and_figures_are_numbered_as_they_stand(gpu_run):
    made, charts = document(gpu_run)
    blocks = [block for anchor in ("summary", "results", "published") for outer in [part(made, anchor)] for inner in (outer, *outer.sections)
              for block in inner.blocks]
    assert [block.number for block in blocks if isinstance(block, Table)] == list(range(1, 14))
    assert [block.number for block in blocks if isinstance(block, Figure)] == sorted(charts) == list(range(1, 9))


def test_published_false_keeps_published_figures_away(page):
    recorded = recorded_run()
    recorded["report"]["tables"][0]["published"] = False
    title = "Published and measured kernel time</figcaption>"
    assert title in page and title not in html_of(recorded)


def test_repeated_labels_are_left_blank(gpu_run):
    from reports.tables import build_tables, table_spec

    (table,) = build_tables(gpu_run, table_spec(gpu_run.asked("tables", "table")[3]))
    view = TableView(table)
    assert [len(group.rows) for group in view.groups] == [4, 4]
    assert [row[0].repeated for row in view.groups[0].rows] == [False, True, True, True]
