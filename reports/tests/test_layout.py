"""Widths of columns: too narrow would run into the next column, too wide would send a table to a landscape page."""

from reports.document import Cell, Table, cell, numbers, text, words
from reports.layout import PADDING, column_em, em, half_digits, most_decimals, width_em


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


def test_a_spread_is_a_column_of_its_own():
    one, two = table(cell("4.83")), table(Cell(text("4.83"), "±0.02"))
    assert column_em(one, 1)[1] == 0 < column_em(two, 1)[1]
    assert width_em(two) > width_em(one)


def test_columns_of_words_may_shrink():
    wide = Table(words("variant", "what it is"), ((cell("a"), cell("word " * 40)),))
    assert column_em(wide, 1)[0] < 20 < column_em(Table(words("x"), ((cell("word " * 40),),)), 0)[0]
