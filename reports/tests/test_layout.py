"""Widths of tables, counted in digits, and the pages of the PDF: no table may leave its page."""

import re
import subprocess
from pathlib import Path

import pytest

from reports import layout
from reports.document import Cell, Table, cell, numbers, text, words
from reports.html import render_html
from reports.load import load_run
from reports.pdf import render_pdf
from reports.sections import document
from reports.tests.conftest import load
from reports.tests.recorded import recorded_run

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "docs/examples").glob("*/run.json"))
WORD = re.compile(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"')
MARGINS = {False: 62.4, True: 56.7}  # of an upright and of a landscape page, in points, as in paper.css


def table(*cells: Cell, **more) -> Table:
    return Table(words("variant") + numbers("128"), tuple((cell("a"), one) for one in cells), **more)


def wide(columns: int) -> Table:
    return Table(words("variant") + numbers(*["2048"] * columns), ((cell("a"), *[Cell(text("1024"), "±16")] * columns),))


def test_numbers_are_filled_up_to_the_decimals_of_their_column():
    both = table(cell("1880"), cell("0.135"), cell("7.0"), cell("–", word=True))
    assert [layout.fill(both, 1, row[1]) for row in both.rows] == [".000", "", "00", ""]
    assert layout.fill(table(cell("1880"), cell("0.135"), aligned=False), 1, cell("1880")) == ""


def test_numbers_under_each_other_need_the_widest_part_on_both_sides():
    assert layout.column_width(table(cell("1880"), cell("0.135")), 1) == len("1880135") + 0.5 + layout.GAP
    assert layout.column_width(table(cell("1880"), cell("0.135"), aligned=False), 1) == 4.5 + layout.GAP


def test_a_spread_needs_room_of_its_own():
    assert layout.width(table(Cell(text("4.83"), "±0.02"))) > layout.width(table(cell("4.83")))


def test_long_words_are_wrapped():
    long = Table(words("variant", "what it is"), ((cell("a"), cell("word " * 40)),))
    assert [layout.wraps(long, i) for i in range(2)] == [False, True]
    assert layout.column_width(long, 1) == layout.SHRUNK + layout.GAP


def test_wider_tables_get_smaller_print_then_a_landscape_page():
    found = [layout.page(wide(columns)) for columns in range(1, 16)]
    assert list(dict.fromkeys(found)) == list(layout.PAGES)


def outside(page: str, folder: Path) -> list[str]:
    """The words that the PDF of this page prints in its left or right margin."""
    (folder / "page.pdf").write_bytes(render_pdf(page))
    boxes = subprocess.run(["pdftotext", "-bbox", folder / "page.pdf", "-"], check=True, capture_output=True, text=True).stdout
    found = []
    for number, sheet in enumerate(boxes.split("<page ")[1:], 1):
        width, height = (float(size) for size in re.match(r'width="([\d.]+)" height="([\d.]+)"', sheet).groups())
        margin = MARGINS[width > height]
        lines = [line for line in sheet.splitlines() if (box := WORD.search(line))
                 and (float(box[1]) < margin - 1 or float(box[2]) > width - margin + 1)]
        found += [f"page {number}: {line.strip()}" for line in lines]
    return found


@pytest.mark.parametrize("run", EXAMPLES, ids=lambda run: run.name)
def test_no_table_of_a_real_run_leaves_the_page(run, tmp_path):
    made, charts = document(load_run(run))
    assert outside(render_html(made, dict.fromkeys(charts, "<svg/>"), paper=True), tmp_path) == []


def test_long_names_do_not_leave_the_page(tmp_path):
    recorded = recorded_run()
    recorded["variants"][0].update(name="v" * 80, summary="s" * 240)
    recorded["machine"]["tools"][0]["version"] = "t" * 200
    for case in recorded["cases"]:
        if case["variant"] == "cpu_baseline":
            case.update(variant="v" * 80)
    made, charts = document(load(recorded))
    assert outside(render_html(made, dict.fromkeys(charts, "<svg/>"), paper=True), tmp_path) == []
