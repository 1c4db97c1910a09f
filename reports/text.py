"""Functions for text. All text of a run is untrusted: `clean` and `cut` make it safe to show, and the renderers escape it."""

import re
from typing import Any, Iterable, Sequence

from reports.language import tr, tr_many

REASON_LIMIT = 400  # characters of a reason, a message or a name
LOG_LINES = 40
LOG_LIMIT = 4000
CONFIG_LIMIT = 200_000

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
AFTER_FULL_WIDTH = re.compile("(?<=[。，；：、）！？]) ")  # these marks bring their own space
# control characters, lone surrogates, and characters that change the direction of text
UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\uffff]")


def clean(text: str) -> str:
    """Removes terminal colours, control characters and direction overrides; line ends become \\n."""
    text = ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return UNSHOWABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def cleaned(value: Any) -> Any:
    """A value of JSON with all its texts and names cleaned."""
    if isinstance(value, dict):
        return {clean(key): cleaned(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(inner) for inner in value]
    return clean(value) if isinstance(value, str) else value


def line(text: str, limit: int = REASON_LIMIT) -> str:
    """The text in one line, cut at `limit` with a remark."""
    text = " ".join(clean(text).split())
    return text if len(text) <= limit else text[:limit].rstrip() + tr(" … ({n} more characters)", n=len(text) - limit)


def cut(text: str, lines: int = LOG_LINES, limit: int = LOG_LIMIT) -> str:
    """The first lines of a log. The last line says how much is missing."""
    text = clean(text).strip("\n")
    kept = "\n".join(text.split("\n")[:lines])[:limit].rstrip()
    missing = len(text) - len(kept)
    return kept if missing <= 0 else kept + tr("\n… ({n} more characters: see the logs of the run)", n=missing)


def plural(count: int, noun: str, many: str = "") -> str:
    return tr_many("{n} " + noun, "{n} " + (many or noun + "s"), count)


def are(count: int) -> str:
    return "is" if count == 1 else "are"


def listing(words: Sequence[str], most: int = 0) -> str:
    """a, b and c; only the first `most` words, then how many more there are."""
    words = list(words)
    if most and len(words) > most:
        words = words[:most] + [tr("{n} more", n=len(words) - most)]
    return tr(" and ").join(part for part in (tr(", ").join(words[:-1]), *words[-1:]) if part)


def sentence(text: str) -> str:
    """With a capital letter at the beginning and a full stop at the end."""
    text = text.strip()
    if not text:
        return ""
    return closed(text[0].upper() + text[1:])


def closed(text: str) -> str:
    """With a full stop at the end."""
    return text if not text or text[-1] in ".!?…。！？" else text + tr(".")


def unique(values: Iterable) -> list:
    return list(dict.fromkeys(values))


FIRST_ERROR = re.compile(r"\b(?:fatal )?error\b|undefined reference", re.IGNORECASE)


def first_error(log: str, lines: int = 8) -> str:
    """The first error in the log of a compiler, with the lines that belong to it."""
    rows = clean(log).strip("\n").split("\n")
    start = next((i for i, row in enumerate(rows) if FIRST_ERROR.search(row)), 0)
    end = next((i for i in range(start + 1, len(rows)) if FIRST_ERROR.search(rows[i])), len(rows))
    return cut("\n".join(rows[start:min(end, start + lines)]))
