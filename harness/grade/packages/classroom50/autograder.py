"""Classroom 50 runs this in the student's checkout, inside a job. It leaves result.json and release-body.md there.

An exit code other than 0 is a failure of the grader, not of the student. This folder is public: it has no hidden rules.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

HERE = Path(os.environ.get("CLASSROOM50_BUNDLE_DIR") or Path(__file__).parent).resolve()
PYTHON = HERE / ".venv/bin/python"


def run(*words, **environment):
    """The runner's own files are out of reach of what is started."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    subprocess.run([str(word) for word in words], cwd=HERE, env={**kept, "HARNESS_ROOT": str(HERE), **environment}, check=True)


def grade(submission, work):
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", HERE / ".venv")
        run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", HERE / "reports/requirements.txt")
    shutil.copytree(submission, work / "class/submission", symlinks=True, ignore=shutil.ignore_patterns(".git"))
    harness = HERE / "harness"
    harness.chmod(0o755)
    run(harness, "grade", "configs/@LAB@.yaml", work / "class", "--results", work / "results", "--sandbox", "@SANDBOX@", "--gpu", "auto")
    folder, = (work / "results").glob("*/grades")
    run(PYTHON, "-m", "reports", "grades", folder, "--formats", "classroom50,github", "--output", work / "out")
    made, = (work / "out/students").iterdir()
    shutil.copy(made / "result.json", submission / "result.json")
    shutil.copy(made / "summary.md", submission / "release-body.md")


def main():
    # What student code prints must not be taken for commands to the runner: an unknown word switches them off and on again.
    word = uuid.uuid4()
    print(f"::stop-commands::{word}", flush=True)
    try:
        for name in ("result.json", "release-body.md"):  # a student can commit one, and this may fail
            Path(name).unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as work:
            grade(Path.cwd(), Path(work))
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 1
    finally:
        print(f"::{word}::", flush=True)
    return 0


sys.exit(main())
