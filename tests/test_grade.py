"""A small class, graded by the real program: honest, wrong, hostile and missing submissions."""

import csv
import fcntl
import json
import os
import re
import signal
import subprocess
import threading

import jsonschema
import pytest
from conftest import ROOT, skip
from small_class import RIGHT, RULES, WRONG
from small_class import pupils, untimed  # noqa: F401, fixtures


def test_a_class_gets_points_and_reasons(pupils, harness):
    pupils.submit("anna").submit("ben", WRONG).submit("carla", "int broken(\n").submit("dora", file="Cpu-Mine.cpp")
    pupils.submit("gerd", RIGHT).submit("stranger")
    (pupils.submissions / "emil").mkdir()
    (pupils.submissions / "fritz").mkdir()
    (pupils.submissions / "fritz/cpu_mine.cpp").symlink_to("/etc/passwd")
    roster, marks = pupils.folder / "roster.csv", pupils.folder / "marks.csv"
    roster.write_text("id,name,factor\n" + "".join(f"{id},{id.title()} X,{'0.8' if id == 'gerd' else ''}\n" for id in ("anna", "ben", "carla", "dora", "emil", "fritz", "gerd", "hugo")))
    marks.write_text("id,report\nanna,4.5\nnobody,1\n")
    ran = pupils.grade("--roster", roster, "--marks", marks)
    assert ran.code == 0, ran.out + ran.err
    grades, students = pupils.grades, pupils.students
    jsonschema.validate(grades, json.loads(harness("schema", "--grades").out))
    assert {id: student["status"] for id, student in students.items()} == {
        "anna": "GRADED", "ben": "GRADED", "carla": "GRADED", "dora": "MISNAMED", "emil": "EMPTY", "fritz": "REFUSED",
        "gerd": "GRADED", "hugo": "NO_SUBMISSION"}
    assert pupils.points("anna") == {"compiles": 10, "right": 20, "large": 10, "fast": 5, "report": 4.5}
    assert (students["anna"]["earned"], students["anna"]["of"], students["anna"]["open"]) == (49.5, 50, 0)
    assert (students["gerd"]["earned"], students["gerd"]["open"], students["gerd"]["factor"]) == (36, 4, 0.8)
    assert pupils.points("ben") == {"compiles": 10, "right": 0, "large": 0, "fast": 0, "report": 0}
    assert students["ben"]["rules"][1]["next"].startswith("cpu_mine size=16: WRONG: on m=")
    assert students["ben"]["rules"][3]["why"] == "speed counts when all cases of cpu_mine are right; cpu_mine size=16 is WRONG"
    assert pupils.points("carla")["compiles"] == 0
    assert (pupils.grades_folder / students["carla"]["files"]["folder"] / "cpu_mine.cpp").read_text() == "int broken(\n"
    assert "folder" not in students["fritz"]["files"]
    assert "cpu_mine.cpp:1:" in students["carla"]["rules"][0]["next"]
    assert students["fritz"]["rules"][1]["why"] == "nothing was run: cpu_mine.cpp: a link; hand in the file itself"
    assert students["hugo"]["rules"][1]["why"] == '"cpu_mine" is not in the submission'
    assert (students["hugo"]["earned"], students["hugo"]["open"]) == (0, 5)
    assert grades["remarks"] == ['"stranger" belongs to nobody in the roster, and was not graded',
                                 f'{marks} has marks for "nobody", who is not in the class']
    run = json.loads((pupils.grades_folder / students["anna"]["run_folder"] / "run.json").read_text())
    ids = {case["id"] for case in run["cases"] if case["owner"] == "submission"}
    assert set(students["anna"]["rules"][1]["cases"]) == ids
    assert students["gerd"]["run"] == students["anna"]["run"], "the same files have the same run"
    assert {build["state"] for build in run["builds"]} == {"cached"}, "all builds of the class are compiled before its runs"
    rows = list(csv.DictReader((pupils.grades_folder / "grades.csv").open()))
    assert [(row["id"], row["earned"]) for row in rows][:2] == [("anna", "49.5"), ("ben", "10")]


