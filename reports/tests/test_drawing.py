"""Drawings of what a thread block computes."""

from xml.etree import ElementTree

import pytest

from reports import drawing
from reports.document import Paragraph, Picture, plain
from reports.tests.small import run_of, timed

TILE = "product\nrows = 2; columns = BLOCK; threads = BLOCK; depth = 4; buffers = 2\nthread_rows = 2\nrow = 0; column = t\nFor large problems."
MACROS = {"BLOCK": "4"}


def words(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_each_element_shows_its_thread():
    made = drawing.layout("product\nrows = 4; columns = 8; threads = 4\nthread_rows = 2; thread_columns = 4\npiece_rows = 1; piece_columns = 2"
                          "\nstep_rows = 2; step_columns = 4\nrow = t / 2; column = t % 2 * 2", {}, 4)
    assert made.owner == ((0, 0, 1, 1, 0, 0, 1, 1), (2, 2, 3, 3, 2, 2, 3, 3)) * 2


def test_the_picture_in_words():
    made = drawing.layout(TILE, MACROS, 8)
    assert drawing.sentences(made) == [
        "A block of 4 threads computes 2 x 4 elements of the result.",
        "A thread computes 2 x 1 elements, with their sums in registers.",
        "Shared memory holds 2 x 4 of A and 4 x 4 of B, 2 times: 0.375 KiB without padding. The next tiles follow along k. "
        "A step takes 2 + 1 numbers for 2 multiply-adds.", "For large problems."]
    svg = drawing.draw(made, "a <b>")
    assert words(svg)[0] == "a <b>" and words(svg)[-10:-2] == ["0", "1", "2", "3"] * 2
    assert "2 x 4" in words(svg) and "4 x 4" in words(svg)


def test_the_pixels_of_a_window():
    made = drawing.layout("window\nrows = 2; columns = 8; threads = 16\nrow = t / 8; column = t % 8\nwindow = 3; stride = 2; shared = 1", {}, 4)
    assert made.input == (5, 17)
    assert "Shared memory holds the 5 x 17 pixels of a channel that the block needs, 0.332 KiB without padding." in drawing.sentences(made)
    assert "image: 5 x 17 pixels" in words(drawing.draw(made, ""))


@pytest.mark.parametrize("declared, says", [
    ("square", "the first line is product or window"),
    ("product\nrows = 1", 'there is no line "columns = ..."'),
    ("product\nrows = 1; rows = 2", '"rows" is there twice'),
    ("product\nrow = 0; column = t\nrows = 1; columns = BLOK; threads = 4", 'columns = "BLOK": "BLOK" has no value'),
    ("product\nrows = 1; columns = 4 +; threads = 4", 'columns = "4 +" is no expression'),
    ("product\nrows = 1; columns = 0; threads = 4", "columns = 0: it is a number from 1 to 65536"),
    ("product\nrows = 1; columns = 4; threads = 4; row = 0; column = 1", "threads 0 and 1 both compute element (0, 1)"),
    ("product\nrows = 1; columns = 4; threads = 3; row = 0; column = t", "no thread computes element (0, 3)"),
    ("product\nrows = 1; columns = 4; threads = 5; row = 0; column = t", "thread 4 computes element (0, 4), outside of 1 x 4"),
    ("product\nrows = 60000; columns = 60000; threads = 4", "60000 x 60000 elements and 4 threads are too many to draw"),
    ("product\ncolour = 3", '"colour" is no word of a drawing; there are ' + ", ".join(drawing.NAMES)),
])
def test_a_wrong_declaration_says_what_is_wrong(declared, says):
    with pytest.raises(drawing.BadDrawing) as error:
        drawing.layout(declared, {}, 4)
    assert str(error.value) == says


def variant(name: str, declared: str) -> dict:
    return {"name": name, "file": "x.cu", "summary": "", "gpu": True, "needs": [], "about": "", "from_submission": True, "precision": "",
            "macros": MACROS, "drawing": declared}


def test_a_run_shows_the_parameters_of_its_last_build():
    build = {"key": "k", "variant": "gpu_a", "macros": {"BLOCK": "8"}, "state": "built", "command": "", "compiler": "", "log": "", "source_hash": ""}
    run = run_of(variants=[variant("gpu_a", TILE), variant("gpu_b", "product"), variant("gpu_c", "")], builds=[build])
    picture, wrong = drawing.pictures(run)
    assert isinstance(picture, Picture) and picture.title == "gpu_a with BLOCK=8" and picture.file == "plots/kernel-1.svg"
    assert "computes 2 x 8 elements" in plain(picture.caption)
    assert isinstance(wrong, Paragraph) and plain(wrong.text) == 'gpu_b cannot be drawn: there is no line "rows = ...".'


def test_a_drawing_has_the_type_of_the_cases():
    cases = [timed("gpu_a", 128, {}, dtype="f64"), timed("gpu_b", 128, {}, dtype="f32"), timed("gpu_b", 128, {}, dtype="f64")]
    found = [(one.title, plain(one.caption)) for one in drawing.pictures(run_of(variants=[variant("gpu_a", TILE), variant("gpu_b", TILE)], cases=cases))]
    assert [title for title, _ in found] == ["gpu_a, f64", "gpu_b, f32"]
    assert "0.375 KiB" in found[0][1] and "0.1875 KiB" in found[1][1]


def test_a_hostile_run_chooses_neither_file_nor_markup():
    run = run_of(variants=[variant("../../x\x1b[31m", TILE + "\nA\x07 <b>\u202enote</b>.")])
    (picture,) = drawing.pictures(run)
    assert picture.file == "plots/kernel-1.svg"
    ElementTree.fromstring(picture.svg)
    assert "A� <b>�note</b>." in plain(picture.caption)


def test_the_committed_drawings_are_the_generated_ones():
    folder = drawing.LABS / "drawings"
    made = drawing.drawings()
    assert {path.name for path in folder.iterdir()} == {path.name for path in made}
    for path, svg in made.items():
        assert path.read_text(encoding="utf-8") == svg, "run: .venv/bin/python -m reports.drawing"


def test_all_lab_drawings_fit_both_types_and_many_parameters():
    declared = {f"{file.parent.name}/{file.stem}": (text, macros) for file, text, macros in drawing.sources()}
    for text, macros in declared.values():
        drawing.layout(text, macros, 8)
    for block in ("8", "16", "32"):
        for partition in ("row", "column", "block"):
            for name in ("gemm/gpu_naive", "gemm/gpu_shared", "gemm/gpu_register"):
                text, macros = declared[name]
                for size in (4, 8):
                    drawing.layout(text, {**macros, "BLOCK": block, "PARTITION": partition}, size)


def test_the_page_of_the_labs_shows_every_drawing():
    page = (drawing.LABS / "README.md").read_text(encoding="utf-8")
    for path in drawing.drawings():
        assert f"(drawings/{path.name})" in page, path.name
