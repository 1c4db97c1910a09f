"""Sources that are alike are found whatever was renamed, and what everybody has is not."""

import html
import re
from itertools import combinations

import pytest

from reports.errors import ReportError
from reports.grades.fingerprints import fingerprints, tokens
from reports.grades.formats import FORMATS
from reports.grades.similar import ENDINGS, LABS, Source, compared, pairs, sources_below
from reports.grades.tests import made

TILED = (LABS / "gemm/gpu_shared.cu").read_text(encoding="utf-8")
NAIVE = (LABS / "gemm/cpu_baseline.cpp").read_text(encoding="utf-8")
OTHER = (LABS / "gemm/cpu_avx_blocked.cpp").read_text(encoding="utf-8")


def disguised(text: str) -> str:
    """Another layout, other names and numbers, other comments."""
    text = re.sub(r"//[^\n]*", "", text)
    for number, name in enumerate(dict(tokens_of_names(text))):
        text = re.sub(rf"\b{name}\b", f"my_{number}", text)
    return "// my own work\n" + text.replace("16", "32").replace("{", "\n{\n").replace(";", ";  // done\n")


def tokens_of_names(text: str) -> list[tuple[str, str]]:
    return [(name, "") for name in re.findall(r"\b(?:tile_[ab]|row|sum|shared|column|p)\b", text)]


def source(owner: str, text: str, of_class: bool = True) -> Source:
    return Source(owner, "mine.cu", text, fingerprints(text), of_class)


def owners(found) -> list[set[str]]:
    return [{pair.one.owner, pair.other.owner} for pair in found]


def test_names_numbers_comments_and_layout_do_not_count():
    assert disguised(TILED) != TILED
    assert [word for word, _ in tokens(disguised(TILED))] == [word for word, _ in tokens(TILED)]


@pytest.mark.parametrize("text", ["/*" * 500_000, "a b() " * 170_000, "static int f" + "\n" * 1_000_000 + "(int x) {}", "'" * 1_000_000])
def test_no_text_of_a_megabyte_keeps_the_class_waiting(text):
    """Hours, with the patterns of a usual lexer: this test would not end."""
    assert len(tokens(text)) < 1_000_000


def test_a_copy_is_found_with_its_lines():
    pair, = pairs([source("anna", TILED), source("ben", disguised(TILED)), source("cleo", OTHER)], set())
    assert owners([pair]) == [{"anna", "ben"}] and pair.share == 1
    loop = next(number for number, text in enumerate(TILED.split("\n"), 1) if "__syncthreads" in text)
    assert loop in pair.lines(pair.one)


def test_all_files_that_students_hand_in_are_compared():
    """The harness takes more endings than a compiler knows: a copy could be in any of them."""
    limits = (LABS.parent / "harness/grade/submission_limits.h").read_text(encoding="utf-8")
    endings = set(re.findall(r'"(\.\w+)"', re.search(r"header_endings\[\] = \{(.*?)\};", limits, re.S)[1]))
    assert {".h", ".inc", ".def"} < endings and endings - {".tuned"} <= ENDINGS


def test_a_copy_inside_of_macros_is_found():
    lines = TILED[TILED.index("__global__"):].split("\n")
    body = " \\\n".join(line.split("//")[0] for line in lines if not line.startswith("#"))
    pair, = pairs([source("anna", TILED), source("ben", OTHER + "\n#define KERNEL(x) " + body)], set())
    assert pair.share > 0.5


@pytest.mark.parametrize("copy", [
    'static const char* mark = R"(" /* ")";\n' + TILED,
    "#define ALL(x) static const char* mark = #x; \\\n" + TILED.replace("#include", "//").replace("\n", " \\\n") + "\nALL(mine)\n",
    "#define loop for\n#define fixed const\n" + TILED.replace("for (", "loop (").replace("const ", "fixed ")], ids=["string", "macro", "words"])
def test_a_text_is_read_as_the_compiler_reads_it(copy):
    pair, = pairs([source("anna", TILED), source("ben", copy)], set())
    assert pair.share > 0.9


def test_files_of_a_student_are_compared_whatever_their_names(tmp_path):
    (tmp_path / "body.dat").write_text(TILED, encoding="utf-8")
    assert [found.file for found in sources_below(tmp_path, "ben", of_class=True)] == ["body.dat"]
    assert sources_below(tmp_path, "an earlier year") == []


def test_hundreds_of_equal_files_keep_nobody_waiting():
    """Each passage of 600 files of two people would make 180,000 pairs."""
    many = [source(owner, TILED) for owner in ("anna", "ben") for _ in range(300)]
    assert len(pairs(many, set())) == 16


def test_a_function_that_was_taken_over_is_found():
    half = OTHER + TILED[TILED.index("__global__"):]
    pair, = pairs([source("anna", TILED), source("ben", half)], set())
    taken, own = len(TILED.split("__global__", 1)[1].split("\n")), OTHER.count("\n")
    assert pair.share > 0.8 and len([number for number in pair.lines(pair.other) if number > own]) > 0.7 * taken


def test_what_is_short_or_given_or_common_is_not_similar():
    skeletons = {mark for file in LABS.glob("starter/*") for mark in fingerprints(file.read_text(encoding="utf-8"))}
    assert pairs([source("anna", NAIVE), source("ben", NAIVE)], skeletons) == []
    assert pairs([source("anna", TILED), source("ben", TILED)], set(fingerprints(TILED))) == []
    assert pairs([source(f"student {number}", TILED) for number in range(7)], set()) == []


