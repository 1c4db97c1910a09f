"""Why two right programs do not print the same bits: sums of products in f32, rounded in three ways, for docs/reproduced/lab5.md."""

import numpy as np

from reports.document import Paragraph, Section, Table, cell, numbers, text
from reports.numbers import significant

SIZES = (128, 256, 512, 1024, 2048)
EDGE = 48  # of the block of C that is computed
SUMS = 8  # partial sums, as of a loop in vectors
ABOUT = f"""The report compared results exactly, which failed from n = 256 on, and then accepted a difference of 0.1. Sums that are rounded
in another way differ in a third or more of the elements at every size, and the largest difference grows with n. It stays far below 0.1,
so 0.1 accepts results that are wrong. The numbers that the report multiplied are not known. Here {EDGE} x {EDGE} elements of A B in f32, for random numbers from 0 to 1: with a rounded product and a rounded sum per
step, compared with one rounding per step (fused multiply-add) and with {SUMS} partial sums. The harness accepts what rounding can
explain, and compares small integers exactly, because their sums are right in any order."""


def sums(n: int) -> tuple[np.ndarray, ...]:
    """In float64; then in f32 with two roundings per step, with one, and with partial sums."""
    random = np.random.default_rng(n)
    a, b = random.random((EDGE, n), dtype=np.float32), random.random((n, EDGE), dtype=np.float32)
    exact, two, one, parts = np.zeros((EDGE, EDGE)), *(np.zeros((*many, EDGE, EDGE), np.float32) for many in ((), (), (SUMS,)))
    for k in range(n):
        product = np.outer(a[:, k].astype(np.float64), b[k])  # exact: 48 of 53 bits
        exact += product
        two += product.astype(np.float32)
        one = (one + product).astype(np.float32)
        parts[k % SUMS] += product.astype(np.float32)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return exact, two, one, total


def row(n: int) -> tuple:
    exact, two, *others = sums(n)
    cells = [cell(str(n)), cell(significant(float(np.abs(two - exact).max()), 2))]
    for other in others:
        cells += [cell(f"{round(100 * float((other != two).mean()))} %"), cell(significant(float(np.abs(other.astype(np.float64) - two).max()), 2))]
    return tuple(cells)


def section() -> Section:
    columns = numbers("n", "largest error", "fused: elements that differ", "largest difference",
                      f"{SUMS} partial sums: elements that differ", "largest difference")
    return Section(text("Why an exact comparison fails"), "summation", (
        Paragraph(text(" ".join(ABOUT.split()))), Table(columns, tuple(map(row, SIZES)), "Rounding of f32 sums by size")))
