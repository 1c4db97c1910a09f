"""`python -m reports render RUN_DIR`: the command line."""

import argparse
import sys
from pathlib import Path

from reports.errors import ReportError

FORMATS = ("md", "html", "pdf")


def formats(text: str) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in chosen:
        if name not in FORMATS:
            raise argparse.ArgumentTypeError(f'unknown format "{name}" (there are {", ".join(FORMATS)})')
    if not chosen:
        raise argparse.ArgumentTypeError(f"no format given (there are {', '.join(FORMATS)})")
    return chosen


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="reports", description="Render the report of a run.")
    commands = parser.add_subparsers(dest="command", required=True)
    render = commands.add_parser("render", help="write report.md, report.html, report.pdf and plots/ beside run.json")
    render.add_argument("run_dir", type=Path, metavar="RUN_DIR", help="folder that holds run.json")
    render.add_argument("--formats", type=formats, default=FORMATS, metavar="LIST",
                        help="comma-separated, of: md, html, pdf (default: all)")
    options = parser.parse_args(arguments)

    from reports.render import render_run  # after the arguments are known to be right: it imports matplotlib

    try:
        for path in render_run(options.run_dir, options.formats):
            print(path)
    except ReportError as error:
        print(error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
