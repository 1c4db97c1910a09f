"""The page of sources that are alike, side by side, for the teacher. It gives and takes no points."""

from reports.grades.formats import for_class
from reports.grades.load import Class
from reports.grades.similar import LEAST_SHARE, Pair, Source, similar_sources
from reports.html import environment
from reports.text import clean, line, plural

MOST = 60  # pairs on the page


def marked(pair: Pair, source: Source) -> list[tuple[int, str, bool]]:
    """The lines of a source: number, text, and whether the other source has it too."""
    alike = pair.lines(source)
    return [(number, text, number in alike) for number, text in enumerate(clean(source.text).rstrip().split("\n"), 1)]


@for_class("similar", "similar.html", "sources that are alike, side by side, for the teacher; never used for points")
def similar_page(pupils: Class) -> str:
    found = similar_sources(pupils)
    return environment().get_template("similar.html.j2").render(
        grading=pupils.grades.grading, pairs=found[:MOST], left_out=len(found) - len(found[:MOST]), least=f"{LEAST_SHARE:.0%}".replace("%", " %"),
        marked=marked, line=line, plural=plural)
