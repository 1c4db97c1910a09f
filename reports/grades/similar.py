"""Which sources of a class are alike: with each other, with those of earlier years, and with the lab's own."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from reports.errors import ReportError
from reports.grades.fingerprints import Prints, fingerprints
from reports.grades.load import Class

ENDINGS = {".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hip", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp", ".tcc", ".txx", ".def"}
LABS = Path(__file__).parents[2] / "labs"
LEAST_SHARED = 24  # fingerprints, about 130 tokens: loops of six lines, which honest people write alike, have 18
LEAST_SHARE = 0.5
FILES = 4  # of one student with the same passage are compared
MOST_TEXT = 400_000  # characters of one person that are compared, about 10,000 lines: else one could keep the class waiting
COMMON = 6  # a passage that more people than this, and more than a tenth of them, have is nobody's own


@dataclass(frozen=True, eq=False)
class Source:
    owner: str
    file: str
    text: str
    prints: Prints
    of_class: bool = False
    cut: bool = False  # its end is not compared


@dataclass(frozen=True)
class Pair:
    """Two sources and the share of the smaller one's fingerprints that both have. Common passages do not count."""

    one: Source
    other: Source
    shared: tuple[int, ...]
    share: float

    def lines(self, source: Source) -> set[int]:
        return {number for mark in self.shared for lines in source.prints[mark] for number in lines}


def read(file: Path, folder: Path, owner: str, of_class: bool = False, most: int = MOST_TEXT) -> Source:
    whole = file.read_text(encoding="utf-8", errors="replace")
    text = whole[:most]
    return Source(owner, file.relative_to(folder).as_posix(), text, fingerprints(text), of_class, text != whole)


def is_source(file: Path) -> bool:
    return file.suffix.lower() in ENDINGS and file.is_file() and not file.is_symlink()


def sources_below(folder: Path, owner: str, of_class: bool = False) -> list[Source]:
    # What a student handed in holds only files that the compiler may read, whatever their names.
    files = [file for file in folder.rglob("*") if is_source(file) or (of_class and file.is_file() and not file.is_symlink())]
    found, left = [], MOST_TEXT
    # Other files cannot push out the variants, nor long ones the short ones.
    for file in sorted(files, key=lambda file: (not file.name.startswith(("cpu_", "gpu_")), file.stat().st_size, file)):
        found.append(read(file, folder, owner, of_class, left))
        left -= len(found[-1].text)
    return sorted(found, key=lambda source: source.file)


def few_of_each(sources: list[Source]) -> list[Source]:
    """At most FILES sources of each student, who may hand in one text in hundreds of files."""
    taken, few = Counter(), []
    for source in sources:
        taken[source.owner] += source.of_class
        if taken[source.owner] <= FILES:
            few.append(source)
    return few


def pairs(sources: list[Source], known: set[int]) -> list[Pair]:
    """The pairs that are alike, the most alike first. `known`: fingerprints of what everybody was given."""
    where = defaultdict(list)
    for source in sources:
        for mark in source.prints.keys() - known:
            where[mark].append(source)
    common = max(COMMON, len({source.owner for source in sources}) / 10)
    own, shared = Counter(), defaultdict(list)
    for mark, found in where.items():
        if len({source.owner for source in found}) > common:
            continue
        own.update(found)
        for one, other in combinations(few_of_each(found), 2):
            if one.owner != other.owner and (one.of_class or other.of_class):
                shared[one, other].append(mark)
    made = [Pair(one, other, tuple(marks), len(marks) / min(own[one], own[other])) for (one, other), marks in shared.items()]
    return sorted((pair for pair in made if len(pair.shared) >= LEAST_SHARED and pair.share >= LEAST_SHARE),
                  key=lambda pair: (-pair.share * len(pair.shared), pair.one.owner, pair.one.file, pair.other.owner, pair.other.file))


def similar_sources(pupils: Class) -> list[Pair]:
    if pupils.similar is None:
        pupils.similar = compared(pupils)
    return pupils.similar


def compared(pupils: Class) -> list[Pair]:
    """Students with the same files are one; the class page names them."""
    owners = {student.files.folder: student.id for student in reversed(pupils.grades.students) if student.files.folder}
    sources = [source for folder, owner in owners.items() for source in sources_below(pupils.folder / folder, owner, of_class=True)]
    for folder in pupils.earlier:
        if not folder.is_dir():
            raise ReportError(f"--earlier: {folder}: there is no such folder")
        found = []
        for one in sorted(folder.glob("[!.]*")):
            if one.is_dir():
                found += sources_below(one, f"{folder.name}/{one.name}")
            elif is_source(one):
                found.append(read(one, folder, f"{folder.name}/{one.name}"))
            else:
                pupils.remarks.append(f"--earlier: {one}: neither a folder nor a source, so nothing is compared with it; unpack archives")
        if not found:
            raise ReportError(f"--earlier: {folder}: no folder in it has a source; unpack archives first")
        sources += found
    run = next(filter(None, map(pupils.run, pupils.grades.students)), None)
    sources += sources_below(LABS / run.kernel.name, "the lab") if run else []
    pupils.too_long = sorted({source.owner for source in sources if source.cut})
    given = [mark for file in LABS.glob("starter/*") for mark in fingerprints(file.read_text(encoding="utf-8"))]
    return pairs(sources, set(given))
