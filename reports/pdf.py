"""The page as a PDF, through WeasyPrint, which may fetch nothing."""

import logging

from reports.errors import ReportError


def render_pdf(html: str) -> bytes:
    # heavy, and not needed for the other formats
    try:
        import weasyprint
    except OSError as error:
        raise ReportError(f"the PDF needs the Pango library, which cannot be loaded ({error}); install libpango-1.0-0 and "
                          "libpangoft2-1.0-0, or leave pdf out of --formats") from None

    logging.getLogger("weasyprint").setLevel(logging.ERROR)

    class Nothing(weasyprint.urls.URLFetcher):
        def fetch(self, url, headers=None):
            raise ValueError("a report fetches nothing")

    return weasyprint.HTML(string=html, url_fetcher=Nothing()).write_pdf(pdf_identifier=b"harness", pdf_tags=True)
