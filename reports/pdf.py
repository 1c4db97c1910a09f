"""The page as a PDF, through WeasyPrint, which may fetch nothing. In a process of its own: it loads WeasyPrint and lays out the
pages while this one draws the plots, of which a page needs no more than the size."""

import gc
import json
import logging
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Callable
from xml.etree import ElementTree

from markupsafe import Markup

from reports.errors import ReportError
from reports.frame import WIDTH, height
from reports.plots import Chart, alt_text
from reports.text import clean

PRINTED_WIDTH = 165.0  # mm


def start() -> subprocess.Popen:
    """Loads WeasyPrint and waits for a page."""
    return subprocess.Popen([sys.executable, "-m", "reports.pdf"], cwd=Path(__file__).parents[1], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def place(number: int, chart: Chart) -> Markup:
    """What stands in the page for a drawing that is sent later."""
    return Markup('<img src="figure:{}" alt="{}" style="width:{}mm;height:{:.3f}mm"/>').format(
        number, alt_text(chart), PRINTED_WIDTH, PRINTED_WIDTH * height(chart) / WIDTH)


def send(process: subprocess.Popen, page: str) -> None:
    """The page is XML, in which a control character may stand nowhere."""
    try:
        process.stdin.write(message(clean(page)))
        process.stdin.flush()
    except BrokenPipeError:
        pass  # it ended early: `finish` has its reason


def finish(process: subprocess.Popen, drawings: dict[int, str]) -> bytes:
    made, error = process.communicate(message(drawings))
    if process.returncode:
        reason = error.decode(errors="replace").strip().split("\n")[-1]
        raise ReportError(f"the PDF could not be made: {reason or f'the process ended with {process.returncode}'}")
    return made


def message(content) -> bytes:
    return json.dumps(content).encode() + b"\n"


class Drawing:
    """For WeasyPrint an image, which waits for its drawing when it is painted and not before."""

    def __init__(self, number: str, drawings: Callable[[], dict[str, str]]):
        self.number, self.drawings = number, drawings

    def get_intrinsic_size(self, _resolution, _font_size) -> tuple[None, None, None]:
        return None, None, None  # the page says how large it is

    def draw(self, stream, width: float, height: float, style) -> None:
        from weasyprint.images import SVGImage

        # of its context an image needs the fonts, which the style has too
        SVGImage(ElementTree.fromstring(self.drawings()[self.number]), None, None, style).draw(stream, width, height, style)


def render_pdf(page: str, drawings: Callable[[], dict[str, str]] = dict) -> bytes:
    import weasyprint
    from cssselect2 import ElementWrapper

    logging.getLogger("weasyprint").setLevel(logging.ERROR)

    class Nothing(weasyprint.urls.URLFetcher):
        def fetch(self, url, headers=None):
            raise ValueError("a report fetches nothing")

    class Page(weasyprint.HTML):
        """Read as the XML that it is: the parser for all that browsers forgive took a tenth of the time."""

        def __init__(self):
            self.base_url, self.url_fetcher, self.media_type = None, Nothing(), "print"
            self.etree_element = ElementTree.fromstring(page)
            self.wrapper_element = ElementWrapper.from_html_root(self.etree_element)

    made = Page()
    numbers = [image.get("src").removeprefix("figure:") for image in made.etree_element.iter("img")]
    images = {f"figure:{number}": Drawing(number, drawings) for number in numbers}
    return made.write_pdf(pdf_tags=True, cache=images)


def main() -> int:
    gc.disable()  # trees of boxes that live until the end: looking for garbage in them took a tenth of the time
    try:
        import weasyprint  # noqa: F401  while the page is still being made
    except OSError as error:
        print(f"the Pango library cannot be loaded ({error}); install libpango-1.0-0 and libpangoft2-1.0-0, or leave pdf out of "
              "--formats", file=sys.stderr)
        return 1
    arrived = map(json.loads, sys.stdin)
    sys.stdout.buffer.write(render_pdf(next(arrived), cache(lambda: next(arrived))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
