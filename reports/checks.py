"""Correctness: how each variant was checked, how large its errors are, and whether the check detects mistakes."""

from reports.document import Cell, Code, Paragraph, Section, Table, cell, numbers, say, text, words
from reports.language import mark, told, tr
from reports.record import Case, Run
from reports.numbers import significant
from reports.text import line, listing, plural, unique

# name: what the check compares
CHECKS = {
    "shapes, exact": mark("small, prime, thin and tile-edge shapes with padded lines, filled with small integers: every cell must be "
                     "equal to the reference, because every order of summation gives the same bits"),
    "shapes, real data": mark("the same shapes with random real numbers: every cell must be within the rounding-error bound of a "
                         "float64 reference"),
    "near its size, exact": mark("random problems about as large as the case and smaller ones, with odd sizes and gaps between rows, filled with "
                            "small integers: every cell must be equal to the reference"),
    "exact": mark("the size of the case with small integers: every cell must be equal to the reference"),
    "real data": mark("the size of the case with random real numbers: every cell must be within the bound. If a full reference takes "
                 "too long, every row and column is checked with random vectors that are drawn after the run"),
    "own size, exact": mark("on the emulated device: the size of the case with small integers, every cell as above"),
    "reduced size, exact": mark("on the emulated device: the proportions of the case at a size that it can run in a few seconds, with small "
                           "integers"),
    "timed output": mark("an output of the timed calls, checked like real data"),
}
FAR_OFF = 1000  # times the bound; a larger error is not shown exactly


def section(run: Run) -> Section:
    checked = [case for case in run.cases if case.check.lines or case.check.shapes]
    blocks: list = []
    if checked:
        blocks += [variants_table(run, checked), checks_table(checked)]
    else:
        blocks.append(Paragraph(say("No case was checked.")))
    blocks += self_test(run)
    return Section(say("Correctness"), "correctness", tuple(blocks))


def worst(cases: list[Case], name: str) -> str:
    """With so many digits that a right value does not look wrong, nor a wrong one right."""
    values = [value for case in cases for row in case.check.lines if (value := getattr(row, name))]
    if not values:
        return "0"
    largest = max(values)
    side = lambda value: (value > 1) - (value < 1)
    shown = (significant(largest, digits) for digits in range(2, 9))
    return next((text for text in shown if side(float(text)) == side(largest)), "1") if largest < FAR_OFF else tr("over {n}", n=FAR_OFF)


def part(count: int, of: int) -> str:
    return tr("all") if count == of else tr("none") if count == 0 else tr("{n} of {all}", n=count, all=of)


def shapes(cases: list[Case]) -> str:
    check = max((case.check for case in cases), key=lambda check: check.shapes)
    return tr("{n} of {all}", n=check.shapes, all=check.shapes + check.left_out) if check.left_out else str(check.shapes)


def variants_table(run: Run, checked: list[Case]) -> Table:
    rows = []
    several = len({case.dtype for case in checked}) > 1
    for variant, dtype in unique((case.variant, case.dtype) for case in checked):
        cases = [case for case in checked if (case.variant, case.dtype) == (variant, dtype)]
        compared = any(row.worst_ratio is not None for case in cases for row in case.check.lines)
        timed = [case for case in cases if not case.emulated]
        again = [case for case in cases if case.check.deterministic is not None]
        rows.append((
            cell(Code(line(variant, 80)), f" {dtype}" if several else ""),
            cell(part(sum(all(row.right for row in case.check.lines) for case in cases), len(cases))),
            cell(shapes(cases)),
            Cell(text(worst(cases, "worst_ratio") if compared else "–")),
            Cell(text(worst(cases, "worst_ratio_gamma") if compared else "–")),
            cell(part(sum(bool(case.check.deterministic) for case in again), len(again)) if again else "–"),
            cell(part(sum(case.check.timed_output for case in timed), len(timed)) if timed else "–")))
    columns = (*words("variant", "cases right"), *numbers("shapes", "error / bound", "error / γ bound"),
               *words("deterministic", "timed output checked"))
    caption = say("Error / bound: the largest error divided by the error that rounding can explain, (6 √K u + 2 u_in) (|α||A||B| + "
                   "|β||C|) for sums of K products with unit roundoff u. A value above 1 is wrong. Error / γ bound: the largest "
                   "error divided by the worst case of rounding, γ = (K + 2) u / (1 - (K + 2) u), where cells were compared one by one. "
                   "Shapes: of the check; a variant may leave out shapes that it does not support. Deterministic: a second call gives the same bits. Every check also looks for writes outside the output, changed "
                   "inputs and cells that were never written.")
    return Table(columns, tuple(rows), tr("What was checked, by variant"), caption=caption)


def checks_table(checked: list[Case]) -> Table:
    """Each check of the run, what it compares, and how many cases passed it."""
    rows = []
    lines = [row for case in checked for row in case.check.lines]
    for name in unique(row.name for row in lines):
        same = [row for row in lines if row.name == name]
        rows.append((cell(tr(line(name, 60))), cell(tr(CHECKS.get(name, "–"))), cell(tr("{n} of {all}", n=sum(r.right for r in same), all=len(same)))))
    return Table(words("check", "what it compares", "right"), tuple(rows), tr("The checks"))


def self_test(run: Run) -> list:
    """Whether the check detects mistakes, tested with implementations that are wrong on purpose."""
    if not run.selftest or not run.selftest.rows:
        return [Paragraph(say("This run has no self-test of the check."))]
    rows = run.selftest.rows
    rejected = sum(row.rejected for row in rows)
    missed = [row.name for row in rows if not row.rejected]
    wrong = plural(len(rows), "deliberately wrong implementation")
    how = (mark("Self-test: the check rejects {n} of {wrong} and accepts the reference.") if run.selftest.accepts_reference else
           mark("Self-test: the check rejects {n} of {wrong} but REJECTS the reference."))
    sentence = tr(how, n=rejected, wrong=wrong)
    if missed:
        sentence += tr(" It does not detect {names}, so do not trust it for such mistakes.", names=listing(missed))
    table = Table(words("wrong implementation", "mistake", "rejected by"),
                  tuple((cell(Code(line(r.name, 60))), cell(line(told(r.mistake), 160) or "–"),
                         cell(line(tr(r.by), 40) or tr("yes")) if r.rejected else cell(tr("not rejected"), best=True)) for r in rows))
    return [Paragraph(text(sentence)), table]