def test_the_terminal_says_why_there_are_no_points(untimed):
    untimed.submit("anna", "#error no product\n").submit("ben", "#error " + 300 * "x" + "\n").submit("carla", WRONG)
    anna, why, ben, cut, carla, *_ = untimed.grade().out.splitlines()
    assert (anna[:25], ben[:24]) == ("[1/3] GRADED        anna ", "[2/3] GRADED        ben ")
    assert why == "              COMPILE_ERROR: cpu_mine.cpp:1:2: error: #error no product"
    assert cut == 14 * " " + ("COMPILE_ERROR: cpu_mine.cpp:1:2: error: #error " + 300 * "x")[:200] + " [cut here]"
    assert carla.startswith("[3/3] GRADED        carla  10 of 30")


def test_a_student_sees_the_points_of_the_teacher_without_the_hidden_rules(pupils, harness):
    pupils.submit("anna")
    assert pupils.grade().code == 0
    seen = harness("run", pupils.lab.file, "--submission", pupils.submissions / "anna", "--results", pupils.folder / "own", "--points",
                   "--no-report")
    assert "      20 of 20     right                2 of 2 cases right\n" in seen.out, seen.out + seen.err
    assert "      35 of 40     together, 5 points open\n1 rule more counted when the class is graded\n" in seen.out
    assert "large" not in seen.out.split("\npoints\n")[1]
    assert pupils.points("anna")["right"] == 20
    planned = harness("plan", pupils.lab.file, "--submission", pupils.submissions / "anna", "--points").out
    assert "      20  right                correct of cpu_mine: 2 cases, size=16; size=40\n" in planned
    assert "                 5  from speedup 1e-09\n" in planned and "large" not in planned


def test_what_students_are_compared_with_is_timed_beside_each_of_them(pupils):
    """Else the load of the machine during the first one's run would be in all points."""
    pupils.submit("anna").submit("ben", RIGHT + "// ben\n").submit("carla", WRONG)
    assert pupils.grade().code == 0
    for student in ("anna", "ben"):
        cases = json.loads((pupils.grades_folder.parent / pupils.students[student]["run"] / "run.json").read_text())["cases"]
        assert len(cases) == 4 and not any(case["reused_from"] for case in cases)
        assert all(case["metrics"]["speedup"]["paired"] for case in cases if case["variant"] == "cpu_mine")
    cases = json.loads((pupils.grades_folder.parent / pupils.students["carla"]["run"] / "run.json").read_text())["cases"]
    assert all(case["reused_from"] for case in cases if case["variant"] == "cpu_baseline"), "nothing is timed beside it"


def test_a_source_that_another_one_includes_is_compiled_with_it(untimed):
    untimed.submit("anna", '#include "tiles.cpp"\n' + WRONG).submit("anna", "", "tiles.cpp")
    untimed.submit("ben", '#include "cpu_baseline.cpp"\n' + WRONG).submit("ben", "", "cpu_baseline.cpp")
    ran = untimed.grade()
    assert ran.code == 0, ran.out + ran.err
    assert untimed.points("anna")["compiles"] == 10, untimed.students["anna"]
    assert untimed.students["ben"]["reason"] == "cpu_baseline.cpp was left out, because a variant of the lab has its name; give it another name"
    assert untimed.points("ben")["compiles"] == 0


def test_a_lower_precision_is_refused_unless_the_lab_accepts_it(pupils):
    """The lab has no variant cpu_mine of its own that could declare one."""
    pupils.submit("anna", RIGHT + "LAB_PRECISION(normwise);\n").submit("ben")
    assert pupils.grade().code == 0
    assert pupils.points("anna")["right"] == 0 and pupils.points("ben")["right"] == 20
    assert pupils.students["anna"]["rules"][1]["next"] == (
        "cpu_mine size=16: COMPILE_ERROR: it declares LAB_PRECISION(normwise), which this lab does not accept from a submission; "
        'remove it (key "allowed_precisions" of the config)')
    pupils.lab.keys["allowed_precisions"] = "normwise"
    assert pupils.grade().code == 0
    assert pupils.points("anna")["right"] == 20
    feedback = [(pupils.grades_folder / f"students/{student}/feedback.md").read_text() for student in ("anna", "ben")]
    assert "| `cpu_mine` (normwise) | size=16 | PASSED |" in feedback[0] and "(normwise)" not in feedback[1]


