"""The class page: what it says, that nothing a student wrote is markup, and that its search and order work in a browser."""

import json
import re
import subprocess

import msgspec
import pytest

from reports.grades.formats import FORMATS
from reports.grades.histogram import histogram
from reports.grades.load import load_class
from reports.grades.record import Grades
from reports.grades.survey import pattern, review, survey
from reports.grades.tests import made
from reports.grades.tests.test_formats import Tags
from reports.load import parse_run
from reports.tests.browser import BROWSER
from reports.tests.recorded import ROOT


@pytest.fixture
def page(pupils) -> str:
    return dict(FORMATS["class"].files(pupils))["class.html"].decode()


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_nothing_that_a_student_wrote_is_markup(page):
    tags = Tags()
    tags.feed(page)
    assert [tag for tag in tags.seen if tag[0] in ("script", "img") or len(tag) > 1] == [("script",)]
    assert "script-src 'sha256-" in page and "default-src 'none'" in page and "http" not in page.replace("http-equiv", "").replace("http://evil", "")


def test_rules_and_points(pupils, page):
    rules = {rule.name: rule for rule in survey(pupils).rules}
    assert {name: (round(rule.share, 3), rule.full, rule.part, rule.none, rule.open) for name, rule in rules.items()} == {
        "compiles": (0.667, 2, 0, 1, 0), "right": (0.333, 1, 0, 2, 0), "secret rule": (0.5, 0, 3, 0, 0), "fast": (0.333, 1, 0, 2, 0),
        "report": (0.267, 0, 1, 0, 2)}
    text = plain(page)
    assert "Students 4, of whom 3 have a grade Median 19 of 52.5 points" in text and "secret rule correct, hidden" in text
    assert "1 swift swan 84 37.5 4.00" in text


def test_speedups_of_several_machines_are_named(tmp_path):
    pupils = made.write_class(tmp_path)
    run = made.run("PASSED")
    (tmp_path / "run-2/run.json").write_text(json.dumps(run | {"machine": run["machine"] | {"hostname_hash": "0badcafe"}}))
    text = plain(dict(FORMATS["class"].files(pupils))["class.html"].decode())
    assert "The speedups are from 2 machines: each is a ratio of times of one machine." in text


def test_a_mistake_that_the_device_saw_is_counted_by_its_kind_alone(tmp_path):
    pupils = made.write_class(tmp_path)
    (tmp_path / "run-2/run.json").write_text(json.dumps(made.run("WRONG", "race 3 ##[add-mask]x; more", diagnostics=[made.diagnostic(3, "race 3 ##[add-mask]x")])))
    assert [text for text, rows in survey(pupils).mistakes if rows[0].student.id == "ben"] == [f"WRONG: {made.SECRET}", "diagnostic: race"]


def test_those_with_only_open_points_are_reviewed_last(tmp_path):
    grades = made.grades()
    grades["students"][0]["rules"][3] |= {"earned": 0, "open": 7.5}
    grades["students"][1] |= {"status": "MISNAMED", "reason": "2 points are open: Mine.cpp"}
    assert [row.student.id for row, _ in survey(made.write_class(tmp_path, grades)).review] == ["ben", "anna"]


def test_without_speedups_there_is_no_column_of_them(tmp_path, pupils):
    assert "best speedup" in FORMATS["class"].files(pupils).__next__()[1].decode()
    other = made.write_class(tmp_path / "other")
    (tmp_path / "other/run-1/run.json").write_text(json.dumps(made.run("UNSTABLE")))
    page = FORMATS["class"].files(other).__next__()[1].decode()
    assert "speedup</th>" not in page and ">speedup<" not in page and 'colspan="10"' in page


def test_mistakes_are_counted_once_for_each_student(pupils):
    assert [(text, [row.student.id for row in rows]) for text, rows in survey(pupils).mistakes if "WRONG:" in text or "race" in text] == [
        ("WRONG: every wrong cell lies in the last column: is the tail of n handled?", ["ben"]), (f"WRONG: {made.SECRET}", ["ben"]),
        ("diagnostic: race", ["ben"])]


@pytest.mark.parametrize("status, reason, wanted", [
    ("WRONG", made.WRONG, "every wrong cell lies in the last column: is the tail of n handled?"),
    ("WRONG", "on m=1 n=1 k=1: 2 of 3 cells differ, first C[0][0]: got 1, want 2; the first shape that fails is m=7 n=11 k=13",
     ""),
    ("WRONG", "on m=1 n=1 k=1: right in a new process, wrong after earlier calls: does it keep something?",
     "right in a new process, wrong after earlier calls: does it keep something?"),
    ("WRONG", "on m=1: 1 of 1 cells differ; every wrong cell is 1 too large: is a constant added?",
     "every wrong cell is N too large: is a constant added?"),
    ("COMPILE_ERROR", "mine.cpp:3:12: error: ‘foo’ was not declared in this scope", "‘…’ was not declared in this scope"),
    ("CRASHED", "on m=1 n=1 k=1: segmentation fault while it ran: a null pointer?, at mine.cpp:9: c[0] = 1;",
     "segmentation fault while it ran: a null pointer?"),
    ("TIMEOUT", "on m=1 n=1 k=1: no answer after 5 s while it ran, at mine.cpp:9: while (c);", "no answer after N s while it ran")])
def test_a_pattern_leaves_out_what_differs_between_students(status, reason, wanted):
    run = made.run(status, reason)
    assert pattern(parse_run(msgspec.json.encode(run).decode()).cases[0]) == wanted


