"""Footnotes of a table. Equal notes share a mark."""

from string import ascii_lowercase

from reports.document import Text


class Notes:
    def __init__(self):
        self.found: dict[Text, str] = {}

    def mark(self, note: Text) -> str:
        if note not in self.found:
            index = len(self.found)
            self.found[note] = (ascii_lowercase[index // 26 - 1] if index >= 26 else "") + ascii_lowercase[index % 26]
        return self.found[note]

    def __iter__(self):
        return ((mark, note) for note, mark in self.found.items())
