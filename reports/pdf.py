"""The page as a PDF, through WeasyPrint, which may fetch nothing. In a process of its own, so that loading WeasyPrint and laying
out the pages goes on beside drawing and writing the other formats."""

import gc
import logging
import subprocess
import sys
from pathlib import Path

from reports.errors import ReportError


def start() -> subprocess.Popen:
    """Loads WeasyPrint and waits for a page."""
    return subprocess.Popen([sys.executable, "-m", "reports.pdf"], cwd=Path(__file__).parents[1], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def send(process: subprocess.Popen, html: str) -> None:
    try:
        process.stdin.write(html.encode())
        process.stdin.close()
    except BrokenPipeError:
        pass  # it ended early: `finish` has its reason


def finish(process: subprocess.Popen) -> bytes:
    process.stdin = None
    made, error = process.communicate()
    if process.returncode:
        reason = error.decode(errors="replace").strip().split("\n")[-1]
        raise ReportError(f"the PDF could not be made: {reason or f'the process ended with {process.returncode}'}")
    return made


def render_pdf(html: str) -> bytes:
    import weasyprint

    logging.getLogger("weasyprint").setLevel(logging.ERROR)

    class Nothing(weasyprint.urls.URLFetcher):
        def fetch(self, url, headers=None):
            raise ValueError("a report fetches nothing")

    return weasyprint.HTML(string=html, url_fetcher=Nothing()).write_pdf(pdf_identifier=b"harness", pdf_tags=True)


def main() -> int:
    gc.disable()  # trees of boxes that live until the end: looking for garbage in them took a tenth of the time
    try:
        import weasyprint  # noqa: F401  while the page is still being made
    except OSError as error:
        print(f"the Pango library cannot be loaded ({error}); install libpango-1.0-0 and libpangoft2-1.0-0, or leave pdf out of "
              "--formats", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(render_pdf(sys.stdin.buffer.read().decode()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
