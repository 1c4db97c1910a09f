"""The page of sources that are alike, side by side, for the teacher. It gives and takes no points."""

from reports.grades.formats import for_class
from reports.grades.load import Class
from reports.grades.similar import LEAST_SHARE, Pair, Source, similar_sources
from reports.html import environment
from reports.language import mark, tr, tr_many
from reports.text import clean, line, plural

MOST = 60  # pairs on the page
ABOUT = mark("The percentage is the share of the smaller source that the other one has too, whatever the names, numbers, comments and layout. "
             "Passages of the skeletons do not count, nor do passages that many people wrote. Pairs from {least} on are listed, and marked lines are "
             "alike. Likeness alone does not show that somebody copied: look at the lines, and talk to the students.")


def marked(pair: Pair, source: Source) -> list[tuple[int, str, bool]]:
    """The lines of a source: number, text, and whether the other source has it too."""
    alike = pair.lines(source)
    return [(number, text, number in alike) for number, text in enumerate(clean(source.text).rstrip().split("\n"), 1)]


def heading(pair: Pair) -> str:
    return tr("{one} ({file}) and {other} ({its_file}): {lines}", one=line(pair.one.owner, 60), file=line(pair.one.file, 60),
              other=line(pair.other.owner, 60), its_file=line(pair.other.file, 60), lines=plural(len(pair.lines(pair.one)), "line"))


@for_class("similar", "similar.html", "sources that are alike, side by side, for the teacher; never used for points")
def similar_page(pupils: Class) -> str:
    found = similar_sources(pupils)
    left_out = len(found) - len(found[:MOST])
    return environment().get_template("similar.html.j2").render(
        grading=pupils.grades.grading, pairs=found[:MOST], about=tr(ABOUT, least=f"{100 * LEAST_SHARE:.0f} %"), marked=marked, line=line,
        pairs_text=plural(len(found[:MOST]), "pair"), heading=heading,
        left_out=tr_many("{n} pair with less in common is not listed.", "{n} pairs with less in common are not listed.", left_out) if left_out else "")
