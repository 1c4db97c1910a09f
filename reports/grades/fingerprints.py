"""Fingerprints of a source: two sources that share a passage share fingerprints, even if names, numbers, comments and layout differ.

By winnowing (Schleimer, Wilkerson, Aiken: Winnowing: local algorithms for document fingerprinting, SIGMOD 2003): every passage of at
least GRAM + WINDOW - 1 tokens that two sources share gives them a common fingerprint."""

from collections import defaultdict
from zlib import crc32

from pygments.lexers import CudaLexer
from pygments.token import Comment, Name, Number, String, Whitespace

GRAM = 16  # tokens in a fingerprint; about two lines. Shorter passages are alike by chance.
WINDOW = 8  # of as many neighbours at least one is kept

Prints = dict[int, list[range]]  # a fingerprint -> the lines of each passage that has it


def tokens(text: str) -> list[tuple[str, int]]:
    """Tokens with their lines. What is easily changed is left out: comments, layout, and which name, number or string it is."""
    found, number = [], 1
    for kind, value in CudaLexer(stripnl=False).get_tokens(text):
        if kind in Name and kind not in Name.Builtin:
            found.append(("name", number))
        elif kind in Number:
            found.append(("0", number))
        elif kind in String:
            found.append(('"', number))
        elif kind not in Comment and kind not in Whitespace:
            found.append((value, number))
        number += value.count("\n")
    return found


def fingerprints(text: str) -> Prints:
    read = tokens(text)
    words = [word for word, _ in read]
    hashes = [crc32(" ".join(words[i:i + GRAM]).encode()) for i in range(len(words) - GRAM + 1)]
    kept = {min(range(i, min(i + WINDOW, len(hashes))), key=lambda at: (hashes[at], -at)) for i in range(max(len(hashes) - WINDOW + 1, min(len(hashes), 1)))}
    prints = defaultdict(list)
    for at in sorted(kept):
        prints[hashes[at]].append(range(read[at][1], read[at + GRAM - 1][1] + 1))
    return prints
