"""The process that makes a PDF through WeasyPrint, which may fetch nothing: the page comes in as one line of JSON, the drawings as
another, the PDF goes out."""

import ctypes.util
import gc
import json
import logging
import os
import sys
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Callable
from xml.etree import ElementTree

from reports.text import clean

Drawings = dict[str, str]  # SVG by the number of the figure


class Drawing:
    """For WeasyPrint an image, which waits for its drawing when it is painted and not before."""

    def __init__(self, number: str, drawings: Callable[[], Drawings]):
        self.number, self.drawings = number, drawings

    def get_intrinsic_size(self, _resolution, _font_size) -> tuple[None, None, None]:
        return None, None, None  # the page says how large it is

    def draw(self, stream, width: float, height: float, style) -> None:
        from weasyprint.images import SVGImage

        # of its context a drawing needs the fonts, which the style has too
        image = SVGImage(ElementTree.fromstring(self.drawings()[self.number]), None, None, style)
        set_whole(image._svg.tree)
        image.draw(stream, width, height, style)


class Whole(str):
    """A text that is set at once. WeasyPrint sets letter by letter, which no text of ours asks for and took half of a drawing's time."""

    def __iter__(self):
        yield str(self)


def set_whole(node) -> None:
    for child in node:
        if child.tag == "text":
            child._etree_node.text = Whole(child.text)
        set_whole(child)


def render_pdf(page: str, drawings: Callable[[], Drawings] = dict) -> bytes:
    import weasyprint
    from cssselect2 import ElementWrapper

    logging.getLogger("weasyprint").setLevel(logging.ERROR)

    class Nothing(weasyprint.urls.URLFetcher):
        def fetch(self, url, headers=None):
            raise ValueError("a report fetches nothing")

    class Page(weasyprint.HTML):
        """Read as the XML that it is, in which a control character may stand nowhere: the parser for all that browsers forgive took a
        tenth of the time."""

        def __init__(self):
            self.base_url, self.url_fetcher, self.media_type = None, Nothing(), "print"
            self.etree_element = ElementTree.fromstring(clean(page))
            self.wrapper_element = ElementWrapper.from_html_root(self.etree_element)

    made = Page()
    addresses = [image.get("src") for image in made.etree_element.iter("img")]
    images = {address: Drawing(address.removeprefix("figure:"), drawings) for address in addresses if address.startswith("figure:")}
    # without `pdf_identifier`, for which all would be written twice
    return made.write_pdf(pdf_tags=True, cache=images)


def load() -> None:
    """WeasyPrint knows its libraries by the names of several systems. cffi would search for each of them through gcc and ldconfig, which
    takes as long as all the rest; the names of this system need no search."""
    search = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None
    try:
        import weasyprint  # noqa: F401
    finally:
        ctypes.util.find_library = search


def read(arrived: SimpleQueue) -> None:
    """Beside all else, so that who writes need not wait."""
    for line in sys.stdin:
        arrived.put(json.loads(line))
    arrived.put(None)  # else whoever waits would wait for ever


def main() -> int:
    arrived: SimpleQueue = SimpleQueue()
    Thread(target=read, args=(arrived,), daemon=True).start()
    gc.disable()  # trees of boxes that live until the end: looking for garbage in them took a tenth of the time
    try:
        load()  # while the page is still being made
    except OSError as error:
        print(f"the Pango library cannot be loaded ({error}); install libpango-1.0-0 and libpangoft2-1.0-0, or leave pdf out of "
              "--formats", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(render_pdf(arrived.get(), cache(arrived.get)))
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # taking the trees of boxes apart took a twentieth of the time
