"""What the original report claimed, what its figures say, and what this run says."""

from reports.document import Cell, Code, Link, Paragraph, Section, Strong, Table, Text, cell, join, numbers, say, text, without_empty_columns, words
from reports.language import mark, told, tr, tr_many
from reports.record import AnsweredClaim, Claim, Run
from reports.numbers import range_text, significant
from reports.text import line, listing, plural

TITLE, ANCHOR = mark("The claims of the report"), "claims"
ABOUT = mark("A claim HOLDS if the 95 % intervals of all its numbers lie inside what it allows, FAILS if one interval is outside, and is "
             "UNDECIDED otherwise. Published figures have no intervals: they are compared as they are printed.")
MOST_RATIOS = 150


def section(run: Run) -> Section | None:
    if not run.claims:
        return None
    heads = words("claim", "source", "published", "this run")
    table = Table(heads, tuple(map(row, run.claims)), title=tr("What the report claimed, and what this run shows"), number=0)
    return Section(say(TITLE), ANCHOR, (Paragraph(say(ABOUT)), table, *ratios(run)))


def row(claim: Claim) -> tuple[Cell, ...]:
    return (cell(Code(line(claim.text, 400))), cell(line(claim.source, 200)), cell(published(claim)), cell(text(*said(claim.measured))))


def said(one: AnsweredClaim) -> tuple[Strong, str]:
    return Strong(one.answer), tr(": ") + line(told(one.why), 600)


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
    caption = tr("The first {n} of {all}; all are in run.json.", n=MOST_RATIOS, all=len(rows)) if len(rows) > MOST_RATIOS else ""
    columns = (*words("claim", "at"), *(words if several else numbers)("published"), *numbers("this run", "95 % interval"), *words("answer"))
    return [without_empty_columns(Table(columns, tuple(rows[:MOST_RATIOS]), tr("The ratios of the claims"), labels=2, caption=text(caption), aligned=False))]


def published(claim: Claim) -> Text:
    """The answer of each machine's figures; without figures, what the report states."""
    stated = [text(tr("stated: {text}", text=line(claim.stated, 200)))] if claim.stated else []
    parts = stated + [text(machine(one), *said(one)) for one in claim.published]
    return join(parts, "; ", "; ") or text("–")


def machine(answered: AnsweredClaim) -> str:
    return line(answered.machine, 200) + tr(": ") if answered.machine else ""


def highlights(run: Run) -> list[Text]:
    if not run.claims:
        return []
    answers = [claim.measured.answer for claim in run.claims if claim.measured.points]
    counts = {answer: answers.count(answer) for answer in ("HOLDS", "FAILS", "UNDECIDED")}
    shown = [tr_many("{n} holds", "{n} hold", counts["HOLDS"]), tr_many("{n} fails", "{n} fail", counts["FAILS"]),
             tr_many("{n} is undecided", "{n} are undecided", counts["UNDECIDED"])]
    shown = [said for said, count in zip(shown, counts.values()) if count]
    if others := len(run.claims) - len(answers):
        shown.append(tr_many("{n} is about cases that this run does not have", "{n} are about cases that this run does not have", others))
    return [say("Of {claims} of the report, {answers}, see {link}.", claims=plural(len(run.claims), "claim"), answers=listing(shown),
                link=Link(tr("the claims"), ANCHOR))]