def test_a_hidden_size_runs_after_all_that_students_see(pupils):
    """This variant would show in the result of size 104 that it has seen size 100."""
    tells = RIGHT.replace("LAB_GEMM_CPU", "static bool seen;\nLAB_GEMM_CPU").replace("{", """{
  seen = seen || g.m == 100;
  if (g.m == 104 && seen) return;
""", 1)
    pupils.lab.keys["sweeps"][0]["axes"] = {"size": [100, 104]}
    pupils.lab.keys["grade"] = {"rules": [{**RULES[1], "where": {"size": 104}}, {**RULES[2], "where": {"size": 100}}]}
    pupils.submit("anna", tells)
    assert pupils.grade().code == 0
    assert pupils.points("anna") == {"right": 20, "large": 10}, pupils.students["anna"]["rules"]


def test_nothing_that_students_see_depends_on_a_hidden_case(untimed):
    """Neither the memory that its process gets nor the scalars of the check, though the hidden sweep is the first one."""
    tells = RIGHT.replace("{", """{
  rlimit memory{};
  getrlimit(RLIMIT_DATA, &memory);
  if (g.m == 16) throw lab::Unsupported(std::to_string(memory.rlim_cur));
  if (g.alpha == 0.375f) return;
""", 1)
    shown = untimed.lab.keys["sweeps"][0]
    untimed.lab.keys["grade"] = {"rules": [{**RULES[1], "where": {"size": 16}}, {**RULES[2], "where": {"alpha": 0.375}}]}
    untimed.submit("anna", "#include <sys/resource.h>\n#include <string>\n" + tells)
    told = []
    for size in (40, 400):
        hidden = {**shown, "name": "hidden", "axes": {"size": size}, "set": {"alpha": 0.375}}
        untimed.lab.keys["sweeps"] = [hidden, {**shown, "axes": {"size": 16}}]
        assert untimed.grade("--fresh").code == 0
        right, large = untimed.students["anna"]["rules"]
        told.append(right["next"])
        assert "WRONG" in large["next"], large
    assert told[0] == told[1] and re.search(r": SKIPPED: the variant does not support it: \d{10,}$", told[0]), told


def test_rules_that_change_need_no_run(pupils):
    pupils.submit("anna").submit("ben", WRONG)
    assert pupils.grade().code == 0
    runs = pupils.lab.results.states()
    pupils.lab.keys["grade"]["rules"] = [{**RULES[0], "points": 30}, *RULES[1:]]
    pupils.lab.keys["grade"]["rules"][1] = {**RULES[1], "credit": "all", "points": 10}
    before = pupils.grades["grading"]["rules_version"]
    ran = pupils.grade(command="regrade")
    assert (ran.code, ran.out) == (0, "anna       +10: 55 of 60, was 45 of 50\nben        +20: 30 of 60, was 10 of 50\n"
                                      f"2 changed, 0 the same\ngrades: {pupils.grades_folder}/grades.{{json,csv}}\n"), ran.err
    assert "anna" in (pupils.grades_folder / "class.html").read_text()
    assert pupils.lab.results.states() == runs
    assert pupils.grades["grading"]["rules_version"] != before
    # Nor does grading again.
    assert "(known)" in pupils.grade().out and pupils.lab.results.states() == runs
    pupils.lab.keys["grade"]["rules"][1]["points"] = 11
    other = f"harness: --only: {pupils.grades_folder}/grades.json has points by other rules; run harness regrade {pupils.lab.file}"
    assert pupils.grade("--only", "anna").err == f"{other} first\n"
    rules = pupils.folder / "rules.yaml"
    rules.write_text(json.dumps(pupils.lab.keys["grade"]))
    assert pupils.grade("--only", "anna", "--rules", rules).err == f"{other} --rules {rules} first\n"
    pupils.lab.keys["grade"]["rules"][1]["points"] = 10
    fresh = pupils.grade("--only", "anna", "--fresh")
    assert fresh.code == 0 and len(pupils.lab.results.states()) == len(runs) + 1
    assert pupils.students["ben"]["earned"] == 30, "nobody else's grade changes"


