"""Correctness: what every variant was checked with, how close it came to its bound, and whether the check can be trusted."""

from reports.document import Cell, Code, Paragraph, Section, Table, cell, numbers, text, words
from reports.model import Case, Run
from reports.numbers import significant
from reports.text import line, listing, plural, unique

# name: what the check shows
CHECKS = {
    "shapes, exact": "smallest, prime, thin and tile-edge shapes with padded lines, on small integers, where every order of "
                     "summation gives the same bits: equality",
    "shapes, real data": "the same shapes on random reals: every cell within the rounding-error bound of a float64 reference",
    "exact": "the case's own size on small integers: equality",
    "real data": "the case's own size on random reals: every cell within the bound, or, where a reference would take too long, "
                 "every row and column through random vectors drawn after the run",
    "timed output": "an output of the timed calls themselves, judged like real data",
}
FAR_OFF = 1000  # times the bound: how many more no longer matters


def section(run: Run) -> Section:
    checked = [case for case in run.cases if case.check.lines or case.check.shapes]
    blocks: list = []
    if checked:
        blocks += [variants_table(run, checked), ladder_table(checked)]
    else:
        blocks.append(Paragraph(text("No case came as far as a check.")))
    blocks += self_test(run)
    return Section(text("Correctness"), "correctness", tuple(blocks))


def worst(cases: list[Case], name: str) -> str:
    values = [value for case in cases for row in case.check.lines if (value := getattr(row, name))]
    if not values:
        return "0"
    return significant(max(values), 2) if max(values) < FAR_OFF else f"over {FAR_OFF}"


def part(count: int, of: int) -> str:
    return "all" if count == of else "none" if count == 0 else f"{count} of {of}"


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
            cell(str(max(case.check.shapes for case in cases))),
            Cell(text(worst(cases, "worst_ratio") if compared else "–")),
            Cell(text(worst(cases, "worst_ratio_gamma") if compared else "–")),
            cell(part(sum(bool(case.check.deterministic) for case in again), len(again)) if again else "–"),
            cell(part(sum(case.check.timed_output for case in timed), len(timed)) if timed else "–")))
    columns = (*words("variant", "cases right"), *numbers("shapes", "error / bound", "error / γ bound"),
               *words("same bits again", "timed output judged"))
    caption = text("Error / bound: the largest error over what rounding alone explains, (6 √K u + 2 u_in) (|α||A||B| + |β||C|) "
                   "for sums of K products of roundoff u; above 1 is wrong. Error / γ bound: the same over what the worst case of "
                   "all roundings allows, γ_K = K u / (1 - K u); only where cells were compared one by one. Every check also looks for writes outside the output, "
                   "changed inputs and cells that were never written.")
    return Table(columns, tuple(rows), "What was checked, by variant", caption=caption)


def ladder_table(checked: list[Case]) -> Table:
    """Each check of the run, what it shows, and in how many cases it held."""
    rows = []
    lines = [row for case in checked for row in case.check.lines]
    for name in unique(row.name for row in lines):
        same = [row for row in lines if row.name == name]
        rows.append((cell(line(name, 60)), cell(CHECKS.get(name, "–")), cell(f"{sum(r.right for r in same)} of {len(same)}")))
    return Table(words("check", "what it shows", "right"), tuple(rows), "The checks")


def self_test(run: Run) -> list:
    """Does the check notice mistakes? Shown by kernels that are wrong on purpose."""
    rows = run.self_test
    if not rows:
        return [Paragraph(text("This run holds no self-test of the check."))]
    rejected = sum(row.rejected for row in rows)
    accepts = {True: " and accepts the reference", False: " but REFUSES the reference", None: ""}[run.accepts_reference]
    missed = [row.name for row in rows if not row.rejected]
    sentence = f"Self-test: the check rejects {rejected} of {plural(len(rows), 'kernel')} that are wrong on purpose{accepts}."
    if missed:
        sentence += f" It does not notice {listing(missed)}: do not trust it for such mistakes."
    table = Table(words("wrong kernel", "its mistake", "rejected by"),
                  tuple((cell(Code(line(r.name, 60))), cell(line(r.mistake, 160) or "–"),
                         cell(line(r.by, 40) or "yes") if r.rejected else cell("not rejected", best=True)) for r in rows))
    return [Paragraph(text(sentence)), table]
