"""The page as a PDF, made by a process of its own (printer.py): it lays out the pages while this one draws the plots, of which a page
needs no more than the size."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from reports.errors import ReportError


def start() -> subprocess.Popen:
    """Loads WeasyPrint and waits for a page."""
    return subprocess.Popen([sys.executable, "-m", "reports.printer"], cwd=Path(__file__).parents[1], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def send(process: subprocess.Popen, content: str | dict[int, str]) -> None:
    """The page, then its drawings: SVG by the number of the figure."""
    if not process.stdin:
        return
    try:
        process.stdin.write(json.dumps(content).encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:  # it ended early: `finish` has its reason
        with suppress(BrokenPipeError):  # of what is still to be written
            process.stdin.close()
        process.stdin = None


def finish(process: subprocess.Popen) -> bytes:
    made, error = process.communicate()
    if process.returncode:
        reason = error.decode(errors="replace").strip().split("\n")[-1]
        raise ReportError(f"the PDF could not be made: {reason or f'the process ended with {process.returncode}'}")
    return made