def test_marks_are_added_to_those_before(untimed):
    untimed.lab.keys["grade"]["rules"] = [*RULES[:2], RULES[-1], {"name": "style", "rule": "manual", "points": 5}]
    untimed.submit("anna", WRONG)
    marks = untimed.folder / "marks.csv"
    marks.write_text("id,report\nanna,3\n")
    assert untimed.grade("--marks", marks).code == 0
    marks.write_text("id,style\nanna,4\n")
    assert untimed.grade("--marks", marks, command="regrade").code == 0
    marks.write_text("id,right\nanna,12.5\n")
    assert untimed.grade("--marks", marks).code == 0
    assert untimed.students["anna"]["marks"] == {"report": 3, "style": 4, "right": 12.5}
    assert untimed.points("anna") == {"compiles": 10, "right": 12.5, "report": 3, "style": 4}
    assert untimed.students["anna"]["rules"][1]["why"] == "12.5 of 20 points given by a person; computed: 0, 0 of 2 cases right"
    marks.write_text("id,right,report\nanna,-,\n")
    assert untimed.grade("--marks", marks, command="regrade").code == 0
    assert untimed.students["anna"]["marks"] == {"report": 3, "style": 4} and untimed.points("anna")["right"] == 0
    untimed.lab.keys["grade"]["rules"][3]["points"] = 2
    assert untimed.grade(command="regrade").code == 0
    assert untimed.points("anna")["style"] == 2 and untimed.students["anna"]["earned"] == 15, "a rule gives less now"


def test_regrade_says_what_it_cannot_see(untimed):
    """Marks of strangers, and cases that did not run yet."""
    untimed.submit("anna", WRONG).submit("ben", WRONG)
    assert untimed.grade().code == 0
    marks = untimed.folder / "marks.csv"
    marks.write_text("id,right\nAnna,5\n")
    ran = untimed.grade("--marks", marks, command="regrade")
    assert ran.code == 0, ran.err
    strangers = f'{marks} has marks for "Anna", who is not in the class'
    assert untimed.grades["remarks"] == [strangers]
    untimed.lab.keys["title"] = "Another"
    ran = untimed.grade(command="regrade")
    other = ("the config has changed since the class was graded, and not only its rules: these are the points of the cases that ran then; "
             "harness grade runs those of now")
    assert other in ran.out.replace("\n", " ") and untimed.grades["remarks"] == [strangers, other]
    assert untimed.grade("--only", "ben").err == (f"harness: --only: {untimed.grades_folder}/grades.json was made with another config "
                                                  "(sweeps, measure); leave out --only once\n")


def test_rules_that_students_do_not_get(untimed):
    rules = untimed.folder / "rules.yaml"
    rules.write_text("rules:\n  - {name: builds, rule: builds, variant: cpu_mine, points: 1}\n"
                     "  - {name: close, rule: claim, variant: cpu_mine, points: 4, sweep: sizes, claim: time of cpu_mine below 7}\n")
    untimed.submit("anna", WRONG)
    ran = untimed.grade("--rules", rules)
    assert ran.code == 0, ran.err
    assert untimed.students["anna"]["of"] == 5 and untimed.points("anna") == {"builds": 1, "close": 0}
    assert untimed.students["anna"]["rules"][1]["why"] == "a claim counts when all cases of cpu_mine are right; cpu_mine size=16 is WRONG"
    rules.write_text("rules:\n  - {name: builds, rule: builds, variant: cpu_yours, points: 1}\n")
    assert untimed.grade("--rules", rules).err == f'harness: {rules}:2:43: no sweep has the variant "cpu_yours"; there are cpu_mine\n'


def test_a_claim_may_compare_with_a_variant_of_the_lab(pupils, harness):
    """No other rule names cpu_unrolled, and it is no baseline."""
    pupils.lab.keys["sweeps"][0]["variants"] += ["cpu_unrolled", "cpu_avx"]
    close = {"name": "close", "rule": "claim", "variant": "cpu_mine", "points": 4, "sweep": "sizes", "claim": "time of cpu_mine over cpu_unrolled at most 1e9"}
    pupils.lab.keys["grade"] = {"rules": [close]}
    pupils.submit("anna")
    ran = pupils.grade()
    assert ran.code == 0, ran.out + ran.err
    assert pupils.points("anna") == {"close": 4}, pupils.students["anna"]["rules"]
    run = json.loads((pupils.grades_folder / pupils.students["anna"]["run_folder"] / "run.json").read_text())
    assert {case["variant"] for case in run["cases"]} == {"cpu_baseline", "cpu_mine", "cpu_unrolled"}
    close["claim"] = "time of cpu_mine lowest at size between 1 and 100"
    planned = harness("plan", pupils.lab.write(), "--submission", pupils.submissions / "anna")
    assert planned.code == 2 and planned.err.endswith(": this claim compares nothing: values of size inside and outside of the range are needed\n")


