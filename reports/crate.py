"""`ro-crate-metadata.json` of a bundle: RO-Crate 1.1 with the profile Process Run Crate 0.5."""

import mimetypes
from typing import Any

from reports.record import Run

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
CRATE = "https://w3id.org/ro/crate/1.1"
LICENSE = "https://www.apache.org/licenses/LICENSE-2.0"
WHAT = {"run.json": "every sample, check and build of the run, and its machine", "report.html": "the report", "report.md": "the report as Markdown",
        "versions.json": "container or tool versions", "CITATION.cff": "how to cite the run", "REPRODUCE.md": "how to check the bundle"}
MADE = ("run.json", "report.md", "report.html")


def ref(name: str) -> dict[str, str]:
    return {"@id": name}


def time(utc: str) -> str:
    return utc.replace("Z", "+00:00")


def media_type(name: str) -> str:
    known = {".md": "text/markdown", ".yaml": "application/yaml", ".cff": "application/yaml", ".cu": "text/plain", ".cuh": "text/plain",
             ".inl": "text/plain", ".json": "application/json", ".svg": "image/svg+xml", ".h": "text/x-c", ".cpp": "text/x-c++"}
    ending = name[name.rfind("."):] if "." in name else ""
    return known.get(ending) or mimetypes.guess_type(name)[0] or "text/plain"


def crate(run: Run, files: list[str]) -> dict[str, Any]:
    tool, action = "#harness", f"#run-{run.run.id}"
    made = [name for name in files if name in MADE or name.startswith("plots/")]
    used = [name for name in files if name.startswith("sources/")]
    ended = run.run.finished or run.run.started
    root = {"@id": "./", "@type": "Dataset", "name": f"{run.run.title or run.run.lab}: run {run.run.id}",
            "description": f"A run of lab {run.run.lab} by the harness: samples, checks, sources, machine and report.",
            "datePublished": time(run.run.started), "license": ref(LICENSE), "conformsTo": ref(PROFILE),
            "hasPart": [ref(name) for name in files], "mentions": ref(action)}
    did = {"@id": action, "@type": "CreateAction", "name": f"run of {run.run.lab}",
           "description": f"harness {' '.join(run.run.command)}", "instrument": ref(tool), "startTime": time(run.run.started), "endTime": time(ended),
           "object": [ref(name) for name in used], "result": [ref(name) for name in made],
           "actionStatus": ref("http://schema.org/CompletedActionStatus" if run.run.state == "complete" else "http://schema.org/FailedActionStatus")}
    harness = {"@id": tool, "@type": "SoftwareApplication", "name": "harness", "softwareVersion": f"{run.run.harness.version} {run.run.harness.commit}",
               "description": "builds, checks, times and reports the variants of a parallel-programming lab"}
    entities = [{"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "conformsTo": ref(CRATE), "about": ref("./")}, root, did, harness,
                {"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
                {"@id": LICENSE, "@type": "CreativeWork", "name": "Apache License 2.0",
                 "description": "of the sources of the lab; submitted sources belong to their authors"}]
    for name in files:
        entities.append({"@id": name, "@type": "File", "name": name, "encodingFormat": media_type(name),
                         "description": WHAT.get(name, "a file that the run was made of" if name in used else "part of the report")})
    return {"@context": f"{CRATE}/context", "@graph": entities}
