"""harness init: what a student starts from compiles, is wrong, and shows nothing of the hidden rules."""

import json
import re
import subprocess

import pytest
from conftest import QUICK, ROOT
from ruamel.yaml import YAML

SECRET = ("# the hidden size is 41", "odd sizes", "never shown", "41", "43")
RULES = [
    {"name": "compiles", "rule": "builds", "variant": "cpu_mine", "points": 10},
    {"name": "right", "rule": "correct", "variant": "cpu_mine", "where": {"size": [16, 24]}, "points": 20, "about": "a | b"},
    {"name": "odd sizes", "rule": "correct", "variant": "cpu_mine", "where": {"size": 41}, "points": 5, "hidden": True},
    {"name": "never shown", "rule": "correct", "variant": "cpu_mine", "sweep": "secret", "points": 5, "hidden": True},
    {"name": "tiles", "rule": "correct", "variant": "gpu_mine", "points": 30},
    {"name": "no mistakes", "rule": "clean", "variant": "gpu_mine", "points": 10},
    {"name": "report", "rule": "manual", "points": 5}]
SWEEPS = [{"name": "sizes", "variants": ["cpu_mine"], "axes": {"size": [16, 24, 41]}},
          {"name": "secret", "variants": ["cpu_mine"], "axes": {"size": [43]}},
          {"name": "gpu", "variants": ["gpu_mine"], "dtype": "f64", "axes": {"size": [16], "TILE": [4, 8]}}]
SUM = {"cpu_mine.cpp": "for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];",
       "gpu_mine.cu": "for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];"}


@pytest.fixture
def course(lab, tmp_path):
    made = lab(tmp_path / "course", measure=QUICK, sweeps=SWEEPS, grade={"rules": RULES})
    made.write()
    made.file.write_text(SECRET[0] + "\n" + made.file.read_text())
    return made


def awards(out):
    """Points earned and possible, by rule."""
    lines = out.split("\npoints\n")[1].splitlines()
    return {line[19:40].split(",")[0].strip(): (int(line[:8]), int(line[12:18])) for line in lines if line[8:12] == " of "}


def points(harness, student, folder):
    ran = harness("run", student / "small.yaml", "--submission", ".", "--points", "--no-report", "--gpu", "emulated", "--results", folder, cwd=student)
    return ran, awards(ran.out)


def test_a_student_starts_with_files_that_compile_and_are_wrong(harness, course, tmp_path, emulation):
    student = tmp_path / "student"
    made = harness("init", course.file, student, "--action", "school/harness@v1", "--course", "school/labs")
    assert (made.code, made.err) == (0, "")
    assert made.out == (f"{student}: small.yaml, cpu_mine.cpp, gpu_mine.cu, README.md, compile_commands.json, .gitignore, "
                        ".github/workflows/grade.yml\n2 hidden rules left out\n")
    everything = "".join(path.read_text() for path in student.rglob("*") if path.is_file() and path.suffix != ".json")
    assert [word for word in SECRET if word in everything] == []
    assert "2 rules more count when the class is graded. They are not shown." in everything
    assert "| no mistakes | `gpu_mine` | 10 | right, and the emulated device sees no mistakes |\n" in everything
    assert "each gives its share of the points (size = 16, 24). a \\| b |\n" in everything
    ran, earned = points(harness, student, tmp_path / "results")
    assert ran.code == 1, ran.out + ran.err
    assert earned == {"compiles": (10, 10), "right": (0, 20), "tiles": (0, 30), "no mistakes": (0, 10), "report": (0, 5), "together": (10, 75)}
    assert ran.out.count("WRONG  ") == 2 and ran.out.count(": WRONG (emulated)\n") == 2 and "CRASHED" not in ran.out
    for file, line in SUM.items():
        text = (student / file).read_text()
        assert text.count("// TODO: add ") == 1
        (student / file).write_text(text.replace("// TODO: add ", line + " // "))
    ran, earned = points(harness, student, tmp_path / "results")
    assert ran.code == 0, ran.out + ran.err
    assert earned == {"compiles": (10, 10), "right": (20, 20), "tiles": (30, 30), "no mistakes": (10, 10), "report": (0, 5), "together": (70, 75)}