def test_a_mistake_in_the_config_is_told_before_the_first_student(untimed, harness):
    """grade, plan and regrade say the same, and the grades of before stay."""
    untimed.submit("anna", WRONG)
    assert untimed.grade().code == 0
    before, runs = untimed.grades, untimed.lab.results.states()
    rules = untimed.folder / "rules.yaml"

    def errors(claim):
        rules.write_text(f"rules:\n  - {{name: close, rule: claim, variant: cpu_mine, points: 4, sweep: sizes, claim: {claim}}}\n")
        planned = harness("plan", untimed.lab.file, "--submission", untimed.submissions / "anna", "--rules", rules)
        graded, again = (untimed.grade("--rules", rules, command=command) for command in ("grade", "regrade"))
        assert (graded.code, graded.out, again.err, planned.err) == (2, "", graded.err, graded.err)
        return graded.err.removeprefix(f"harness: {rules}:")

    nothing = "this claim compares nothing"
    assert errors("time of cpu_mine below 7 where size > 16 and size < 40") == f"2:83: {nothing}: no case of cpu_mine is selected\n"
    assert errors("time of cpu_mine lowest at size between 1 and 100") == f"2:83: {nothing}: values of size inside and outside of the range are needed\n"
    assert untimed.grades == before and untimed.lab.results.states() == runs
    untimed.lab.keys["baseline"] = "cpu_basline"
    assert untimed.grade().err.endswith('unknown variant "cpu_basline" (did you mean "cpu_baseline"?)\n')
    assert untimed.grades == before and untimed.lab.results.states() == runs


def killed_after(pupils, line, *more):
    """Starts to grade and kills the harness when it has printed that line. How far it comes meanwhile is chance."""
    process = pupils.lab.harness.start(*pupils.words(*more))
    for printed in process.stdout:
        if printed.startswith(line):
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_kill_9_and_start_again(pupils):
    for number in range(4):
        pupils.submit(f"s{number}", RIGHT + f"// {number}\n")
    killed_after(pupils, "[2/4]")
    graded = {id: student for id, student in pupils.students.items() if student["status"] != "PENDING"}
    assert len(graded) >= 2 and (len(graded) == 4 or "finished" not in pupils.grades["grading"])
    ran = pupils.grade()
    assert ran.code == 0 and ran.out.count("(known)") == len(graded), ran.out + ran.err
    assert {id: pupils.students[id]["run"] for id in graded} == {id: student["run"] for id, student in graded.items()}
    assert {student["status"] for student in pupils.students.values()} == {"GRADED"}
    assert "finished" in pupils.grades["grading"]


def test_an_interrupted_second_grading_keeps_the_first(untimed):
    """Those whose turn has not come keep their runs, and get points by the rules of now."""
    ids = [f"s{number}" for number in range(4)]
    for id in ids:
        untimed.submit(id, WRONG + f"// {id}\n")
    assert untimed.grade().code == 0
    first = untimed.students
    untimed.lab.keys["grade"]["rules"] = [{**RULES[0], "points": 30}]
    killed_after(untimed, "[1/4]", "--fresh")
    now, again = untimed.students, [id for id in ids if untimed.students[id]["run"] != first[id]["run"]]
    assert again == ids[:len(again)] and again, "in their order"
    assert {id: (now[id]["status"], now[id]["earned"], now[id]["of"]) for id in ids} == {id: ("GRADED", 30, 30) for id in ids}
    assert len(again) == 4 or "finished" not in untimed.grades["grading"]
    assert len({untimed.grades["grading"]["rules_version"], *(now[id]["key"] for id in ids)}) == 5


