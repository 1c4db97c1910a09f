"""What the original report claimed, what its figures say, and what this run says."""

from reports.document import Cell, Code, Link, Paragraph, Section, Strong, Table, Text, cell, text, words
from reports.record import AnsweredClaim, Claim, Run
from reports.text import are, line, listing, plural

TITLE, ANCHOR = "What the report claimed, and what we see", "claims"
ABOUT = ("A claim HOLDS if the 95 % intervals of all its numbers lie inside what it allows, FAILS if one interval is outside, and is "
         "UNDECIDED otherwise. Published figures have no intervals: they are compared as they are printed.")
WORDS = {"HOLDS": "hold", "FAILS": "fail", "UNDECIDED": "undecided"}


def section(run: Run) -> Section | None:
    if not run.claims:
        return None
    heads = words("claim", "source", "published", "this run", "answer")
    table = Table(heads, tuple(map(row, run.claims)), title="Claims of the report", number=0)
    return Section(text(TITLE), ANCHOR, (Paragraph(text(ABOUT)), table))


def row(claim: Claim) -> tuple[Cell, ...]:
    return (cell(Code(line(claim.text, 400))), cell(line(claim.source, 200)), cell(published(claim)), cell(line(claim.measured.why, 600)),
            cell(Strong(claim.measured.answer)))


def published(claim: Claim) -> Text:
    """The answer of each machine's figures; without figures, what the report states."""
    stated = [text(f"stated: {line(claim.stated, 200)}")] if claim.stated else []
    parts = stated + [text(machine(one), Strong(one.answer), f": {line(one.why, 600)}") for one in claim.published]
    return text(*(piece for i, part in enumerate(parts) for piece in ("; " * bool(i), part))) or text("–")


def machine(answered: AnsweredClaim) -> str:
    return f"{line(answered.machine, 200)}: " if answered.machine else ""


def highlights(run: Run) -> list[Text]:
    if not run.claims:
        return []
    answers = [claim.measured.answer for claim in run.claims]
    counts = [(answers.count(answer), word) for answer, word in WORDS.items() if answer in answers]
    shown = listing([f"{count} {are(count) + ' ' if word == 'undecided' else ''}{word + 's' * (count == 1 and word != 'undecided')}"
                     for count, word in counts])
    return [text(f"Of {plural(len(answers), 'claim')} of the report, {shown}, see ", Link("the claims", ANCHOR), ".")]
