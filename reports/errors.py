"""The one exception that reaches the user: its text is the whole message."""

from difflib import get_close_matches
from typing import Iterable


class ReportError(Exception):
    pass


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` where a known word is close, else nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{close[0]}"?)' if close else ""
