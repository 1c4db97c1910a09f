"""Each format against its documented fields, and what a hostile student or a hidden rule may not do in any of them."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import jsonschema
import msgspec
import pytest

from reports.errors import ReportError
from reports.grades.formats import FORMATS
from reports.grades.load import folder_name, load_class
from reports.grades.record import Grades
from reports.grades.tests import made
from reports.tests.recorded import ROOT
from reports.text import UNSHOWABLE

TEXT = {"type": "string"}
NUMBER = {"type": "number", "minimum": 0}
WHOLE = {"type": "integer", "minimum": 0}
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
SHOWN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORM = {"enum": ["text", "html", "simple_format", "md", "ansi"]}


def strict(required: str, **properties) -> dict:
    return {"type": "object", "additionalProperties": False, "required": required.split(), "properties": properties}


def listed(items: dict) -> dict:
    return {"type": "array", "items": items}


# The fields that the documentation of each service lists.
GRADESCOPE = strict(
    "tests", score=NUMBER, execution_time=NUMBER, output=TEXT, output_format=FORM, test_output_format=FORM, test_name_format=FORM,
    visibility=SHOWN, stdout_visibility=SHOWN, extra_data={}, leaderboard={},
    tests=listed(strict("score max_score", score=NUMBER, max_score=NUMBER, status={"enum": ["passed", "failed"]}, name=TEXT, name_format=FORM,
                        number=TEXT, output=TEXT, output_format=FORM, tags=listed(TEXT), visibility=SHOWN, extra_data={})))
CLASSROOM50 = strict(
    "schema classroom assignment assignment_type owner submission commit release review datetime score max-score tests",
    **{"schema": {"const": "classroom50/result/v1"}, "assignment_type": {"enum": ["individual", "group"]}, "datetime": TIME,
       "graded_at": TIME, "submission": {"type": "string", "pattern": "^submit/"}, "score": WHOLE, "max-score": WHOLE, "submitted_by": {},
       "tests": listed({"type": "object", "required": ["test-name", "passed", "score", "max-score"], "properties": {
           "test-name": TEXT, "passed": {"type": "boolean"}, "score": WHOLE, "max-score": WHOLE}})},
    **{name: {"type": "string", "minLength": 1} for name in ("classroom", "assignment", "owner", "commit", "release", "review")})
PRAIRIELEARN = strict(
    "gradable score", gradable={"type": "boolean"}, score={**NUMBER, "maximum": 1}, message=TEXT, output=TEXT, images={}, format_errors={},
    tests=listed(strict("name", name=TEXT, description=TEXT, points=NUMBER, max_points=NUMBER, message=TEXT, output=TEXT, images={})))
SARIF = strict(
    "version runs", **{"$schema": TEXT, "version": {"const": "2.1.0"}}, runs=listed(strict(
        "tool results", tool=strict("driver", driver=strict("name", name=TEXT, version=TEXT, rules=listed(strict("id", id=TEXT)))),
        results=listed(strict("message", ruleId=TEXT, level={"enum": ["none", "note", "warning", "error"]}, message=strict("text", text=TEXT),
                              locations=listed(strict("physicalLocation", physicalLocation=strict(
                                  "artifactLocation", artifactLocation=strict("uri", uri=TEXT),
                                  region=strict("startLine", startLine={"type": "integer", "minimum": 1})))))))))


@pytest.fixture
def written(pupils):
    def write(name: str) -> dict[str, str]:
        return {file: content.decode() for file, content in FORMATS[name].files(pupils)}

    return write


def of(files: dict[str, str], id: str) -> dict | list:
    return json.loads(next(content for file, content in files.items() if file.startswith(f"students/{folder_name(id)}/")))


@pytest.mark.parametrize("name, schema, students", [
    ("gradescope", GRADESCOPE, 3), ("classroom50", CLASSROOM50, 3), ("prairielearn", PRAIRIELEARN, 4), ("sarif", SARIF, 4)])
def test_a_file_has_the_documented_fields(written, name, schema, students):
    files = written(name)
    assert len(files) == students
    for content in files.values():
        jsonschema.validate(json.loads(content), schema)


def test_gradescope_hides_the_hidden_rules_and_adds_up(written):
    anna = of(written("gradescope"), "anna")
    assert [(test["name"], test["score"], test.get("status"), test["visibility"]) for test in anna["tests"]] == [
        ("compiles", 10, "passed", "visible"), ("right", 20, "passed", "visible"), ("fast", 7.5, "passed", "visible"),
        ("report", 0, None, "visible"), ("rules that are not shown", 5, None, "hidden")]
    assert anna["score"] == sum(test["score"] for test in anna["tests"]) == 42.5
    assert set(anna["tests"][-1]) == {"name", "score", "max_score", "visibility"}


def test_a_late_submission_adds_up_too(pupils):
    grades = made.grades()
    grades["students"] = [grades["students"][0] | {"factor": 0.8, "earned": 34.0}]
    pupils.grades = msgspec.convert(grades, Grades)
    files = {name: dict(FORMATS[name].files(pupils)) for name in ("gradescope", "classroom50", "autolab", "prairielearn", "moodle", "feedback")}
    anna = json.loads(files["gradescope"]["students/anna/results.json"])
    assert anna["score"] == sum(test["score"] for test in anna["tests"]) == 34
    assert sum(json.loads(files["autolab"]["students/anna/autolab.txt"].splitlines()[1])["scores"].values()) == 34
    assert json.loads(files["classroom50"]["students/anna/result.json"])["score"] == 30
    assert json.loads(files["prairielearn"]["students/anna/prairielearn.json"])["score"] == round(34 / 52.5, 6)
    assert b"all points count times 0.8" in files["moodle"]["moodle.csv"]
    feedback = files["feedback"]["students/anna/feedback.md"].decode()
    assert "**30 of 42.5 points; 4 are open**" in feedback and "| what counts | 30 | 42.5 | All points count times 0.8. |\n" in feedback


def test_classroom50_has_whole_scores_of_the_visible_rules(written, pupils):
    anna = of(written("classroom50"), "anna")
    assert [test["score"] for test in anna["tests"]] == [10, 20, 8, 0] and (anna["score"], anna["max-score"]) == (38, 43)
    assert (anna["tests"][2]["points"], anna["datetime"], anna["review"]) == ("7.5", "2026-11-22T01:02:03Z", "u")
    pupils.environment = {}
    with pytest.raises(ReportError, match="^classroom50: the environment variable CLASSROOM is not set; leave classroom50 out of --formats"):
        list(FORMATS["classroom50"].files(pupils))


def test_autolab_reads_the_last_line(written):
    files = written("autolab")
    feedback, scores = map(json.loads, files["students/anna/autolab.txt"].splitlines())
    assert scores == {"scores": {"compiles": 10, "right": 20, "fast": 7.5, "report": 0, "rules that are not shown": 5}}
    assert feedback["_presentation"] == "semantic" and feedback["stages"] == ["builds", "correct", "speed", "manual"]
    assert feedback["builds"] == {"compiles": {"passed": True, "hint": "10 of 10 points: it compiles"}}


def test_junit_counts_what_it_lists(written):
    root = ElementTree.fromstring(written("junit")["students/ben/junit.xml"])
    suite = root.find("testsuite")
    assert root.tag == "testsuites" and suite.attrib == {"name": "ben", "timestamp": "2026-11-23T03:25:33", "tests": "4", "failures": "3",
                                                         "errors": "0", "skipped": "0", "time": "2.5"}
    assert [case.get("name") for case in suite.iter("testcase")] == ["compiles", "right", "fast", "report"]
    assert [failure.get("message") for failure in suite.iter("failure")][0] == "0 of 20 points: 0 of 1 case right"
    anna = ElementTree.fromstring(written("junit")["students/anna/junit.xml"]).find("testsuite")
    assert (anna.get("failures"), anna.get("skipped"), len(list(anna.iter("skipped")))) == ("0", "1", 1)


def test_gradebooks_leave_out_who_has_no_grade(written):
    moodle = list(csv.DictReader(io.StringIO(written("moodle")["moodle.csv"], newline="")))
    assert [(row["ID number"], row["Small lab"]) for row in moodle] == [("anna", "42.5"), ("ben", "19"), (made.MALLORY, "5")]
    assert moodle[0]["Small lab (feedback)"] == (
        "compiles: 10 of 10 points: it compiles | right: 20 of 20 points: 1 of 1 case right | fast: 7.5 of 7.5 points: speedup 4 (3.9 .. 4.1) "
        "at size=16 | report: 0 of 5 points: a person gives these points | 1 rule more counts, without being shown here")
    canvas = list(csv.DictReader(io.StringIO(written("canvas")["canvas.csv"], newline="")))
    assert list(canvas[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Small lab"]
    assert [(row["Student"], row["SIS Login ID"], row["Small lab"]) for row in canvas] == [
        ("Points Possible", "", "52.5"), ("Anna X", "anna", "42.5"), ("Ben X", "ben", "19"), ("'=HYPERLINK(1)", made.MALLORY, "5")]


def test_table_of_all_points(written):
    rows = list(csv.reader(io.StringIO(written("csv")["grades.csv"], newline="")))
    assert rows[0] == ["id", "name", "status", "earned", "of", "open", "factor", "compiles", "right", "secret rule", "fast", "report", "run", "reason"]
    assert rows[1] == ["anna", "Anna X", "GRADED", "42.5", "52.5", "5", "1", "10", "20", "5", "7.5", "0", "run-1", ""]
    assert rows[4][:7] == ["nora", "Nora X", "PENDING", "", "52.5", "", "1"], "no decision is not 0 points"


@pytest.mark.parametrize("name", ["csv", "moodle", "canvas"])
def test_no_cell_is_a_formula(written, name):
    (text,) = written(name).values()
    assert not [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row if re.match(r"\s*[=+\-@]", cell)]


def test_annotations_are_few_and_on_lines_of_the_student(written):
    files = written("github")
    ben = files["students/ben/annotations.txt"].splitlines()
    assert len(ben) == 10 and ben[0] == "::warning file=mine.cpp,line=1,title=race::race 1 ## [add-mask]x (usually: a barrier)."
    assert ben[-1] == "::notice title=more::5 more remarks are in the summary"
    assert files["students/anna/annotations.txt"] == ""
    (mallory,) = files[f"students/{folder_name(made.MALLORY)}/annotations.txt"].splitlines()
    assert mallory.startswith("::error file=mine.cpp,line=3,title=COMPILE_ERROR::COMPILE_ERROR: mine.cpp:3:1: error: <script>")


def test_annotations_name_files_from_the_root_of_the_repository(pupils):
    pupils.environment = {"GITHUB_WORKSPACE": "/class"}
    files = dict(FORMATS["github"].files(pupils))
    assert files["students/ben/annotations.txt"].startswith(b"::warning file=ben/mine.cpp,line=1,")
    grades = made.grades()
    grades["students"][1]["files"]["source"] = "/class/ben/lab 5/src"
    pupils.grades = msgspec.convert(grades, Grades)
    files = dict(FORMATS["github"].files(pupils))
    assert files["students/ben/annotations.txt"].startswith(b"::warning file=ben/lab 5/src/mine.cpp,line=1,"), "a folder around the files"


def test_a_summary_is_cut_below_the_limit(pupils):
    grades = made.grades()
    grades["students"][0]["rules"] = [made.award(0, 1, "long " * 100) | {"rule": f"rule {i}"} for i in range(4000)]
    pupils.grades = msgspec.convert(grades, Grades)
    summary = dict(FORMATS["github"].files(pupils))["students/anna/summary.md"]
    assert 900_000 < len(summary) < 1024 * 1024 and summary.endswith(b"\n\n(cut here: the summary would be too large)\n")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, *(name for name, _ in attributes if name.startswith("on"))))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "feedback-pdf"])
def test_students_learn_nothing_of_hidden_rules(written, name):
    for file, content in written(name).items():
        if file.startswith("students/") or name in ("moodle", "canvas"):
            assert made.SECRET not in content and "secret rule" not in content and "size=40" not in content, file


def test_text_of_a_student_is_not_markup(written):
    for file, content in written("feedback").items():
        assert not UNSHOWABLE.search(content)
        if file.endswith(".html"):
            tags = Tags()
            tags.feed(content)
            assert not {tag for tag in tags.seen if tag[0] in ("script", "img") or len(tag) > 1}, file
        else:
            outside = re.sub(r"```.*?```|`[^`\n]*`", "", content, flags=re.S)
            assert "<script" not in outside and "![" not in outside.replace("\\!", "").replace("!\\[", ""), file
            assert not re.search(r"^::", outside, re.M)


def test_ids_stay_in_their_folder(written):
    names = {file.split("/")[1] for file in written("feedback")}
    assert len(names) == 4 and all(re.fullmatch(r"[a-z0-9_-]+", name) for name in names)
    assert folder_name("Anna") != folder_name("anna") and folder_name("a b") != folder_name("a_b")


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("classroom50", "feedback-pdf")])
def test_a_class_that_the_harness_graded(name):
    pupils = load_class(ROOT / "tests/class/grades.json")
    files = [file for file, content in FORMATS[name].files(pupils) if content]
    assert files and len(set(files)) == len(files)


def test_the_teachers_book_lists_all_formats():
    table = (ROOT / "docs/teacher.md").read_text(encoding="utf-8").split("\n| format | what it writes |\n")[1].split("\n\n")[0]
    assert sorted(re.findall(r"`([\w-]+)`", " ".join(row.split("|")[1] for row in table.splitlines()))) == sorted(FORMATS)
