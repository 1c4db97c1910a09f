"""The only exception that the user sees. Its text is the whole message."""

from difflib import get_close_matches
from typing import Iterable


class ReportError(Exception):
    exit = 3  # exit code of the process: the data of the run are wrong


class UnknownName(ReportError):
    exit = 2  # the command line is wrong


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` if a known word is similar, else nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{close[0]}"?)' if close else ""
