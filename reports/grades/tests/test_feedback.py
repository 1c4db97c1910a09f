import json
import re

import msgspec

from reports.__main__ import main
from reports.grades import derived
from reports.grades.feedback import document
from reports.grades.leaderboard import nickname
from reports.grades.tests import made
from reports.html import render_html
from reports.markdown import render_markdown
from reports.pdf import render_pdf
from reports.tests.recorded import ROOT


def page(pupils, number: int) -> str:
    return render_markdown(document(pupils, pupils.grades.students[number]))


def test_a_page_says_points_why_and_what_next(pupils):
    text = page(pupils, 1)
    assert text.startswith("# Small lab: feedback\n\n**14 of 42.5 points**\n\n- **Student:** Ben X (ben)\n- **Graded:** 2026-11-23 03:27 UTC\n")
    assert "- **Not shown:** 1 rule more counts, without being shown here.\n" in text
    assert "| right | 0 | 20 | 0 of 1 case right. |\n" in text and "| together | 14 | 42.5 |  |\n" in text
    assert "\n- mine size=16: WRONG: on m=7 n=5 k=3: 5 of 35 cells differ, first C\\[0\\]\\[4\\]: got 2, want 4;" in text
    assert "is the tail of n handled? (right)\n- make it right first. (fast)\n" in text
    assert "| `mine.cpp:14` | race 14 ##\\[add-mask\\]x (usually: a barrier). |\n" in text
    assert "| `mine` | size=16 | WRONG |\n" in text


def test_own_numbers_and_open_points(pupils):
    text = page(pupils, 0)
    assert "**37.5 of 42.5 points; 5 are open**" in text
    assert "| variant | case | status | time (ms) | speedup |\n| --- | --- | --- | ---: | ---: |\n| `mine` | size=16 | PASSED | 2.00 | 4.00 |\n" in text
    assert "Speedup over base, measured in the same run." in text and "A person gives these points. 5 points are open." in text


def test_the_first_message_of_the_compiler_is_shown_without_folders_of_the_teacher(pupils):
    text = page(pupils, 2)
    assert "```text\nmine.cpp:3:1: error: " in text and "/class" not in text


def test_who_is_not_graded_is_told_so(pupils):
    text = page(pupils, 3)
    assert "**no grade yet**" in text and "PENDING: &lt;script>" in text


def test_the_median_of_the_class_needs_five_students(tmp_path):
    grades = made.grades()
    anna = grades["students"][0]
    for count in (4, 5):
        grades["students"] = [{**anna, "id": f"s{i}"} for i in range(count)]
        pupils = made.write_class(tmp_path / str(count), grades)
        assert "median" not in page(pupils, 0)
        pupils.median = True
        assert ("| 2.00 | 4.00 | 4.00 |\n" in page(pupils, 0)) == (count == 5)


def test_a_run_that_is_gone_costs_only_the_numbers(pupils):
    (pupils.folder.parent / "run-1/run.json").unlink()
    text = page(pupils, 0)
    assert "Your numbers" not in text and "| compiles | 10 | 10 | It compiles. |" in text
    assert pupils.remarks == ['"anna": its page shows no numbers: ' + f"{pupils.folder}/../run-1/run.json: "
                              "there is no such file; give the folder of a run, such as results/lab5/latest"]


def test_the_page_on_paper(pupils):
    assert render_pdf(render_html(document(pupils, pupils.grades.students[2]), {}, paper=True)).startswith(b"%PDF-")


def test_nicknames_follow_from_what_others_do_not_know(pupils):
    anna = pupils.grades.students[0]
    assert nickname(anna) == nickname(anna) != nickname(msgspec.structs.replace(anna, key="other"))


def test_statuses_without_points_are_those_of_the_harness():
    rows = re.findall(r"X\((\w+), (true|false), \"", (ROOT / "harness/grade/student_status.h").read_text(encoding="utf-8"))
    assert len(rows) > 5 and tuple(name for name, has in rows if has == "false") == derived.UNDECIDED


def test_the_same_mistake_is_told_once(tmp_path):
    grades = made.grades()
    seen = "thread (0,1) writes what thread (0,0) reads"
    grades["students"][1]["rules"][0] |= {"earned": 0, "next": f"mine size=16 T=4: WRONG: {seen}; mine.cu:14: more (usually: put __syncthreads() there)"}
    grades["students"][1]["rules"][1]["next"] = f"mine.cu:13: {seen} (usually: put __syncthreads() there)"
    grades["students"][1]["rules"][3]["next"] = f"mine.cu:15: {seen.replace('reads', 'writes')} (usually: put __syncthreads() there)"
    pupils = made.write_class(tmp_path, grades)
    (tmp_path / "run-2/run.json").write_text(json.dumps(made.run("WRONG", f"{seen}", diagnostics=[made.diagnostic(14, seen)])))
    text = render_markdown(document(pupils, pupils.grades.students[1]))
    steps = text.split("## What to look at next")[1].split("##")[0]
    assert steps.count(seen) == 1 and "(compiles, right)" in steps and steps.count("\n- ") == 2
    (tmp_path / "run-2/run.json").write_text(json.dumps(made.run("WRONG", made.WRONG, diagnostics=[made.diagnostic(3, "first"), made.diagnostic(3, "second")])))
    lines = render_markdown(document(pupils, pupils.grades.students[1])).split("## Lines to look at")[1].split("##")[0]
    assert "first" in lines and "second" not in lines


def test_feedback_in_the_language_of_the_config(pupils, capsys):
    for run in pupils.folder.parent.glob("run-*/run.json"):
        run.write_text(json.dumps(json.loads(run.read_text()) | {"report": {"tables": [], "plots": [], "language": "zh"}}))
    assert main(["grades", str(pupils.folder), "--formats", "feedback,class,similar"]) == 0
    page = (pupils.folder / "class.html").read_text()
    assert '<html lang="zh-CN">' in page and "<dd>4 人，其中 3 人已有成绩</dd>" in page and "得到 2，应为 4" in page and "To review" not in page
    assert "得分与本页无关。" in (pupils.folder / "similar.html").read_text()
    text = (pupils.folder / "students/ben/feedback.md").read_text()
    assert "**14 / 42.5 分**" in text and "| right | 0 | 20 | 1 个用例中 0 个正确。 |\n" in text
    assert "35 个元素中有 5 个不同，第一个是 C\\[0\\]\\[4\\]：得到 2，应为 4" in text and "- 先使结果正确。(fast)\n" in text
