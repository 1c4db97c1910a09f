"""Reads run.json into a Run. Every error is one line that says where in the file."""

from pathlib import Path

import msgspec

from reports.errors import ReportError
from reports.record import Run
from reports.selection import is_macro
from reports.text import cleaned

SCHEMA = "harness/run/2"


class Version(msgspec.Struct):
    schema: str = ""


def load_run(folder: Path) -> Run:
    path = folder / "run.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReportError(f"{path}: there is no such file; give the folder of a run, such as results/lab5/latest") from None
    except UnicodeDecodeError as error:
        raise ReportError(f"{path}: byte {error.start} is not UTF-8; the file is damaged, run the lab again") from None
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_run(text, str(path))


def parse_run(text: str, where: str = "run.json") -> Run:
    try:
        schema = msgspec.json.decode(text, type=Version).schema
        if schema != SCHEMA:
            raise ReportError(f'{where}: schema is "{schema}" but must be "{SCHEMA}"; render with the harness that wrote the run')
        run = msgspec.json.decode(text, type=Run)
    except msgspec.ValidationError as error:
        message, _, position = str(error).partition(" - at ")
        raise ReportError(f"{where}: {position.strip('`') + ': ' if position else ''}{message[0].lower()}{message[1:]}") from None
    except msgspec.DecodeError as error:
        raise ReportError(f"{where}: not JSON: {error}; `harness report ID`, with the run's id in place of its folder, "
                          "writes the file again from the store") from None
    except RecursionError:
        raise ReportError(f"{where}: nested too deeply to be a run") from None
    run = msgspec.convert(cleaned(msgspec.to_builtins(run)), Run)
    for item in (*run.cases, *run.excluded):
        put_problem_first(item.axes)
    for case in run.cases:
        run.legend(case.status)
        for name, metric in case.metrics.items():
            if metric.interval and not metric.low <= metric.median <= metric.high:
                raise ReportError(f"{where}: {case.id}: {name}: the median {metric.median:g} is outside its interval, "
                                  f"{metric.low:g} to {metric.high:g}")
    return run


def put_problem_first(axes: dict) -> None:
    """Axes of the problem before macros: size before BLOCK, in any order of the file."""
    items = sorted(axes.items(), key=lambda axis: is_macro(axis[0]))
    axes.clear()
    axes.update(items)
