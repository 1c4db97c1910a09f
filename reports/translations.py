"""Finds the texts of the code that are translated, and brings catalogues up to date: `python -m reports.translations [NAME...]`.
A name without a catalogue begins one."""

import ast
import re
import sys
from pathlib import Path
from typing import Iterator

import polib

from reports.language import FOLDER, STORED, value_names

ROOT = FOLDER.parent
ENGLISH = ("performance", "reproduced", "summation", "language", "translations")  # pages of the project's own documentation
SOURCES = ("harness", "reference", "emulator")
FIRST, FIRST_TWO, ALL, AFTER_FIRST = slice(1), slice(2), slice(None), slice(1, None)
FUNCTIONS = {"tr": FIRST, "say": FIRST, "mark": FIRST, "tr_many": FIRST_TWO, "say_many": FIRST_TWO, "words": ALL, "numbers": ALL,
             "plural": AFTER_FIRST, "join": AFTER_FIRST}
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
MARKED = re.compile(rf'\b(?:tr|mark)\(\s*({LITERALS.pattern})')
COUNTED = re.compile(r'\btr_counted\([^;]*?, "([\w ]+)"\)')
FIELD = re.compile(r"\{(\w*)(?::[^{}]*)?\}")
IN_TEMPLATE = re.compile(r"\btr\('([^']+)'")
TABLES = ("harness/base/status.h", "harness/config/metric_table.h")  # a string in these is a text; a unit has no translation
HEAD = "The languages of reports, feedback, handouts and messages: CONTRIBUTING.md says how to extend this file."

Text = tuple[str, str]  # for one, for many; without a number the second is empty


def texts() -> dict[Text, list[str]]:
    """Each text of the code that is marked, with the files that it is in."""
    found: dict[Text, list[str]] = {}
    for file, text in all_texts():
        files = found.setdefault(text, []) if text[0] else []
        files += [file] * (file not in files)
    return found


def all_texts() -> Iterator[tuple[str, Text]]:
    for path in sorted((ROOT / "reports").rglob("*.py")):
        if "tests" not in path.parts and path.stem not in ENGLISH:
            yield from ((path.relative_to(ROOT).as_posix(), text) for text in of_python(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "reports/templates").iterdir()):
        found = (IN_TEMPLATE if path.suffix == ".j2" else MARKED).findall(path.read_text(encoding="utf-8"))
        yield from ((path.relative_to(ROOT).as_posix(), (joined(text) if path.suffix == ".js" else text, "")) for text in found)
    for path, source in cpp_sources():
        yield from ((path, (joined(text), "")) for text in MARKED.findall(source))
        yield from ((path, (f"{{n}} {noun}", f"{{n}} {noun}s")) for noun in COUNTED.findall(source))
    for path in TABLES:
        source = (ROOT / path).read_text(encoding="utf-8")
        rows = re.findall(r"^  X\((\w+), (.*?)\)(?: *\\)?$", source, re.MULTILINE | re.DOTALL)
        for name, row in rows:
            words = [name.lower().replace("_", " ")] if name.isupper() else []
            yield from ((path, (text, "")) for text in words + [one for one in map(joined, LITERALS.findall(row)) if one[:1].islower() and len(one) > 2])


def of_python(source: str) -> Iterator[Text]:
    for call in ast.walk(ast.parse(source)):
        name = getattr(call.func, "id", getattr(call.func, "attr", "")) if isinstance(call, ast.Call) else ""
        if name not in FUNCTIONS:
            continue
        given = [one.value for one in call.args[FUNCTIONS[name]] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name == "plural" and given:
            yield "{n} " + given[0], "{n} " + (given[1:] or [given[0] + "s"])[0]
        elif FUNCTIONS[name] == FIRST_TWO and len(given) == 2:
            yield given[0], given[1]
        elif name != "plural":
            yield from ((text, "") for text in given)


def cpp_sources() -> Iterator[tuple[str, str]]:
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".h") and not path.stem.endswith(("_test", "_fuzz", "_bench")):
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def joined(literals: str) -> str:
    """The text of neighbouring literals: "a" "b" -> ab"""
    return "".join(ast.literal_eval(literal) for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"', literals))


def written_by_cpp() -> dict[str, str]:
    """All strings of the C++ sources with their files. A catalogue may translate any of them: `told` finds it by its format."""
    return {joined(text): path for path, source in cpp_sources() for text in LITERALS.findall(source)}


def update(path: Path) -> None:
    """Adds what is new and removes what no code has any more."""
    old = polib.pofile(str(path), wrapwidth=130) if path.exists() else polib.POFile(wrapwidth=130)
    if not path.exists():
        old.header = HEAD
        old.metadata = {"Language": path.stem, "Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": "nplurals=2; plural=n != 1;"}
    known = {entry.msgid: entry for entry in old if entry.msgid and not entry.obsolete}
    marked, written = texts(), written_by_cpp()
    fresh = polib.POFile(wrapwidth=130)
    fresh.header, fresh.metadata = old.header, old.metadata
    for (one, many), files in marked.items():
        entry = known.get(one) or polib.POEntry(msgid=one)
        entry.msgid_plural, entry.comment, entry.occurrences = many, "", [(file, "") for file in files]
        if many and not entry.msgstr_plural:
            entry.msgstr_plural = {0: ""}
        fresh.append(entry)
    for text, entry in known.items():
        if (text, entry.msgid_plural or "") not in marked and text in written and entry.msgstr:
            entry.occurrences, entry.comment = [(written[text], "")], STORED
            fresh.append(entry)
    fresh.save(str(path))


def wrong(catalogue: polib.POFile) -> Iterator[str]:
    """What a translation must not be: missing, fuzzy, unused, or with other values than its text."""
    marked, written = texts(), written_by_cpp()
    entries = {(entry.msgid, entry.msgid_plural or ""): entry for entry in catalogue if not entry.obsolete}
    for text in marked:
        if text not in entries:
            yield f"not in the catalogue: {text[0]}"
    for text, entry in entries.items():
        if not entry.translated():
            yield f"{'fuzzy' if entry.fuzzy else 'not translated'}: {entry.msgid}"
        if text not in marked and entry.msgid not in written:
            yield f"no code has this text: {entry.msgid}"
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            if translation and sorted(value_names(translation)) != sorted(value_names(entry.msgid_plural or entry.msgid)):
                yield f"other values than in the text: {translation}"
            elif len(set(map(bool, FIELD.findall(translation)))) > 1:
                yield f"mixes {{}} and {{0}}: {translation}"


if __name__ == "__main__":
    for name in sys.argv[1:] or [path.stem for path in FOLDER.glob("*.po")]:
        update(FOLDER / f"{name}.po")