def test_the_rules_of_the_copy_are_those_of_the_teacher(harness, course, tmp_path):
    student = tmp_path / "student"
    assert harness("init", course.file, student).code == 0
    copy = YAML(typ="safe").load(student / "small.yaml")
    assert copy["grade"]["rules"] == [rule for rule in RULES if not rule.get("hidden")]
    assert copy["sweeps"] == [{**SWEEPS[0], "axes": {"size": [16, 24]}}, SWEEPS[2]]
    assert copy["measure"] == QUICK
    again = harness("init", student / "small.yaml", tmp_path / "again")
    assert again.code == 0 and "hidden" not in again.out
    assert (tmp_path / "again/small.yaml").read_text() == (student / "small.yaml").read_text()


def test_an_editor_can_compile_the_skeletons(harness, course, tmp_path):
    student = tmp_path / "student"
    assert harness("init", course.file, student).code == 0
    file = student / "compile_commands.json"
    commands = json.loads(file.read_text())
    assert [command["file"] for command in commands] == [str(student / "cpu_mine.cpp"), str(student / "gpu_mine.cu")]
    assert "-DTILE=4" in commands[1]["arguments"]
    ran = subprocess.run([*commands[0]["arguments"], "-fsyntax-only"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (student / "gpu_mine.cu").unlink()
    again = harness("init", student / "small.yaml", student, "--only-compile-commands")
    assert (again.code, again.out) == (0, f"{file}\n")
    assert [command["file"] for command in json.loads(file.read_text())] == [str(student / "cpu_mine.cpp")]


@pytest.mark.parametrize("kernel", [path.name for path in sorted((ROOT / "labs").iterdir()) if (ROOT / f"labs/lab/{path.name}.h").exists()])
def test_every_kernel_has_skeletons_of_both_types(harness, lab, tmp_path, kernel, emulation):
    axes = {"gemm": {"size": [16]}, "conv2d": {"size": [16], "channels": [2], "filters": [2], "filter": [3]}}[kernel]
    sweeps = [{"name": f"{device}_{dtype}", "variants": [f"{device}_mine"], "dtype": dtype, "axes": axes} for device in ("cpu", "gpu") for dtype in ("f32", "f64")]
    rules = [{"name": device, "rule": "correct", "variant": f"{device}_mine", "points": 1} for device in ("cpu", "gpu")]
    course = lab(tmp_path / "course", kernel=kernel, measure=QUICK, sweeps=sweeps, grade={"rules": rules})
    assert harness("init", course.write(), tmp_path / "student").code == 0
    ran, earned = points(harness, tmp_path / "student", tmp_path / "results")
    assert earned == {"cpu": (0, 1), "gpu": (0, 1), "together": (0, 2)}
    assert ran.out.count("WRONG") - ran.out.split("\npoints\n")[1].count("WRONG") == 4, ran.out


def test_macros_and_threads_of_the_lab_are_in_the_skeleton(harness, lab, tmp_path):
    sweeps = [{"name": "all", "variants": ["cpu_mine"], "axes": {"size": [16], "threads": [1, 2], "UNROLL": [2, 4]}}]
    course = lab(tmp_path / "course", sweeps=sweeps, measure=QUICK,
                 grade={"rules": [{"name": "right", "rule": "correct", "variant": "cpu_mine", "points": 1}]})
    assert harness("init", course.write(), tmp_path / "student").code == 0
    text = (tmp_path / "student/cpu_mine.cpp").read_text()
    assert "#ifndef UNROLL\n#define UNROLL 2\n#endif\n" in text and "\nLAB_NEEDS(openmp);\n" in text
    assert "double" not in text


def test_the_handout_says_what_a_rule_needs(harness, lab, tmp_path):
    sweeps = [{"name": "sizes", "variants": ["cpu_mine", "cpu_baseline"], "axes": {"size": [16, 24]}}]
    rules = [{"name": "all", "rule": "correct", "variant": "cpu_mine", "points": 1, "credit": "all"},
             {"name": "worst", "rule": "speed", "variant": "cpu_mine", "across": "worst", "where": {"size": 16}, "steps": {2: 5}},
             {"name": "best", "rule": "speed", "variant": "cpu_mine", "across": "best", "where": {"size": 24}, "linear": {2: 5}},
             {"name": "mean", "rule": "speed", "variant": "cpu_mine", "metric": "gflops", "steps": {2: 5}},
             {"name": "claim", "rule": "claim", "variant": "cpu_mine", "sweep": "sizes", "points": 2, "claim": "cpu_mine faster than cpu_baseline"}]
    course = lab(tmp_path / "course", baseline="cpu_baseline", sweeps=sweeps, grade={"rules": rules}).write()
    assert harness("init", course, tmp_path / "student").code == 0
    rows = re.findall(r"^\| (\w+) \| `cpu_mine` \| (\d+) \| (.*) \|$", (tmp_path / "student/README.md").read_text(), re.M)
    speed = "how fast the variant is, once all its cases are right"
    assert rows == [("all", "1", "all cases of the variant are right; one that is not, and there are no points"),
                    ("worst", "5", f"{speed} (size = 16): 5 points from speedup 2; the worst case counts"),
                    ("best", "5", f"{speed} (size = 24): 5 points from speedup 2, growing evenly; the best case counts"),
                    ("mean", "5", f"{speed}: 5 points from gflops 2"),
                    ("claim", "2", "once all cases of the variant are right, this must hold: cpu_mine faster than cpu_baseline (sweep sizes)")]


def refused(harness, *words):
    ran = harness("init", *words)
    return ran.code, ran.err


def test_what_init_refuses(harness, course, lab, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    (full / "cpu_mine.cpp").write_text("// my work\n")
    assert refused(harness, course.file, full) == (2, f"harness: {full}: is not empty; name a new folder\n")
    assert (full / "cpu_mine.cpp").read_text() == "// my work\n" and len(list(full.iterdir())) == 1
    assert refused(harness, course.file, full / "cpu_mine.cpp") == (2, f"harness: {full}/cpu_mine.cpp: is not a folder\n")
    new = tmp_path / "new"
    code, message = refused(harness, lab(tmp_path / "none").write(), new)
    assert code == 2 and "grade" in message
    assert refused(harness, course.file, new, "--course", "labs") == (
        2, 'harness: --course "labs" is not the name of a repository; write for example OWNER/REPOSITORY\n')
    zipped = [{"name": "sizes", "variants": ["cpu_mine"], "zip": {"m": [16, 41], "n": [16, 41]}}]
    hidden = {"name": "odd", "rule": "correct", "variant": "cpu_mine", "where": {"m": 41}, "points": 1, "hidden": True}
    other = lab(tmp_path / "zip", sweeps=zipped, grade={"rules": [hidden, RULES[0]]}).write()
    assert refused(harness, other, new) == (
        2, f'harness: {other}: rule "odd" is hidden, and students would see m=41 in the sweep "sizes"; '
           "give its cases a sweep of their own\n")
    by_hand = lab(tmp_path / "hand", grade={"rules": [RULES[-1]]}).write()
    assert refused(harness, by_hand, new) == (2, f"harness: {by_hand}: no rule names a variant, so there is nothing that students write\n")
    outside = lab(tmp_path / "outside", sweeps=SWEEPS, published=["../times.csv"], grade={"rules": RULES[:1]}).write()
    (tmp_path / "times.csv").write_text("variant,size,kernel_ms\ncpu_mine,16,1\n")
    why = f'harness: {outside}: "../times.csv" is outside of the folder of the config, so it cannot be copied with it\n'
    assert refused(harness, outside, new) == (2, why)
    assert harness("package", outside, "--for", "gradescope", "-o", tmp_path / "a.zip").err == why and not (tmp_path / "a.zip").exists()
    assert refused(harness, course.file, full, "--only-compile-commands")[0] == 0
    assert not new.exists()
