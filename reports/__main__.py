"""`python -m reports render RUN_DIR`, `export RUN_DIR` and `grades FOLDER`: the command line."""

import argparse
import sys
from pathlib import Path

from reports.bundle import make_bundle
from reports.errors import ReportError
from reports.export import export, save
from reports.grades import command
from reports.render import FORMATS, render_run


def formats(text: str) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in chosen:
        if name not in FORMATS:
            raise argparse.ArgumentTypeError(f'unknown format "{name}" (known formats: {", ".join(FORMATS)})')
    if not chosen:
        raise argparse.ArgumentTypeError(f"no format given (known formats: {', '.join(FORMATS)})")
    return chosen


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="reports",
                                     description="Render the report of a run, export one of its tables, or write the pages of a class.")
    commands = parser.add_subparsers(dest="command", required=True)
    rendering = commands.add_parser("render",
                                    help="write report.md, report.html, report.pdf and plots/ next to run.json")
    rendering.add_argument("run_dir", type=Path, metavar="RUN_DIR", help="folder with run.json")
    rendering.add_argument("--formats", type=formats, default=tuple(FORMATS), metavar="LIST",
                           help=f"comma-separated formats: {', '.join(FORMATS)} (default: all)")
    rendering.add_argument("--language", default="", metavar="NAME", help="for example zh_CN (default: that of the configuration, else English)")
    exporting = commands.add_parser("export", help="print one table of the report, or write it to a file")
    exporting.add_argument("run_dir", type=Path, metavar="RUN_DIR", help="folder with run.json")
    wanted = exporting.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--table", default="", metavar="NAME", help="short name or title of the table")
    wanted.add_argument("--list", action="store_true", help="print the names of all tables")
    exporting.add_argument("--format", choices=("csv", "md", "latex", "json"), default="csv")
    exporting.add_argument("--shape", choices=("tidy", "table"), default="",
                           help="tidy: one row per case; table: as in the report (default: tidy for csv and json)")
    exporting.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    bundling = commands.add_parser("bundle", help="make an archive of a folder with run.json and sources/")
    bundling.add_argument("run_dir", type=Path, metavar="FOLDER", help="a folder of its own, which this fills")
    bundling.add_argument("-o", "--output", type=Path, metavar="FILE", required=True)
    command.add_options(commands.add_parser("grades", help="write feedback, the class page and gradebooks from grades.json"))
    options = parser.parse_args(arguments)
    try:
        return {"render": render, "export": export_table, "bundle": bundle, "grades": command.write_grades}[options.command](options)
    except ReportError as error:
        print(error, file=sys.stderr)
        return error.exit


def render(options: argparse.Namespace) -> int:
    for path in render_run(options.run_dir, options.formats, options.language):
        print(path)
    return 0


def export_table(options: argparse.Namespace) -> int:
    content = export(options.run_dir, options.table, options.format, options.shape)
    if options.output:
        save(content, options.output)
    else:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        sys.stdout.write(content)
    return 0


def bundle(options: argparse.Namespace) -> int:
    print(make_bundle(options.run_dir, options.output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