def test_a_reason_cannot_hide_a_mistake(tmp_path):
    pupils = made.write_class(tmp_path)
    (tmp_path / "run-2/run.json").write_text(json.dumps(made.run("CRASHED", "a hook: no known pattern")))
    assert "CRASHED: a hook: no known pattern" in [text for text, _ in survey(pupils).mistakes]


def test_who_needs_a_persons_eye(pupils):
    assert survey(pupils).review == []
    run = parse_run(msgspec.json.encode(made.run("SUSPECT", "two clocks disagree")).decode())
    anna, ben = pupils.grades.students[:2]
    texts = lambda *about: [doubt.text for doubt in review(*about)]
    assert texts(anna, run, [anna, ben]) == ["SUSPECT: two clocks disagree", f"SUSPECT: {made.SECRET}", "the same files as ben"]
    noisy = msgspec.structs.replace(anna.rules[3], earned=2.0, open=5.5, why="too noisy")
    refused = msgspec.structs.replace(anna, status="REFUSED", reason="a link", rules=(noisy,))
    assert texts(refused, run, []) == ["SUSPECT: two clocks disagree", "REFUSED: a link", "5.5 points of fast are open: too noisy"]


def test_doubtful_times_are_listed_first(tmp_path):
    grades = made.grades()
    grades["students"][0]["files"]["hash"] = grades["students"][1]["files"]["hash"]
    pupils = made.write_class(tmp_path, grades)
    (tmp_path / "run-2/run.json").write_text(msgspec.json.encode(made.run("MISTRUSTED", "copied")).decode())
    assert [(row.student.id, doubts[0].text) for row, doubts in survey(pupils).review] == [
        ("ben", "MISTRUSTED: copied"), ("anna", "the same files as ben")]
    assert "Anna X anna the same files as ben" in plain(dict(FORMATS["class"].files(pupils))["class.html"].decode()), "reasons name others by id"


def test_links_lead_to_files_when_results_move(pupils, tmp_path):
    assert "feedback</a>" not in dict(FORMATS["class"].files(pupils))["class.html"].decode()
    pupils.chosen, pupils.output = ("class", "feedback"), tmp_path / "elsewhere/pages"
    files = dict(FORMATS["feedback"].files(pupils))
    links = re.findall(r'<a href="([^#"]+)">', dict(FORMATS["class"].files(pupils))["class.html"].decode())
    assert len(links) == 7  # four pages and three runs
    for link in links:
        assert link in files or (pupils.output / link).resolve().is_file(), link


def test_the_drawing_counts_everybody():
    svg = histogram([0, 0.05, 0.5, 0.999, 1, 1.1], 20)
    assert "<title>6 students by points: 2, 0, 0, 0, 0, 1, 0, 0, 0, 3 in 10 equal ranges from 0 to 20</title>" in svg


def test_an_empty_class_has_a_page(pupils):
    pupils.grades = msgspec.convert(made.grades() | {"students": []}, Grades)
    text = plain(dict(FORMATS["class"].files(pupils))["class.html"].decode())
    assert "Students 0, of whom 0 have a grade" in text and "Nobody has a run." in text


def test_the_class_of_the_repository(tmp_path):
    pupils = load_class(ROOT / "tests/class/grades.json")
    text = plain(dict(FORMATS["class"].files(pupils))["class.html"].decode())
    assert all(student.name in text for student in pupils.grades.students)


def in_browser(tmp_path, page: str, steps: str = "", anchor: str = "") -> str:
    """The page after a browser has run its script and these steps, which the policy of the real page would forbid."""
    if not BROWSER:
        pytest.skip("needs chromium, to run the script of the class page")
    file = tmp_path / "class.html"
    file.write_text(re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</script>", steps + "</script>") if steps else page, encoding="utf-8")
    ran = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile", "--dump-dom",
                          f"file://{file}{anchor}"], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def bodies(dom: str) -> list[tuple[str, str, str]]:
    """Name, whether the student is shown, whether the details are."""
    found = re.findall(r'<tbody id="student-\d+"(.*?)>.*?<button[^>]*>(.*?)</button>.*?<tr class="detail"(.*?)>', dom, re.S)
    return [(name, "" if "hidden" in body else "shown", "" if "hidden" in detail else "open") for body, name, detail in found]


def test_a_link_opens_one_student(tmp_path, page):
    assert bodies(in_browser(tmp_path, page, anchor="#student-1")) == [
        ("Anna X", "shown", ""), ("Ben X", "shown", "open"), ("=HYPERLINK(1)", "shown", ""), ("Nora X", "shown", "")]


def test_search_and_order(tmp_path, page):
    click = "table.tHead.querySelectorAll('button')[3].click();"
    ordered = [name for name, *_ in bodies(in_browser(tmp_path, page, click))]
    assert ordered == ["Nora X", "=HYPERLINK(1)", "Ben X", "Anna X"]
    assert [name for name, *_ in bodies(in_browser(tmp_path, page, click + click))] == ordered[::-1]
    dom = in_browser(tmp_path, page, "field.value = 'GRADED  ben'; field.dispatchEvent(new Event('input'));")
    assert [name for name, shown, _ in bodies(dom) if shown] == ["Ben X"] and ">1 / 4</span>" in dom


def test_what_is_said_about_a_student_fits_the_screen(tmp_path, page):
    """The table of all rules may be wider than the window."""
    widths = "document.title = [table.offsetWidth, innerWidth, table.querySelector('#student-1 .detail table').getBoundingClientRect().right];"
    table, window, detail = map(float, re.search("<title>(.*?)</title>", in_browser(tmp_path, page, widths, "#student-1"))[1].split(","))
    assert detail <= window < table
