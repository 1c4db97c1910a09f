"""Makes the PDF with WeasyPrint."""

import logging

from reports.errors import ReportError


def render_pdf(page: str) -> bytes:
    try:
        import weasyprint  # imported here because it needs the Pango library; the other formats do not
    except OSError as error:
        raise ReportError(f"the Pango library cannot be loaded ({error}); install libpango-1.0-0 and libpangoft2-1.0-0, or leave pdf "
                          "out of --formats") from None
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    nothing = weasyprint.urls.URLFetcher(allowed_protocols=[])  # the page may load nothing
    return weasyprint.HTML(string=page, url_fetcher=nothing).write_pdf(pdf_tags=True)
