"""One archive of a run: what a reader needs to check it, and to make it again. The same run gives the same bytes.

The harness puts `run.json` and `sources/` into a folder; this adds the report, the descriptions and the hashes.
"""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

from reports.crate import crate
from reports.errors import ReportError
from reports.load import load_run
from reports.record import Run
from reports.render import render_run, write
from reports.unpack import LARGEST_BYTES, MANIFEST, SCHEMA

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that ZIP knows


def make_bundle(folder: Path, output: Path) -> str:
    """Returns the hash of the archive."""
    run = load_run(folder)
    render_run(folder, ("md", "html"))
    (folder / "CITATION.cff").write_text(citation(run), encoding="utf-8")
    (folder / "versions.json").write_text(as_json(versions(run)), encoding="utf-8")
    (folder / "REPRODUCE.md").write_text(REPRODUCE, encoding="utf-8")
    (folder / "ro-crate-metadata.json").write_text(as_json(crate(run, names(folder))), encoding="utf-8")
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names(folder)}
    about = {"schema": SCHEMA, "run": run.run.id, "lab": run.run.lab, "files": hashes}
    (folder / MANIFEST).write_text(as_json(about), encoding="utf-8")
    data = archive(folder)
    try:
        write(output, data)
    except OSError as error:
        raise ReportError(f"{output}: cannot be written: {error.strerror}") from None
    return hashlib.sha256(data).hexdigest()


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)


def archive(folder: Path) -> bytes:
    from io import BytesIO
    out = BytesIO()
    total = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        for name in (MANIFEST, *names(folder)):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            data = (folder / name).read_bytes()
            total += len(data)
            zipped.writestr(entry, data)
    if total > LARGEST_BYTES:
        raise ReportError(f"the bundle would have {total >> 20} MiB; the limit is {LARGEST_BYTES >> 20} MiB")
    return out.getvalue()


def as_json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def versions(run: Run) -> dict[str, Any]:
    """The container, or the installed tools without one."""
    container = {"image": run.container.image, "digest": run.container.digest} if run.container else None
    return {"harness": {"version": run.run.harness.version, "commit": run.run.harness.commit, "dirty": run.run.harness.dirty},
            "container": container,
            "system": {"os": run.machine.os, "kernel": run.machine.kernel},
            "tools": {tool.name: tool.version for tool in run.machine.tools},
            "gpus": [{"name": gpu.name, "driver": gpu.driver, "architecture": gpu.architecture} for gpu in run.machine.gpus],
            "compilers": sorted({build.compiler for build in run.builds if build.compiler})}


def citation(run: Run) -> str:
    """CITATION.cff 1.2.0. A JSON string is a YAML string."""
    title = json.dumps(f"{run.run.title or run.run.lab}: run {run.run.id}", ensure_ascii=False)
    return (f"cff-version: 1.2.0\nmessage: If you use these measurements, cite them as below.\ntype: dataset\ntitle: {title}\n"
            f"authors:\n  - name: {json.dumps('the makers of run ' + run.run.id)}\ndate-released: {json.dumps(run.run.started[:10])}\n"
            f"version: {json.dumps(run.run.id)}\n")


REPRODUCE = """# How to check this bundle

- `harness show BUNDLE.zip "words of a case"` prints where one number comes from.
- `harness reproduce BUNDLE.zip` builds the same sources here, measures the same cases and says of each whether it was reproduced.
- `harness compare BUNDLE.zip RUN` compares the recorded times with those of a run of yours.

`report.html` is the report, `run.json` has every sample, and `sources/` the files that the run was made of. `bundle.json` has the
hash of every file; the commands above verify them.
"""
