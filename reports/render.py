"""Writes the files of a report. Each file is written completely or not at all."""

import os
import socket
from pathlib import Path
from typing import Iterable

from reports.document import Document, Picture
from reports.errors import ReportError
from reports.evidence import evidence
from reports.fields import Fields
from reports.html import render_html
from reports.language import speaking
from reports.load import load_run
from reports.markdown import render_markdown
from reports.pdf import render_pdf
from reports.plots import Chart
from reports.record import Run
from reports.results import PLOTS
from reports.sections import document


# Format -> the file, and what renders it from the document, its drawings and what lies behind its numbers.
FORMATS = {
    "md": ("report.md", lambda made, drawings, data: render_markdown(made).encode()),
    "html": ("report.html", lambda made, drawings, data: render_html(made, drawings, data=data).encode()),
    "pdf": ("report.pdf", lambda made, drawings, data: render_pdf(render_html(made, drawings, paper=True))),
}


def render_run(folder: Path, formats: Iterable[str], language: str = "") -> list[Path]:
    """Returns the files that it wrote. Without a language, the report has that of the configuration, or English."""
    run = load_run(folder)
    with speaking(language or Fields(run.report, "run.json: report").text("language")):
        return render_all(run, folder, formats)


def render_all(run: Run, folder: Path, formats: Iterable[str]) -> list[Path]:
    """It renders everything before it writes anything."""
    made, charts = document(run)
    drawings, data = drawn(charts), evidence(run, folder)
    files = {folder / PLOTS / f"figure-{number}.svg": svg.encode() for number, svg in drawings.items()}
    files |= {folder / picture.file: picture.svg.encode() for picture in pictures(made)}
    for name, (file, render) in FORMATS.items():
        if name in formats:
            files[folder / file] = render(made, drawings, data)
    save(files, folder / PLOTS)
    return list(files)


def pictures(made: Document) -> list[Picture]:
    return [block for section in made.sections for part in (section, *section.sections) for block in part.blocks
            if isinstance(block, Picture)]


def drawn(charts: dict[int, Chart]) -> dict[int, str]:
    if not charts:
        return {}
    from reports.draw import draw_svg  # imports matplotlib, which only reports with plots need

    return {number: draw_svg(chart, f"figure-{number}") for number, chart in charts.items()}


def save(files: dict[Path, bytes], plots: Path) -> None:
    path = plots
    try:
        for path, content in files.items():
            write(path, content)
        for pattern in ("figure-*.*", "kernel-*.*"):
            for path in plots.glob(pattern):
                if path not in files:
                    path.unlink()
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror}") from None


def write(path: Path, content: bytes) -> None:
    """Writes a draft and renames it at the end, so that nobody reads half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.tmp")  # named as in harness/base/draft.h
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # without this, a power failure after the rename could leave an empty file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