def test_a_full_disk_in_mid_class(untimed):
    """anna is graded, then there is no space for the others; with space again, the class goes on."""
    results = untimed.lab.results.folder
    results.mkdir(parents=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "none", results], capture_output=True).returncode:
        skip("a small disk needs root and mount")
    try:
        untimed.submit("anna", WRONG)
        assert untimed.grade().code == 0
        before = untimed.grades
        untimed.submit("ben", WRONG + "// b\n").submit("carla", WRONG + "// c\n")
        with (results / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(bytes(1 << 16))
        full = untimed.grade()
        assert full.code == 3 and "No space left on device" in full.err, full.out + full.err
        assert untimed.grades == before, "the grades of before can be read"
        (results / "filler").unlink()
        assert untimed.grade().code == 0
        assert untimed.students["anna"] == before["students"][0]
        assert {student["status"] for student in untimed.students.values()} == {"GRADED"}
    finally:
        subprocess.run(["umount", results], check=True)


def test_a_class_that_waits_for_another_run_says_so(untimed):
    untimed.submit("anna", WRONG)
    with open("/tmp/harness-timing.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Timer(3, lambda: fcntl.flock(lock, fcntl.LOCK_UN)).start()
        ran = untimed.grade()
    assert ran.code == 0 and "warning: another run takes times on this machine: waiting\n" in ran.out


def test_errors_of_the_teacher(pupils):
    pupils.submit("anna")
    assert pupils.grade("--sandbox", "bwarp").err.startswith('harness: unknown sandbox "bwarp" (did you mean "bwrap"?); there are ')
    assert pupils.grade("--only", "ana").err == 'harness: --only: no student "ana" (did you mean "anna"?)\n'
    roster = pupils.folder / "roster.csv"
    roster.write_text("id\nanna\nanna\n")
    assert pupils.grade("--roster", roster).err == f'harness: {roster}:3: the id "anna" is on line 2 already\n'
    missing = pupils.lab.harness("grade", pupils.lab.file, pupils.folder / "nothing")
    assert (missing.code, missing.err) == (2, f"harness: {pupils.folder}/nothing: no such folder; it has one folder per student\n")
    assert pupils.grade(command="regrade").err == f"harness: {pupils.grades_folder}/grades.json: there are no grades; run harness grade first\n"
    pupils.grades_folder.mkdir(parents=True, exist_ok=True)
    (pupils.grades_folder / "grades.json").write_text('{"schema": "harness-grade/2"}')
    assert 'is of version "harness-grade/2", and this harness reads harness-grade/1' in pupils.grade().err
    del pupils.lab.keys["grade"]
    assert pupils.grade().err.startswith(f'harness: {pupils.lab.file}: has no key "grade", so nothing gives points; add for example grade: ')


def test_the_sample_is_what_the_schema_says(harness):
    """`tests/class/grades.json` is for those who write exporters and pages; `docs/grades.schema.json` is the format."""
    schema = json.loads((ROOT / "docs/grades.schema.json").read_text())
    assert schema == json.loads(harness("schema", "--grades").out), "run: build/harness schema --grades > docs/grades.schema.json"
    sample = json.loads((ROOT / "tests/class/grades.json").read_text())
    jsonschema.validate(sample, schema)
    assert len({student["status"] for student in sample["students"]}) >= 4
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**sample, "students": [{"id": "x"}]}, schema)


SLOPPY = RIGHT.replace("lab::Gemm<float>& g) {", "lab::Gemm<float>& g) {\n  volatile int most = 2147483647; most = most + 1;", 1)


def test_sanitizers_look_at_what_is_right_by_luck(pupils):
    """Points come from the verdict; the student reads the line."""
    pupils.submit("anna").submit("ben", SLOPPY)
    at = 1 + SLOPPY[:SLOPPY.index("most = most")].count("\n")
    found = {}
    for switch in ([], ["--no-sanitize"]):
        assert pupils.grade(*switch).code == 0
        assert {pupils.students[id]["status"] for id in ("anna", "ben")} == {"GRADED"}
        for id in ("anna", "ben"):
            run = json.loads((pupils.grades_folder / pupils.students[id]["run_folder"] / "run.json").read_text())
            found[id, *switch] = [(one["kind"], one["file"], one["line"], one["what"]) for case in run["cases"]
                                  if case["variant"] == "cpu_mine" for one in case.get("diagnostics", [])]
            assert {case["status"] for case in run["cases"]} <= {"PASSED", "UNSTABLE"}
        feedback = (pupils.grades_folder / "students/ben/feedback.md").read_text()
        assert ("undefined behaviour: signed integer overflow" in feedback) == (not switch)
    what = "undefined behaviour: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"
    assert found.pop(("ben",)) == [("undefined_behaviour", "cpu_mine.cpp", at, what)] * 2
    assert set(map(str, found.values())) == {"[]"}
