"""Fingerprints of a source: two sources that share a passage share fingerprints, even if names, numbers, comments and layout differ.

By winnowing (Schleimer, Wilkerson, Aiken: Winnowing: local algorithms for document fingerprinting, SIGMOD 2003): every passage of at
least GRAM + WINDOW - 1 tokens that two sources share gives them a common fingerprint."""

import re
from collections import defaultdict
from zlib import crc32

GRAM = 16  # tokens in a fingerprint; about two lines. Shorter passages are alike by chance.
WINDOW = 8  # of as many neighbours at least one is kept

Prints = dict[int, list[range]]  # a fingerprint -> the lines of each passage that has it


# Each character is read once, whatever a student hands in: the patterns of the usual lexers need hours for some texts of 1 MiB.
TOKEN = re.compile(r"""
    (?P<left_out> ^(?<!\\\n)[ \t]*\#[ \t]*(?:define\b[ \t]*\w* | (?:[^\n\\]|\\.)*) | \n | [^\S\n]+ | //[^\n]* | /\*.*?(?:\*/|\Z) | \\\n )
  | (?P<string> (?:u8|[uUL])?R"(?P<end>[^\s()\\"]{0,16})\(.*?(?:\)(?P=end)"|\Z) | "(?:[^"\\\n]|\\.)*"? | '(?:[^'\\\n]|\\.)*'? )
  | (?P<number> \.?\d[\w.']* )
  | (?P<name> \w+ )
  | (?P<sign> . )
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
OTHER_WORD = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\w+)[ \t]*$", re.MULTILINE)  # #define loop for
KEYWORDS = set("""auto bool break case catch char class const constexpr continue default delete do double else enum extern false float for goto
    if inline int long namespace new nullptr operator private public return short signed sizeof static struct switch template this
    thread_local throw true try typedef typename union unsigned using void volatile while __device__ __global__ __shared__ __syncthreads
    blockDim blockIdx gridDim threadIdx""".split())


def tokens(text: str) -> list[tuple[str, int]]:
    """Tokens with their lines. What is easily changed is left out: comments, layout, and which name, number or string it is."""
    found, line, meant = [], 1, {}
    for word, other in OTHER_WORD.findall(text):
        meant[word] = meant.get(other, other)
    for token in TOKEN.finditer(text):
        kind, text_of = token.lastgroup, token.group()
        word = meant.get(text_of, text_of) if kind == "name" else text_of
        if kind == "sign" or word in KEYWORDS:
            found.append((word, line))
        elif kind != "left_out":
            found.append((kind, line))
        line += text_of.count("\n")
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
