"""No name, comment, message or page uses a word that docs/glossary.md retires."""

import re
import subprocess

import pytest
from conftest import ROOT

GLOSSARY = ROOT / "docs/glossary.md"
# Recorded output, bytes for fuzz targets, and this file with its examples.
NOT_READ = ("docs/examples/", "emulator/agreement/", "tests/fuzz/corpus/", "reference/published/", "tests/test_glossary.py",
            "LICENSE")
SUFFIXES = {".cpp", ".h", ".cu", ".py", ".cmake", ".sh", ".md", ".yaml", ".yml", ".txt", ".json", ".j2", ""}
# Names of libraries, which we cannot change.
FOREIGN = re.compile(r"\bstd::\w+|\bROUND_CEILING\b")

TEXT_OF_C = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
TEXT_OF_PYTHON = r'"""(?:\\.|[^\\])*?"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
TEXT = {".cpp": TEXT_OF_C, ".h": TEXT_OF_C, ".cu": TEXT_OF_C, ".py": TEXT_OF_PYTHON}


def as_words(text):
    """Splits names into words: `RecordedTable::place_of` becomes `recorded table::place of`."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    return re.sub(r"[_-]", " ", text).lower()


def names_in(text, suffix):
    """Returns the names in code, without comments and strings, and the names in backquotes in a page. Line numbers are kept."""
    if suffix in TEXT:
        text = re.sub(TEXT[suffix], lambda found: "|" + "\n" * found[0].count("\n"), text, flags=re.S)
    elif suffix == ".md":
        text = "\n".join("|".join(re.findall(r"`([^`]*)`", line)) for line in text.splitlines())
    else:
        return ""
    return re.sub(r"[^\w\n-]+", "|", text)


def pattern_of(phrase):
    """Builds a pattern for a phrase in singular or plural (also across two lines of a comment), all forms of a verb, or a noun in a name."""
    if phrase.startswith("`"):  # `place_of` and `first_place`, but not `place_lab`, where it is a verb
        return re.compile(rf"\b{phrase.strip('`')}s?\b(?= of\b|[|\n]|$)")
    if phrase.startswith("to "):
        stem = phrase.removeprefix("to ").removesuffix("e")
        return re.compile(rf"\b(?:un)?{stem}(?:e|es|s|ed|en|ing|)\b")
    return re.compile(r"\s+(?:(?://+|#) *)?".join(rf"\b{word}s?\b" for word in phrase.split()))


def retired_words():
    """The terms instead of each word; a word in backquotes is retired only as a name."""
    instead = {}
    for term, column in re.findall(r"^\| ([^|]+) \| [^|]+ \|([^|]*)\|$", GLOSSARY.read_text(), re.M):
        for phrase in column.strip().split(", ") if term != "term" and column.strip() else ():
            instead.setdefault(phrase, []).append(term)
    return instead


def files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    paths = [ROOT / name for name in listed if not name.startswith(NOT_READ)]
    return [path for path in paths if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink()]


def uses(text, suffix, words):
    """Line and retired word of each use."""
    if suffix == ".md":  # not the column that retires them
        text = re.sub(r"^(\|[^|]+\|[^|]+\|)[^|]*\|$", r"\1", text, flags=re.M)
    text = FOREIGN.sub("", text)
    everything, names = as_words(text), as_words(names_in(text, suffix))
    found = [(where.count("\n", 0, use.start()) + 1, word) for word in words
             for where in [names if word.startswith("`") else everything]
             for use in pattern_of(word).finditer(where)]
    return sorted(set(found))


@pytest.fixture(scope="module")
def words():
    return retired_words()


def test_retired_words_are_gone(words):
    found = [f'{path.relative_to(ROOT)}:{line}: {word} is retired; the glossary says {" or ".join(words[word])}'
             for path in files() for line, word in uses(path.read_text(errors="replace"), path.suffix, words)]
    assert found == [], "\n".join(found)


def test_no_term_is_retired(words):
    terms = {term for instead in words.values() for term in instead}
    assert len(words) >= 10 and not terms & {word.strip("`") for word in words}


@pytest.mark.parametrize("suffix, text, word", [
    (".cpp", "struct CudaBackend {};", "backend"),
    (".cpp", "// what the frozen\n// table holds", "frozen table"),
    (".cpp", 'say("its proof is missing");', "proof"),
    (".cpp", "CheckLine proved_;", "to prove"),
    (".cpp", "Position place_of(Yaml root);", "`place`"),
    (".py", "def judge(case): ...", "to judge"),
    (".md", "All findings are listed.", "finding"),
    (".md", "the key `place` says where", "`place`")])
def test_a_relapse_is_noticed(words, suffix, text, word):
    assert [found for _, found in uses(text, suffix, words)] == [word]


@pytest.mark.parametrize("suffix, text", [
    (".cpp", "// It works in place, and is replaced.\nx.emplace(std::in_place_index<0>);"),
    (".cpp", 'say("in place of a time");  // the provenance page'),
    (".py", '@dataclass(frozen=True)\nclass Row:\n    """In its place."""'),
    (".cpp", "PlacedLab place_lab(Lab lab);"),
    (".md", "Improve it. One place decides. The BLAS rule.")])
def test_other_meanings_are_left_alone(words, suffix, text):
    assert uses(text, suffix, words) == []
