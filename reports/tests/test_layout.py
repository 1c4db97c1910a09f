"""Widths of columns: too narrow would run into the next column, too wide would send a table to a landscape page."""

from pathlib import Path

import pytest
from reports.document import Cell, Table, cell, numbers, text, words
from reports.html import ROOM, TableView
from reports.layout import (PADDING, WRAP, column_em, dense_em, dense_parts, em, fitted, half_digits, most_decimals, white,
                            width_em)
from reports.load import load_run
from reports.sections import document

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "docs/examples").glob("*/run.json"))


def table(*cells: Cell, **more) -> Table:
    return Table(words("variant") + numbers("128"), tuple((cell("a"), one) for one in cells), **more)


def test_digits_are_as_wide_as_dejavu_sets_them():
    assert em("1024") == 4 * 0.636
    assert em("中") == 1.0


def test_numbers_under_each_other_need_the_widest_part_on_both_sides():
    both = table(cell("1880"), cell("0.135"))
    assert most_decimals(both, 1) == 3
    assert [half_digits(3, row[1]) for row in both.rows] == [7, 0]
    number, spread = column_em(both, 1)
    assert spread == 0 and number > em("1880.135") + PADDING - em(".")
    assert column_em(table(cell("1880"), cell("0.135"), aligned=False), 1)[0] < number


def test_dense_figures_stand_at_the_right_edges_of_their_columns():
    rows = [(cell("a"), cell("1024"), cell("0.5")), (cell("b"), cell("–", word=True), Cell(text("17"), equal=True))]
    dense = Table(words("variant") + numbers("128", "x"), tuple(rows), dense=2)
    widths = dense_em(dense)
    first, second = ("".join(shown for shown, _ in dense_parts(dense, row, widths)) for row in rows)
    assert first.split() == ["1024", "0.5"] and second.split() == ["–", "17", "~"]
    ends = [abs(em(first[:first.index("4") + 1]) - em(second[:second.index("–") + 1])), abs(em(first) - em(second))]
    assert max(ends) < 0.05
    assert em(first) + PADDING == pytest.approx(sum(widths), abs=0.05)


@pytest.mark.parametrize("width", [0, 0.1, 0.31, 0.5, 1.234, 7.77])
def test_white_space_of_any_width(width):
    assert em(white(width)) == pytest.approx(width, abs=0.051)
    assert white(-1) == ""


def test_a_spread_is_a_column_of_its_own():
    one, two = table(cell("4.83")), table(Cell(text("4.83"), "±0.02"))
    assert column_em(one, 1)[1] == 0 < column_em(two, 1)[1]
    assert width_em(two) > width_em(one)


def test_columns_of_words_may_shrink():
    wide = Table(words("variant", "what it is"), ((cell("a"), cell("word " * 40)),))
    assert column_em(wide, 1)[0] < 20 < column_em(Table(words("x"), ((cell("word " * 40),),)), 0)[0]


def test_columns_of_words_share_the_page():
    sentence = cell("word " * 40)
    alone = Table(words("variant", "what it is", "note"), ((cell("a"), cell("short"), cell("short")),))
    assert em("what it is") + PADDING < fitted(alone, 58.8)[1] < 8  # the head on one line
    crowded = Table(words("variant", "what it is", "note", "from"), ((cell("a"), sentence, cell("word " * 20), cell("lab")),))
    label, wide, half, last = fitted(crowded, 58.8)
    assert abs(label + wide + half + last - 58.8) < 1e-9 and last < 5
    assert WRAP < half < wide


def test_a_page_too_narrow_for_the_words_finds_its_own_way():
    assert fitted(Table(words("variant", "what"), ((cell("a"), cell("x" * 300)), (cell("b" * 120), cell("word " * 90)))), 58.8) == []


def tables(section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)] + [one for inner in section.sections for one in tables(inner)]


@pytest.mark.parametrize("run", EXAMPLES, ids=lambda run: run.name)
def test_no_table_of_a_real_run_leaves_the_page(run):
    all_tables = [one for section in document(load_run(run))[0].sections for one in tables(section)]
    assert len(all_tables) > 5
    for one in all_tables:
        view = TableView(one, paper=True)
        assert view.total <= ROOM[view.fit] or not all(column.numeric for column in one.columns[one.labels:]), one.title
