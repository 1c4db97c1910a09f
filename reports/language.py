"""The language of reports and feedback: GNU gettext catalogues, languages/NAME.po, whose msgids are the English texts of the code.
A text without a translation stays English. `python -m reports.translations` finds the texts in the code."""

import gettext
import io
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Iterator

from reports.errors import ReportError, suggestion

FOLDER = Path(__file__).resolve().parents[1] / "languages"
NAME = re.compile(r"([a-z]{2,3})(_[A-Za-z]+)?")
STORED = "stored"  # the comment of a text that the C++ program stores in English
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
COUNTED = re.compile(r"(\d{1,9}) (.+?)s?")
SEPARATORS = ("\n", "; ", ": ")  # between the parts of a stored text, which are translated one by one
LONGEST = 600  # characters of a text that is looked for


@dataclass(frozen=True)
class Format:
    """A stored text with values, `{} of {}` or `{bytes} bytes`, and its translation."""

    names: tuple[str, ...]
    around: tuple[str, ...]  # the texts between the values
    translation: str

    def match(self, text: str) -> dict[str, str] | None:
        """The values that turn the format into the text, if there are any. In `{}{}` the second value is empty or begins with a space.
        Only the last value may contain a separator. Nothing is tried twice: students write parts of such texts."""
        if not text.startswith(self.around[0]) or not text.endswith(self.around[-1]):
            return None
        values, at = {}, len(self.around[0])
        for i, (name, after) in enumerate(zip(self.names, self.around[1:])):
            last = i == len(self.names) - 1
            ends = [len(text) - len(after)] if last else [text.find(after, at)]
            if not after and not last:
                ends = [text.find(" ", at), text.find(self.around[i + 2], at) if self.around[i + 2] else len(text)]
            end = min((end for end in ends if end >= at), default=-1)
            if end < 0 or not last and any(separator in text[at:end] for separator in SEPARATORS):
                return None
            values[name], at = text[at:end], end + len(after)
        return values


@dataclass(frozen=True, eq=False)
class Language:
    name: str = "en"
    texts: gettext.NullTranslations = gettext.NullTranslations()
    formats: tuple[Format, ...] = ()

    @property
    def tag(self) -> str:
        """zh_CN -> zh-CN, for HTML"""
        return self.name.replace("_", "-")


current = Language()


def known() -> list[str]:
    return sorted(["en", *(file.stem for file in FOLDER.glob("*.po"))])


def find(asked: str) -> str:
    """`zh`, `zh_CN`, `zh-CN` and `zh_CN.UTF-8` are all zh_CN, if there is no zh.po."""
    name = asked.partition(".")[0].replace("-", "_")
    both = NAME.fullmatch(name)
    found = [one for one in known() if both and (one in (name, both[1]) or one.startswith(f"{name}_"))]
    if not found:
        raise ReportError(f'language "{asked}": there is no such catalogue{suggestion(asked, known())}; there are {", ".join(known())}')
    return name if name in found else found[0]


@cache
def load(name: str) -> Language:
    if name == "en":
        return Language()
    import polib  # an English report does not need it

    try:
        catalogue = polib.pofile(str(FOLDER / f"{name}.po"))
    except OSError as error:
        raise ReportError(f"{FOLDER / name}.po: cannot be read: {error}") from None
    formats = tuple(format_of(entry.msgid, entry.msgstr) for entry in catalogue.translated_entries()
                    if "{" in entry.msgid and entry.comment == STORED)
    return Language(name, gettext.GNUTranslations(io.BytesIO(catalogue.to_binary())), formats)


def format_of(english: str, translation: str) -> Format:
    return Format(value_names(english), tuple(PLACEHOLDER.split(english)), translation)


def value_names(text: str) -> tuple[str, ...]:
    """`{name}`, or its number: 0 for the first of `{} of {:.4g}`."""
    return tuple(found[1:-1].partition(":")[0] or str(i) for i, found in enumerate(PLACEHOLDER.findall(text)))


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """What is made inside is in this language; an empty name is English."""
    global current
    before, current = current, load(find(name or "en"))
    try:
        yield
    finally:
        current = before


def mark(english: str) -> str:
    """Marks a text that is translated where it is used."""
    return english


def tr(english: str, **values) -> str:
    translated = current.texts.gettext(english) if english else ""
    return filled(translated, english, values) if values else translated


def tr_many(one: str, many: str, n: int, **values) -> str:
    return filled(current.texts.ngettext(one, many, n), one if n == 1 else many, {"n": n, **values})


def filled(translated: str, english: str, values: dict) -> str:
    """A translation with other values, which a test finds in the catalogues of the project, is not used."""
    try:
        return translated.format(**values)
    except (KeyError, IndexError, ValueError):
        return english.format(**values)


def told(text: str) -> str:
    """The translation of a text that the C++ program wrote into run.json or grades.json, in one piece or between separators."""
    return told_in(current, text) if current.formats and len(text) <= LONGEST else tr(text)


@cache
def told_in(language: Language, text: str) -> str:
    translated = tr(text)
    if translated != text:
        return translated
    for known_format in language.formats:
        found = known_format.match(text)
        if found is not None and text not in found.values():  # `{}` matches every text
            values = {name: told(value) for name, value in found.items()}
            around = PLACEHOLDER.split(known_format.translation)
            made = around[0]
            for name, before, after in zip(value_names(known_format.translation), around, around[1:]):
                quoted = before.endswith('"') and after.startswith('"')  # a word of the user, not one of ours
                made += (found if quoted else values).get(name, "") + after
            return made
    if counted := COUNTED.fullmatch(text):
        one, many = "{n} " + counted[2], "{n} " + counted[2] + "s"
        if (form := language.texts.ngettext(one, many, int(counted[1]))) not in (one, many):
            return form.format(n=counted[1])
    # What comes after a position, as in `lab5.yaml:3:5: there is no a; there are b`, is one text.
    has_position = text.partition(" ")[0].endswith(":") and ": " in text
    separator = ": " if has_position else next((separator for separator in SEPARATORS if separator in text), "")
    if not separator:
        return text
    before, _, after = text.partition(separator)
    made = told(before), told(after)
    return text if made == (before, after) else made[0] + tr(separator) + made[1]
