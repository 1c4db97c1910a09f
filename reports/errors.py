"""The one exception that reaches the user: its text is the whole message."""

from difflib import get_close_matches
from typing import Iterable


class ReportError(Exception):
    exit = 3  # of the process: the run's data are not what they should be


class UnknownName(ReportError):
    exit = 2  # the command line is


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` where a known word is close, else nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{close[0]}"?)' if close else ""
