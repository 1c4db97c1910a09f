import pytest

from reports.__main__ import main
from reports.grades.formats import FORMATS


def test_it_writes_what_is_asked_for(pupils, capsys):
    assert main(["grades", str(pupils.folder), "--formats", "moodle,feedback"]) == 0
    assert capsys.readouterr().out == f"{pupils.folder}/moodle.csv\nfeedback: 8 files in {pupils.folder}/students\n"
    assert (pupils.folder / "students/ben/feedback.html").is_file()


def test_one_student_into_another_folder(pupils, tmp_path):
    assert main(["grades", str(pupils.folder), "--formats", "gradescope", "--only", "ben", "-o", str(tmp_path / "out")]) == 0
    assert [str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")] == ["students/ben/results.json"]


@pytest.mark.parametrize("words, code, message", [
    (["--formats", "modle"], 2, f'--formats: unknown format "modle" (did you mean "moodle"?); known: {", ".join(FORMATS)}\n'),
    (["--formats", ","], 2, f"--formats: no format given; known: {', '.join(FORMATS)}\n"),
    (["--only", "anne"], 2, '--only: no student "anne" (did you mean "anna"?)\n')])
def test_a_wrong_word(pupils, capsys, words, code, message):
    assert main(["grades", str(pupils.folder), *words]) == code
    assert capsys.readouterr().err == message


def test_files_that_are_no_grades(pupils, capsys, tmp_path):
    file = pupils.folder / "grades.json"
    assert main(["grades", str(tmp_path / "none")]) == 3
    assert capsys.readouterr().err == f"{tmp_path}/none/grades.json: there is no such file; run harness grade first\n"
    file.write_text('{"schema": "harness-grade/2"}')
    assert main(["grades", str(file)]) == 3
    assert capsys.readouterr().err == (f'{file}: schema is "harness-grade/2" but must be "harness-grade/1"; use the harness that wrote the '
                                       "grades\n")
    for torn in ('{"schema"', '{"schema": "harness-grade/1"}', "[]"):
        file.write_text(torn)
        assert main(["grades", str(file)]) == 3
        assert capsys.readouterr().err.startswith(f"{file}: is damaged: ")
