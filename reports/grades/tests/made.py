"""A small class as harness grade writes it: anna is right, ben is wrong, mallory attacks the pages, nora has not been graded."""

import json
from pathlib import Path

import jsonschema

from reports.grades.load import Class, load_class
from reports.tests.recorded import ROOT, bare_run, case

SECRET = "hidden-detail"  # of hidden rules: no student may ever read it
MARKUP = '<script>alert("1")</script> ![x](http://evil) `a` | b'
MALLORY = "../<img src=x onerror=alert(2)>"  # an id, which is the name of a folder
RULES = [("compiles", "builds", 10, False), ("right", "correct", 20, False), ("secret rule", "correct", 10, True), ("fast", "speed", 7.5, False),
         ("report", "manual", 5, False)]
WRONG = "on m=7 n=5 k=3: 5 of 35 cells differ, first C[0][4]: got 2, want 4; every wrong cell lies in the last column: is the tail of n handled?"


def award(rule: int, earned: float, why: str, advice: str = "", still: float = 0, cases: tuple = ("small/sizes/mine size=16",)) -> dict:
    name, kind, of, hidden = RULES[rule]
    made = {"rule": name, "kind": kind, "hidden": hidden, "earned": earned, "of": of, "open": still, "why": why, "cases": list(cases)}
    return made | ({"next": advice} if advice else {})


def student(id: str, name: str, awards: list[dict], status: str = "GRADED", run: str = "", file: str = "mine.cpp", **more) -> dict:
    made = {"id": id, "name": name, "status": status, "submission": f"/class/{id}",
            "files": {"graded": [file], "missing": [], "extra": [], "hash": f"hash of {run or id}", "folder": "sources/1"},
            "seconds": 2.5, "factor": 1.0, "earned": sum(one["earned"] for one in awards), "of": 52.5, "open": sum(one["open"] for one in awards),
            "rules": awards, **more}
    return made | ({"run": run, "run_folder": f"../{run}", "key": f"key of {id}"} if run else {})


def grades() -> dict:
    hidden = award(2, 5, SECRET, SECRET, cases=("small/sizes/mine size=40",))
    both = ("small/sizes/mine size=16", "small/sizes/mine size=40")
    good = [award(0, 10, "it compiles", cases=both), award(1, 20, "1 of 1 case right"), hidden, award(3, 7.5, "speedup 4 (3.9 .. 4.1) at size=16"),
            award(4, 0, "a person gives these points", still=5, cases=())]
    bad = [award(0, 10, "it compiles"), award(1, 0, "0 of 1 case right", f"mine size=16: WRONG: {WRONG}"), hidden,
           award(3, 0, "speed counts when all cases of mine are right", "make it right first"), award(4, 4, "4 of 5 points given by a person")]
    evil = [award(0, 0, "it does not compile", f"mine.cpp:3:1: error: {MARKUP}\n::error::owned"), award(1, 0, MARKUP), hidden,
            award(3, 0, "=1+1"), award(4, 0, "a person gives these points", still=5)]
    none = [award(i, 0, "not graded yet", cases=()) for i in range(5)]
    return {"schema": "harness-grade/1", "of": 52.5, "remarks": ["a remark"],
            "grading": {"lab": "small", "title": "Small lab", "config": "small.yaml", "rules_version": "abc", "started": "2026-11-23T03:25:33Z",
                        "finished": "2026-11-23T03:27:06Z", "harness": {"version": "0.1.0", "commit": "unknown", "dirty": False}},
            "rules": [{"name": name, "kind": kind, "points": of, "hidden": hidden} for name, kind, of, hidden in RULES],
            "students": [student("anna", "Anna X", good, run="run-1"), student("ben", "Ben X", bad, run="run-2"),
                         student(MALLORY, "=HYPERLINK(1)", evil, run="run-3", file='mine.cpp'),
                         student("nora", "Nora X", none, status="PENDING", reason=MARKUP)]}


def run(status: str, reason: str = "", log: str = "", **more) -> dict:
    ok = status == "PASSED"
    metrics = {"kernel_ms": {"median": 2.0, "n": 1}, "speedup": {"median": 4.0, "n": 1, "over": "base"}} if ok else {}
    cases = [case("sizes", "mine", {"size": size}, status, metrics=metrics, reason=reason if size == 16 else SECRET,
                  id=f"small/sizes/mine size={size}", build_key="b", owner="submission", **more) for size in (16, 40)]
    build = {"key": "b", "variant": "mine", "macros": {}, "state": "failed" if log else "built", "command": "", "compiler": "", "log": log,
             "source_hash": ""}
    return bare_run() | {"cases": cases, "builds": [build]}


def diagnostic(line: int, what: str) -> dict:
    return {"kind": "race", "severity": "mistake", "kernel": "k", "file": "mine.cpp", "line": line, "other_file": "", "other_line": 0, "source": "",
            "what": what, "fix": "a barrier", "count": 1, "have": 0, "ideal": 0, "block": [], "thread": []}


def write_class(folder: Path, made: dict | None = None) -> Class:
    made = made or grades()
    jsonschema.validate(made, json.loads((ROOT / "docs/grades.schema.json").read_text(encoding="utf-8")))
    runs = {"run-1": run("PASSED"), "run-2": run("WRONG", WRONG, diagnostics=[diagnostic(n, f"race {n} ##[add-mask]x") for n in range(1, 15)]),
            "run-3": run("COMPILE_ERROR", f"mine.cpp:3:1: error: {MARKUP}\n::error::owned", f"/class/grades/sources/1/mine.cpp:3:1: error: {MARKUP}\n")}
    for name, content in runs.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "run.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "grades").mkdir(exist_ok=True)
    (folder / "grades/grades.json").write_text(json.dumps(made), encoding="utf-8")
    pupils = load_class(folder / "grades")
    pupils.environment = {"CLASSROOM": "c", "ASSIGNMENT": "a", "OWNER": "o", "SUBMISSION_TAG": "submit/20261122T010203Z-abc", "COMMIT_URL": "u",
                          "RELEASE_URL": "r"}
    return pupils
