"""From a run folder to the files of its report, each written whole or not at all."""

import os
from pathlib import Path
from typing import Iterable

from reports.errors import ReportError
from reports.html import render_html
from reports.load import load_run
from reports.markdown import render_markdown
from reports.sections import PLOTS, document


def render_run(folder: Path, formats: Iterable[str]) -> list[Path]:
    """Returns what it wrote. Everything is rendered before anything is written."""
    formats = tuple(formats)
    run = load_run(folder)
    made, charts = document(run)
    drawings, pixels = drawn(charts, png="md" in formats)
    files: dict[Path, bytes] = {}
    for number, svg in drawings.items():
        files[folder / PLOTS / f"figure-{number}.svg"] = svg.encode()
    for number, png in pixels.items():
        files[folder / PLOTS / f"figure-{number}.png"] = png
    if "md" in formats:
        files[folder / "report.md"] = render_markdown(made).encode()
    if "html" in formats:
        files[folder / "report.html"] = render_html(made, drawings).encode()
    if "pdf" in formats:
        from reports.pdf import render_pdf

        files[folder / "report.pdf"] = render_pdf(render_html(made, drawings, paper=True))
    try:
        for path, content in files.items():
            write(path, content)
        for stale in (folder / PLOTS).glob("figure-*.*"):
            if stale not in files and ("md" in formats or stale.suffix == ".svg"):
                stale.unlink()
    except OSError as error:
        raise ReportError(f"{error.filename}: cannot be written: {error.strerror}") from None
    return list(files)


def drawn(charts: dict, png: bool) -> tuple[dict[int, str], dict[int, bytes]]:
    if not charts:
        return {}, {}
    from reports.draw import draw  # matplotlib, only for a report that has plots

    vectors, pixels = {}, {}
    for number, chart in charts.items():
        vectors[number], image = draw(chart, f"figure-{number}", png)
        if png:
            pixels[number] = image
    return vectors, pixels


def write(path: Path, content: bytes) -> None:
    """Through a neighbour that takes the name at the end: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
