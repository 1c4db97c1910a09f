"""What the original report claimed, what its figures say, and what this run says."""

from reports.document import Cell, Code, Link, Paragraph, Section, Strong, Table, Text, cell, join, numbers, text, without_empty_columns, words
from reports.record import AnsweredClaim, Claim, Run
from reports.numbers import range_text, significant
from reports.text import are, line, listing, plural

TITLE, ANCHOR = "The claims of the report", "claims"
ABOUT = ("A claim HOLDS if the 95 % intervals of all its numbers lie inside what it allows, FAILS if one interval is outside, and is "
         "UNDECIDED otherwise. Published figures have no intervals: they are compared as they are printed.")
MOST_RATIOS = 150
WORDS = {"HOLDS": "hold", "FAILS": "fail", "UNDECIDED": "undecided"}


def section(run: Run) -> Section | None:
    if not run.claims:
        return None
    heads = words("claim", "source", "published", "this run")
    table = Table(heads, tuple(map(row, run.claims)), title="What the report claimed, and what this run shows", number=0)
    return Section(text(TITLE), ANCHOR, (Paragraph(text(ABOUT)), table, *ratios(run)))


def row(claim: Claim) -> tuple[Cell, ...]:
    return (cell(Code(line(claim.text, 400))), cell(line(claim.source, 200)), cell(published(claim)), cell(text(*said(claim.measured))))


def said(one: AnsweredClaim) -> tuple[Strong, str]:
    return Strong(one.answer), f": {line(one.why, 600)}"


def ratios(run: Run) -> list[Table]:
    """All numbers of the claims about ratios, beside the published ones: how many times slower a variant is at each point."""
    rows = []
    several = any(len(claim.published) > 1 for claim in run.claims)
    for claim in run.claims:
        if claim.number != "ratio" or len([point for point in claim.measured.points if point.value is not None]) < 2:
            continue
        for point in claim.measured.points:
            printed = [f"{machine(one) if several else ''}{significant(found.value, 4)}" for one in claim.published
                       for found in one.points if found.value is not None and sorted(found.at.split()) == sorted(point.at.split())]  # in another order
            shown, _, ends = range_text(point.value, point.low, point.high).partition(" (") if point.value is not None else ("", "", "")
            rows.append((cell(Code(line(claim.text, 200))), cell(line(point.at, 120)),
                         cell("; ".join(printed) or "–", word=not printed),
                         cell(shown, value=point.value) if shown else cell("–", word=True), cell(ends.rstrip(")") or "–", word=True),
                         cell(point.answer)))
    if not rows:
        return []
    caption = f"The first {MOST_RATIOS} of {len(rows)}; all are in run.json." if len(rows) > MOST_RATIOS else ""
    columns = (*words("claim", "at"), *(words if several else numbers)("published"), *numbers("this run", "95 % interval"), *words("answer"))
    return [without_empty_columns(Table(columns, tuple(rows[:MOST_RATIOS]), "The ratios of the claims", labels=2, caption=text(caption), aligned=False))]


def published(claim: Claim) -> Text:
    """The answer of each machine's figures; without figures, what the report states."""
    stated = [text(f"stated: {line(claim.stated, 200)}")] if claim.stated else []
    parts = stated + [text(machine(one), *said(one)) for one in claim.published]
    return join(parts, "; ", "; ") or text("–")


def machine(answered: AnsweredClaim) -> str:
    return f"{line(answered.machine, 200)}: " if answered.machine else ""


def highlights(run: Run) -> list[Text]:
    if not run.claims:
        return []
    answers = [claim.measured.answer for claim in run.claims if claim.measured.points]
    counts = [(answers.count(answer), word) for answer, word in WORDS.items() if answer in answers]
    shown = [f"{count} {are(count) + ' ' if word == 'undecided' else ''}{word + 's' * (count == 1 and word != 'undecided')}"
             for count, word in counts]
    if others := len(run.claims) - len(answers):
        shown.append(f"{others} {are(others)} about cases that this run does not have")
    return [text(f"Of {plural(len(run.claims), 'claim')} of the report, {listing(shown)}, see ", Link("the claims", ANCHOR), ".")]
