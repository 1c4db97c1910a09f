import pytest

from reports.expressions import BadExpression, evaluate

NAMES = {"BLOCK": "0", "THREADS": "(BLOCK ? BLOCK * BLOCK : 1024)", "ROWS": "8", "PARTITION": "column", "LOOP": "LOOP + 1", "t": 37}


@pytest.mark.parametrize("text, value", [
    ("THREADS / ROWS", 128), ("t % 32 / 16 * 2", 0), ("PARTITION == column ? t % 8 : t / 8", 5), ("1 + 2 * 3 - 4", 3), ("-7 / 2", -3),
    ("!BLOCK && ROWS >= 8 || 0", 1), ("BLOCK ? 1 / BLOCK : 5", None), ("BLOCK_X", "BLOCK_X"), ("(1, 2)", None), ("2 3", None), ("", None),
    ("1 +", None), ("LOOP", None), ("column + 1", None), ("9" * 30, None), ("(" * 299, None), ("__import__('os')", None), ("1 < 2", 1)])
def test_expressions_of_macros(text, value):
    if value is None:
        with pytest.raises(BadExpression):
            evaluate(text, NAMES)
    else:
        assert evaluate(text, NAMES) == value
