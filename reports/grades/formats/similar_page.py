"""The page of sources that are alike, side by side, for the teacher. It gives and takes no points."""

from collections import Counter

from reports.grades.formats import for_class
from reports.grades.load import Class
from reports.grades.similar import LEAST_SHARE, MOST_TEXT, Pair, Source, similar_sources
from reports.html import environment
from reports.language import mark, tr, tr_many
from reports.text import clean, line, listing, plural

MOST = 60  # pairs on the page
OF_TWO = 16  # pairs of the same two people; otherwise copies of the lab's sources could fill the page
LINES = 400  # of one side
AROUND = 5  # lines that are shown around those that are alike
CHARACTERS = 100_000  # of one side
ABOUT = mark("The percentage is the share of the smaller source that the other one has too, whatever the names, numbers, comments and layout. "
             "Passages of the skeletons do not count, nor do passages that many people wrote. Pairs from {least} on are listed, and marked lines are "
             "alike. Likeness alone does not show that somebody copied: look at the lines, and talk to the students.")


def marked(pair: Pair, source: Source) -> list[tuple[int, str, bool]]:
    """The lines that are shown: number, text, and whether the other source has it too. Of a long source, only lines around those."""
    alike, texts = pair.lines(source), source.text.rstrip().split("\n")
    numbers = set(range(1, len(texts) + 1))
    if len(texts) > LINES:
        numbers &= {number + step for number in sorted(alike)[:LINES] for step in range(-AROUND, AROUND + 1)}
    left, shown = CHARACTERS, []
    for number in sorted(numbers)[:LINES]:
        text = clean(texts[number - 1])
        cut = text if len(text) <= left else text[:left] + tr(" … ({n} more characters)", n=len(text) - left)
        left -= min(left, len(text))
        shown.append((number, cut, number in alike))
    return shown


def not_shown(source: Source, shown: list) -> str:
    left_out = len(source.text.rstrip().split("\n")) - len(shown)
    return tr_many("{n} line of this source is not shown.", "{n} lines of this source are not shown.", left_out) if left_out else ""


def listed(found: list[Pair]) -> list[Pair]:
    of_two, chosen = Counter(), []
    for pair in found:
        two = frozenset((pair.one.owner, pair.other.owner))
        of_two[two] += 1
        if of_two[two] <= OF_TWO:
            chosen.append(pair)
    return chosen[:MOST]


def heading(pair: Pair) -> str:
    return tr("{one} ({file}) and {other} ({its_file}): {lines}", one=line(pair.one.owner, 60), file=line(pair.one.file, 60),
              other=line(pair.other.owner, 60), its_file=line(pair.other.file, 60), lines=plural(len(pair.lines(pair.one)), "line"))


@for_class("similar", "similar.html", "sources that are alike, side by side, for the teacher; never used for points")
def similar_page(pupils: Class) -> str:
    found = similar_sources(pupils)
    chosen = listed(found)
    left_out = len(found) - len(chosen)
    return environment().get_template("similar.html.j2").render(
        grading=pupils.grades.grading, pairs=chosen, about=tr(ABOUT, least=f"{100 * LEAST_SHARE:.0f} %"), marked=marked, not_shown=not_shown, line=line,
        pairs_text=plural(len(chosen), "pair"), heading=heading,
        left_out=tr_many("{n} more pair is not listed: with less in common, or of two people who have {most} pairs here.",
                         "{n} more pairs are not listed: with less in common, or of two people who have {most} pairs here.", left_out, most=OF_TWO) if left_out else "",
        too_long=tr("These people's sources are too long to compare all of them: {names}. Of each person, {n} characters are compared: first the "
                    "variants, and of these and the other files the shortest first.", names=listing([line(owner, 60) for owner in pupils.too_long], 20), n=f"{MOST_TEXT:,}") if pupils.too_long else "")
