import pytest

from reports.expressions import BadExpression, Budget, evaluate

NAMES = {"BLOCK": "0", "THREADS": "(BLOCK ? BLOCK * BLOCK : 1024)", "ROWS": "8", "PARTITION": "column", "LOOP": "LOOP + 1", "t": 37}


@pytest.mark.parametrize("text, value", [
    ("THREADS / ROWS", 128), ("t % 32 / 16 * 2", 0), ("PARTITION == column ? t % 8 : t / 8", 5), ("1 + 2 * 3 - 4", 3), ("-7 / 2", -3),
    ("!BLOCK && ROWS >= 8 || 0", 1), ("BLOCK ? 1 / BLOCK : 5", 5), ("ROWS ? 4 : 1 / BLOCK", 4), ("BLOCK && ROWS / BLOCK", 0), ("ROWS || ROWS / BLOCK", 1),
    ("BLOCK ? (1 / BLOCK ? column : 3) : 2", 2), ("BLOCK ? 1 + : 5", None), ("ROWS && ROWS / BLOCK", None), ("BLOCK || column", None), ("BLOCK_X", "BLOCK_X"), ("(1, 2)", None), ("2 3", None), ("", None),
    ("1 +", None), ("LOOP", None), ("column + 1", None), ("9" * 30, None), ("(" * 299, None), ("__import__('os')", None), ("1 < 2", 1)])
def test_expressions_of_macros(text, value):
    if value is None:
        with pytest.raises(BadExpression):
            evaluate(text, NAMES)
    else:
        assert evaluate(text, NAMES) == value


def test_names_that_stand_for_many_others_end_soon():
    many = {f"A{i}": " + ".join([f"A{i + 1}"] * 40) for i in range(8)} | {"A8": "1"}
    with pytest.raises(BadExpression, match="takes too long"):
        evaluate("A0", many)


def test_expressions_share_a_budget():
    budget = Budget(tokens=7)
    assert evaluate("1 + ROWS", NAMES, budget) == 9 and budget.tokens == 3
    with pytest.raises(BadExpression, match='"2 . 3 . 4" takes too long'):
        evaluate("2 * 3 * 4", NAMES, budget)