def test_only_pairs_with_a_student_of_the_class_count():
    found = pairs([source("anna", TILED), source("2025/otto", TILED, False), source("the lab", TILED, False)], set())
    assert owners(found) == [{"anna", "2025/otto"}, {"anna", "the lab"}]


def test_solutions_of_the_lab_are_told_apart():
    files = sorted((LABS / "gemm").glob("*.cpp"))
    sources = [source(file.stem, file.read_text(encoding="utf-8")) for file in files]
    assert len(pairs(sources, set())) < len(list(combinations(files, 2))) / 4


@pytest.fixture
def copied(tmp_path):
    grades = made.grades()
    for number, student in enumerate(grades["students"]):
        student["files"]["folder"] = f"sources/{number}"
        folder = tmp_path / f"grades/sources/{number}"
        folder.mkdir(parents=True)
        (folder / "mine.cu").write_text({0: TILED, 2: disguised(TILED) + made.MARKUP}.get(number, NAIVE))
    return made.write_class(tmp_path, grades)


def test_the_page_has_both_sides(copied):
    page = dict(FORMATS["similar"].files(copied))["similar.html"].decode()
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "100 % anna (mine.cu) and the lab (gpu_shared.cu)" in text and "my_1" in page
    assert "<mark>" in page and "<script" not in page and "&lt;script&gt;" in page and "onerror=alert(2)>" not in page
    assert "ben" not in text


def test_copies_of_the_lab_with_many_empty_lines_keep_nobody_waiting(copied):
    """Without limits, four such headers make a page of more than a gigabyte."""
    lab = "\n".join(file.read_text(encoding="utf-8") for file in sorted((LABS / "gemm").glob("*.c*")))
    folder = copied.folder / "sources/0"
    for number in range(4):
        (folder / f"h{number}.h").write_text(f"// {number}\n{lab}" + "\n" * 100_000 + "int end_of_it;\n")
    page = dict(FORMATS["similar"].files(copied))["similar.html"].decode()
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert len(page) < 3_000_000 and max(map(len, re.findall(r"<pre.*?</pre>", page, re.S))) < 60_000
    assert re.search(r"anna \(h\d.h\) and the lab \(gpu_\w+.cu\)", text) and "lines of this source are not shown." in text
    assert page.count("</summary>") < 60 and "of two people who have 16 pairs here." in text
    assert ("These people's sources are too long to compare all of them: anna. Of each person, 400,000 characters are compared: "
            "first the variants, and of these and the other files the shortest first.") in html.unescape(text)


def test_of_a_long_source_the_page_shows_what_is_alike(copied):
    long = "int before;\n" * 1000 + TILED + " " * 300 + "int far_right;\n" + "int after;\n" * 500 + TILED + "/*" + "x" * 200_000 + "*/\n"
    (copied.folder / "sources/2/mine.cu").write_text(long)
    page = dict(FORMATS["similar"].files(copied))["similar.html"].decode()
    side = next(side for side in re.findall(r"<pre.*?</div>", page, re.S) if "int after;" in side)
    assert "__syncthreads" in side and side.count("int before;") < 100 and side.count("int after;") < 100
    assert "int far_right;" in side and re.search(r"x{90000,} … \(\d+ more characters\)\n", side) and re.search(r"\n…\n<span", side)
    assert len(re.sub(r"<[^>]+>", "", side)) < 105_000
    assert re.search(r"\d+ lines of this source are not shown\.", side)


def test_many_short_files_do_not_keep_a_variant_from_being_compared(copied):
    folder = copied.folder / "sources/2"
    (folder / "mine.cu").rename(folder / "gpu_mine.cu")
    for number in range(400):
        (folder / f"h{number}.h").write_text(f"int h{number};" + "// filler\n" * 150)
    page = dict(FORMATS["similar"].files(copied))["similar.html"].decode()
    assert "(gpu_mine.cu)" in page and "too long to compare all of them" in page


def test_sources_of_earlier_years(copied, tmp_path):
    (tmp_path / "2025/otto").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "2025/otto/gpu_shared.cu").write_text(disguised(TILED))
    (tmp_path / "2025/eva.cu").write_text(disguised(TILED))
    (tmp_path / "2025/max.zip").write_bytes(b"PK")
    copied.earlier = [tmp_path / "2025"]
    page = dict(FORMATS["similar"].files(copied))["similar.html"].decode()
    assert "2025/otto (gpu_shared.cu)" in page and "2025/eva.cu (eva.cu)" in page
    assert copied.remarks == [f"--earlier: {tmp_path}/2025/max.zip: neither a folder nor a source, so nothing is compared with it; unpack archives"]
    for folder, message in (("empty", "empty: no folder in it has a source; unpack archives first"),
                            ("2024", "2024: there is no such folder")):
        copied.earlier = [tmp_path / folder]
        with pytest.raises(ReportError, match=message):
            compared(copied)


def test_the_class_page_names_who_should_be_looked_at(copied):
    assert "is like" not in dict(FORMATS["class"].files(copied))["class.html"].decode()
    copied.chosen = ("class", "similar")
    page = dict(FORMATS["class"].files(copied))["class.html"].decode()
    assert 'href="similar.html"' in page and "100 % of mine.cu is like gpu_shared.cu of the lab" in page
