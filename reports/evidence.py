"""What lies behind each number of a report, as JSON inside the HTML page: samples, checks, builds and the text of sources."""

import hashlib
import json
import re
from pathlib import Path
from typing import Sequence

from reports.html import TEMPLATES
from reports.language import told, tr
from reports.method import STOPS
from reports.metrics import COUNTED, NOT_SAMPLED
from reports.provenance import machine_line
from reports.record import Run
from reports.text import cleaned

MOST_SAMPLES = 30_000  # in one page, about 600 KB; a run with more shows every second, third ... sample of each case
MOST_SOURCE_BYTES = 400_000  # of all texts in one page
PROJECT = Path(__file__).resolve().parents[1]
BUILD = ("key", "variant", "command", "compiler", "source_hash")
IN_SCRIPT = re.compile(r'\btr\("([^"]+)"')
HASH = re.compile(r"[0-9a-f]{64}")


def evidence(run: Run, folder: Path) -> str:
    """What is in run.json, and the texts of sources. The result can stand inside a script element: it has no "<"."""
    step = -(-sum(len(case.samples_ms) for case in run.cases) // MOST_SAMPLES) or 1
    raw = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    made = {"run": run.run.id, "machine": machine_line(run), "noise": raw["noise"], "cases": [of_case(case, step) for case in raw["cases"]],
            "builds": [{key: build[key] for key in BUILD} for build in raw["builds"]], "sources": source_texts(run, folder),
            "metrics": {name: info | {"label": told(info["label"])} for name, info in raw["metrics_info"].items()}, "not_sampled": {name: tr(why) for name, why in NOT_SAMPLED.items()}, "counted": COUNTED, "texts": script_texts(), "stops": {reason: tr(how) for reason, how in STOPS.items()}}
    return json.dumps(cleaned(made), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def script_texts() -> dict[str, str]:
    """The translations of templates/report.js."""
    return {text: translated for text in IN_SCRIPT.findall((TEMPLATES / "report.js").read_text(encoding="utf-8"))
            if (translated := tr(text)) != text}


def of_case(case: dict, step: int) -> dict:
    count = len(case["samples_ms"])
    return case | {"samples_ms": case["samples_ms"][::step], "rounds": case["rounds"][::step], "samples_taken": count}


def source_texts(run: Run, folder: Path) -> dict[str, str]:
    """The texts of what was built, by hash: from the bundle or the store around the folder of the run, or from the project.
    A file counts only if its hash is that of the build."""
    paths = {(one.variant, one.hash): one.path for one in run.sources}
    files = {variant.name: variant.file for variant in run.variants}
    found: dict[str, str] = {}
    left = MOST_SOURCE_BYTES
    for build in run.builds:
        path = paths.get((build.variant, build.source_hash)) or files.get(build.variant, "")
        if build.source_hash in found or not HASH.fullmatch(build.source_hash) or ".." in Path(path).parts:
            continue
        around = [folder / "sources" / path, folder.resolve().parent.parent / "sources" / build.source_hash, PROJECT / path]
        text = first_text(around, build.source_hash, left)
        if text is not None:
            found[build.source_hash] = text
            left -= len(text)
    return found


def first_text(files: Sequence[Path], wanted: str, most: int) -> str | None:
    for file in files:
        try:
            data = file.read_bytes() if file.is_file() and file.stat().st_size <= most else b""
        except (OSError, ValueError):
            continue
        if hashlib.sha256(data).hexdigest() == wanted:
            return data.decode("utf-8", "replace")
    return None
