"""The commands in the books (docs/*.md) are run in their order, and print what the books show."""

import os
import re
import subprocess

import pytest
from conftest import ROOT

BOOKS = ["student", "teacher", "reader", "maintainer"]
# ```console with commands and their output; ```cpp FILE is written to that file
BLOCK = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n", re.M)


def words(text):
    return " ".join(text.split())


def prints(printed, shown):
    """Compares the words, because a book wraps long lines. "..." stands for any text."""
    printed, (begin, *parts) = words(printed), (words(part) for part in shown.split("..."))
    if not parts:
        return printed == begin
    *middle, end = parts
    if not (printed.startswith(begin) and printed.endswith(end)):
        return False
    at = len(begin)
    for part in middle:  # the first place is the best: it leaves most text for the parts that follow
        found = printed.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at <= len(printed) - len(end)


def text_of(book):
    return (ROOT / f"docs/{book}.md").read_text()


class Reader:
    """Somebody who types the commands of a book in a clone of the project."""

    def __init__(self, folder):
        self.folder, self.here = folder, folder
        (folder / "bin").mkdir()
        (folder / "bin/harness").write_text(f'#!/bin/sh\nHARNESS_ROOT={folder} exec {os.environ["HARNESS_BUILD"]}/harness "$@"\n')
        (folder / "bin/harness").chmod(0o755)
        for name in ("configs", "labs", "languages", "tests", "docs", "emulator", "reports", ".venv"):
            (folder / name).symlink_to(ROOT / name)

    def type(self, command):
        ended = self.folder / "ended-in"
        ran = subprocess.run(["bash", "-c", f"{command}\npwd >{ended}"], cwd=self.here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             stdin=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "120"})
        self.here = ended.read_text().strip()
        return ran.stdout.replace("warning: another run takes times on this machine: waiting\n", "")  # other tests run beside this one


@pytest.mark.parametrize("book", BOOKS)
def test_the_commands_print_what_the_book_shows(book, tmp_path):
    reader, wrong = Reader(tmp_path), []
    for kind, file, text in BLOCK.findall(text_of(book)):
        if file:
            (reader.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (reader.folder / file).write_text(text)
        if kind != "console":
            continue
        _, *parts = COMMAND.split(text)
        for command, shown in zip(parts[::2], parts[1::2]):
            printed = reader.type(command)
            if not prints(printed, shown):
                wrong.append(f"$ {command}\n--- the book shows\n{shown}--- it prints\n{printed}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("book", BOOKS)
def test_every_command_of_a_book_is_run(book):
    for kind, file, text in BLOCK.findall(text_of(book)):
        if kind != "console" and not file:
            assert not re.search(r"^\s*(\$ |bin/)", text, re.M), f"not run: {text}"
