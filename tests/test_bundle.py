"""`harness bundle` and `harness reproduce`: one archive of a run, and the run made again from it."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import CORPUS, ROOT, skip

TABLE = "variant,size,ms\ncpu_baseline,16,1.5\n"


@pytest.fixture(scope="module")
def work(lab):
    work = lab(submissions="shared", sandbox="none",
               claims=[{"claim": "time of mine at least 1e9", "sweep": "all", "source": "a report"}],
               published=[{"file": "tables/old.csv", "axes": {"size": "size"}, "values": {"ms": "kernel_ms"}}])
    (work.folder / "tables").mkdir(parents=True)
    (work.folder / "tables/old.csv").write_text(TABLE)
    work.variant("mine", ROOT / "labs/gemm/cpu_baseline.cpp").variant("wrong", CORPUS / "wrong/ldb_ignored.cpp")
    (work.submission / "mine.cpp").write_text('#include "tile.h"\n' + (work.submission / "mine.cpp").read_text())
    (work.submission / "tile.h").write_text("// a header of mine\n")
    work.sweep("cpu_baseline", "mine", "wrong", size=[16, 24])
    work.run("--variant", "mine", "--variant", "wrong", "--set", "size=20").expect(1, mine="PASSED", wrong="WRONG")
    return work


@pytest.fixture(scope="module")
def bundle(harness, work, tmp_path_factory):
    file = tmp_path_factory.mktemp("bundle") / "small.zip"
    ran = harness("bundle", "latest", "-o", file, "--results", work.results.folder)
    assert (ran.code, ran.err) == (0, "")
    hashed = hashlib.sha256(file.read_bytes()).hexdigest()
    assert re.fullmatch(rf"{re.escape(str(file))}: \d+ source files, sha256 {hashed}\n", ran.out)
    return file


def files_of(file):
    with zipfile.ZipFile(file) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def pack(to, files, links=()):
    """An archive of these files as they are, without their hashes."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFLNK | 0o777 if name in links else stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, data)
    return to


def test_a_bundle_has_everything_with_its_hash(bundle, work):
    files = files_of(bundle)
    described = json.loads(files.pop("bundle.json"))
    assert described["schema"] == "harness/bundle/1" and described["lab"] == "small"
    assert described["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert files["run.json"] == (work.results.folder / "small/latest/run.json").read_bytes()
    assert files["sources/submission/mine.cpp"] == (work.submission / "mine.cpp").read_bytes()
    assert {"sources/submission/tile.h", "sources/submission/wrong.cpp", "sources/labs/lab/gemm.h", "report.md", "report.html",
            "versions.json", "CITATION.cff", "REPRODUCE.md", "ro-crate-metadata.json"} <= set(files)
    assert files["sources/configs/lab.yaml"] == work.file.read_bytes()
    assert files["sources/configs/tables/old.csv"].decode() == TABLE
    versions = json.loads(files["versions.json"])
    assert versions["container"] is None and versions["compilers"] and "g++" in versions["tools"]
    assert files["CITATION.cff"].decode().startswith("cff-version: 1.2.0\n")


def test_the_same_run_gives_the_same_bytes(harness, work, bundle, tmp_path):
    again = tmp_path / "another_name.zip"
    assert harness("bundle", "latest", "-o", again, "--results", work.results.folder).code == 0
    assert again.read_bytes() == bundle.read_bytes()


def test_submitted_sources_need_consent(harness, work, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(work.results.folder / "small/latest", folder)
    with_sources = files_of_run(harness, work, tmp_path)
    document = json.loads((folder / "run.json").read_text())
    document["run"]["config"]["text"] = document["run"]["config"]["text"].replace('"shared"', '"private"')
    (folder / "run.json").write_text(json.dumps(document))
    for name, data in with_sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    ran = harness("bundle", folder, "-o", tmp_path / "private.zip")
    assert ran.code == 0, ran.err
    assert ran.out.endswith("3 submitted files left out: the config does not say that the students agree (submissions: shared)\n")
    private = files_of(tmp_path / "private.zip")
    assert not [name for name in private if name.startswith("sources/submission/")]
    shown = json.dumps('#include "tile.h"\n')[1:-1].encode()  # as in the data of the page
    everything = files_of(tmp_path / "all.zip")
    assert shown in everything["report.html"] and shown not in private["report.html"]
    described = re.search(r"// (.*)", (work.submission / "wrong.cpp").read_text())[1].encode()
    for name in ("run.json", "report.md", "report.html"):
        assert described in everything[name] and described not in private[name], name
    again = harness("reproduce", tmp_path / "private.zip", "--results", tmp_path / "results")
    assert again.code == 4 and again.err.endswith(" has no case that can be run again: its submitted sources are not in the bundle\n")


def test_no_word_of_a_student_without_consent(harness, lab, tmp_path):
    """The compiler quotes the source, so does the message of a crash, and a variant prints what it likes."""
    body = "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {{ {} }}\n"
    sources = {"prints": "int SECRET_UNUSED; std::puts(\"SECRET\"); throw std::runtime_error(\"SECRET\");", "broken": "return SECRET;",
               "crashes": "*(volatile int*)0 = 1;  /* SECRET */"}
    work = lab()
    for name, text in sources.items():
        work.variant(name, "// SECRET summary\n//\n// Drawing: SECRET\n#include <cstdio>\n#include <stdexcept>\n#include \"lab/gemm.h\"\n"
                     + body.format(text))
    work.sweep(size=[16]).run().expect(1, prints="CRASHED", broken="COMPILE_ERROR", crashes="CRASHED")
    assert harness("bundle", "latest", "-o", tmp_path / "private.zip", "--results", work.results.folder).code == 0
    assert [name for name, data in files_of(tmp_path / "private.zip").items() if b"SECRET" in data] == []


def files_of_run(harness, work, folder):
    file = folder / "all.zip"
    assert harness("bundle", "latest", "-o", file, "--results", work.results.folder).code == 0
    return {name: data for name, data in files_of(file).items() if name.startswith("sources/")}


def test_the_crate_names_every_file(bundle):
    files = files_of(bundle)
    graph = {entity["@id"]: entity for entity in json.loads(files["ro-crate-metadata.json"])["@graph"]}
    root = graph["./"]
    parts = {part["@id"] for part in root["hasPart"]}
    assert parts == set(files) - {"bundle.json", "ro-crate-metadata.json"}
    assert root["conformsTo"] == {"@id": "https://w3id.org/ro/wfrun/process/0.5"}
    action = graph[root["mentions"]["@id"]]
    assert action["@type"] == "CreateAction" and {"@id": "run.json"} in action["result"]
    assert all(graph[part]["@type"] == "File" for part in parts)


def cache_with_the_context(folder):
    """The HTTP cache of the validator with the one page that it fetches, from the package rocrate: the test needs no network."""
    import io
    from importlib import resources

    import requests
    import urllib3
    from requests_cache import CachedSession

    class Page(requests.adapters.BaseAdapter):
        def send(self, request, **_):
            data = resources.files("rocrate").joinpath("data/ro-crate.jsonld").read_bytes()
            raw = urllib3.HTTPResponse(io.BytesIO(data), {"Content-Type": "application/ld+json"}, 200, preload_content=False)
            return requests.adapters.HTTPAdapter().build_response(request, raw)

        def close(self):
            pass

    session = CachedSession(cache_name=str(folder / "http"), expire_after=-1)
    session.mount("https://", Page())
    assert session.get("https://w3id.org/ro/crate/1.1/context").ok
    return folder / "http"


def test_the_crate_is_a_process_run_crate(bundle, tmp_path):
    for package in ("rocrate_validator", "rocrate", "requests_cache"):
        if not find_spec(package):
            skip(f"the Python package {package} is not installed: reports/requirements-test.txt")
    folder = tmp_path / "crate"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)

    def validate():
        ran = subprocess.run([Path(sys.executable).parent / "rocrate-validator", "-y", "validate", "--offline", "--cache-path",
                              cache_with_the_context(tmp_path), "-p", "process-run-crate", "-l", "required",
                              "--skip-availability-check", "--no-paging", "-f", "json", folder], capture_output=True, text=True)
        return json.loads(ran.stdout[ran.stdout.index("{"):])

    told = validate()
    assert told["passed"] and told["issues"] == [], told["issues"]
    assert told["statistics"]["total_passed_checks"] == told["statistics"]["total_checks"] >= 40
    metadata = folder / "ro-crate-metadata.json"
    metadata.write_text(metadata.read_text().replace('"instrument"', '"made_by"'))
    assert not validate()["passed"]


def with_run(files, run):
    """Another run.json, with its hash in the manifest."""
    hashes = [hashlib.sha256(text).hexdigest().encode() for text in (files["run.json"], run)]
    return files | {"run.json": run, "bundle.json": files["bundle.json"].replace(*hashes)}


CHANGES = {
    "changed": (lambda files: files | {"sources/submission/mine.cpp": b"// faster\n"},
                '"sources/submission/mine.cpp" was changed: its hash is not that of bundle.json'),
    "removed": (lambda files: {name: data for name, data in files.items() if name != "versions.json"}, '"versions.json" is missing'),
    "added": (lambda files: files | {"sources/extra.cpp": b""}, '"sources/extra.cpp" was added: bundle.json does not know it'),
    "leaving": (lambda files: files | {"../evil.cpp": b""}, '"../evil.cpp" leaves the folder of the bundle'),
    "absolute": (lambda files: files | {"/tmp/evil.cpp": b""}, '"/tmp/evil.cpp" leaves the folder of the bundle'),
    "command": (lambda files: files | {"a\n::set-output name=x::y": b""},
                "it has a file whose name no program can print: 'a\\n::set-output name=x::y'"),
    "escape": (lambda files: files | {"a\x1b[2J": b""}, "it has a file whose name no program can print: 'a\\x1b[2J'"),
    "in a file": (lambda files: files | {"run.json/a": b""}, '"run.json/a" is in a folder that is also a file'),
    "long": (lambda files: files | {"a" * 300: b""}, f'"{"a" * 60}...": the name is too long'),
    "newer": (lambda files: files | {"bundle.json": files["bundle.json"].replace(b"bundle/1", b"bundle/2")},
              'its format is "harness/bundle/2", and this harness reads "harness/bundle/1"; use the harness that made it or a newer one'),
    "no manifest": (lambda files: {"run.json": files["run.json"]}, "it has no bundle.json: no bundle of the harness"),
    "bad manifest": (lambda files: files | {"bundle.json": b"{"}, '"bundle.json" is damaged or was changed'),
    "deep manifest": (lambda files: files | {"bundle.json": b"[" * 200_000}, '"bundle.json" is damaged or was changed'),
    "format": (lambda files: files | {"bundle.json": files["bundle.json"].replace(b"harness/bundle/1", b"a\\n::b")},
               'its format is "a?::b", and this harness reads "harness/bundle/1"; use the harness that made it or a newer one'),
    "missing": (lambda files: files | {"bundle.json": files["bundle.json"].replace(b"versions.json", b"a\\n::b")},
                "it has a file whose name no program can print: 'a\\n::b'"),
    "no run": (lambda files: with_run(files, b"{"), "its run cannot be read; run.json:1:2: not JSON"),
    "newer run": (lambda files: with_run(files, b'{"schema": "harness/9"}'),
                  'its run cannot be read; run.json: schema is "harness/9" but must be "harness/run/2"'),
    "bomb": (lambda files: files | {"zeros": bytes(300 << 20)}, "it unpacks to more than 256 MiB"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_bundle_that_was_changed(harness, bundle, tmp_path, name):
    change, error = CHANGES[name]
    file = pack(tmp_path / "bad.zip", change(files_of(bundle)))
    ran = harness("show", file, "mine")
    assert (ran.code, ran.out, ran.err) == (2, "", f"harness: {file}: {error}\n")
    assert not (tmp_path / "evil.cpp").exists() and not Path("/tmp/evil.cpp").exists()


def test_a_link_in_a_bundle(harness, bundle, tmp_path):
    file = pack(tmp_path / "bad.zip", files_of(bundle) | {"sources/passwd": b"/etc/passwd"}, links=["sources/passwd"])
    ran = harness("show", file, "mine")
    assert (ran.code, ran.err) == (2, f'harness: {file}: "sources/passwd" is a link or a device; a bundle has only files\n')


def test_half_a_bundle_and_a_huge_one(harness, bundle, tmp_path):
    half = tmp_path / "half.zip"
    half.write_bytes(bundle.read_bytes()[:-1000])
    ran = harness("reproduce", half)
    assert (ran.code, ran.err) == (2, f"harness: {half}: it is not a ZIP archive, or not all of one: was the download cut?\n")
    huge = tmp_path / "huge.zip"
    with huge.open("wb") as file:
        os.ftruncate(file.fileno(), 10 << 30)
    ran = harness("reproduce", huge)
    assert (ran.code, ran.err) == (2, f"harness: {huge}: 10 GiB are too much for a bundle; the limit is 256 MiB\n")
    gone = harness("reproduce", tmp_path / "gone.zip")
    assert gone.code == 2 and gone.err.startswith(f"harness: {tmp_path / 'gone.zip'}: cannot read: ")


def test_the_name_of_the_archive(harness, work):
    ran = harness("bundle", "latest", "--results", work.results.folder)
    assert (ran.code, ran.err) == (2, "harness: which file? name one with -o NAME.zip\n")


def test_a_run_without_sources_is_no_bundle(harness, tmp_path):
    document = json.loads((ROOT / "docs/examples/ladder-h200/run.json").read_text())
    del document["sources"]
    (tmp_path / "run.json").write_text(json.dumps(document))
    ran = harness("bundle", tmp_path, "-o", tmp_path / "x.zip")
    assert ran.code == 2 and not (tmp_path / "x.zip").exists()
    assert ran.err.endswith(" has no sources: the harness that made it did not keep them; run the lab again\n")


def test_a_bundle_is_a_run_for_the_other_commands(harness, bundle, work):
    shown = harness("show", bundle, "mine")
    assert shown.code == 0 and shown.out.startswith("small/all/mine size=20  PASSED\n")
    assert shown.out.split("\nsource text\n")[1].startswith('    1  #include "tile.h"\n')
    same = harness("compare", bundle, "latest", "--results", work.results.folder, "--format", "json")
    assert json.loads(same.out)["differences"] == []


def outcomes(out):
    found = re.findall(r"^(REPRODUCED|ORDER HOLDS|DIFFERENT|UNDECIDED|NOT RUN) +(?:[\d.]+(?: \([\d.]+ to [\d.]+\))? +)?(\S+ \S+)(.*)$", out, re.M)
    return {case: (outcome, why.strip()) for outcome, case, why in found}


def test_reproduce_makes_the_run_again(harness, bundle, tmp_path):
    """Only the cases of that run, in a sandbox although its config says "none"."""
    ran = harness("reproduce", bundle, "--results", tmp_path / "results")
    told = outcomes(ran.out)
    assert set(told) == {"all/mine size=20", "all/wrong size=20"}, ran.out + ran.err
    assert told["all/wrong size=20"] == ("REPRODUCED", "(WRONG again)")
    mine = told["all/mine size=20"][0]  # a busy machine may be half as fast the next minute
    assert mine in ("REPRODUCED", "ORDER HOLDS", "DIFFERENT", "UNDECIDED") and ran.code == (mine == "DIFFERENT")
    again = json.loads((tmp_path / "results/small/latest/run.json").read_text())
    assert again["run"]["sandbox"] == "bwrap" and again["run"]["command"][0] == "reproduce"
    assert again["run"]["settings"] == ["size=20"], "a bundle of this run must have the same cases"
    page = (tmp_path / "results/small/latest/reproduced.md").read_text()
    assert "\nclaims: in the original / here\n  FAILS / FAILS  time of mine at least 1e9\n" in ran.out
    assert "| all/wrong size=20 | REPRODUCED |  | WRONG again |\n" in page and "2 cells: " in page


def test_cases_of_the_config_that_the_original_did_not_run_are_named(harness, bundle, tmp_path):
    """Also of a run with --set, as here: the config has 3 variants at 2 other sizes."""
    ran = harness("reproduce", bundle, "--results", tmp_path / "results")
    said = "The original did not run 6 of the 6 cases of its config that can run here:"
    assert f"\n{said} all/cpu_baseline size=16, " in ran.out and ran.out.count(" and 1 more\n") == 1, ran.out + ran.err
    page = (tmp_path / "results/small/latest/reproduced.md").read_text()
    assert f"**{said}**\n\n- all/cpu" in page and "\n- all/mine size=24\n" in page


@pytest.mark.parametrize("way", ["skipped", "absent"])
def test_a_claim_does_not_hold_without_the_case_that_refutes_it(harness, lab, tmp_path, way):
    work = lab(claims=[{"claim": "time of cpu_baseline at most 1e9", "sweep": "all", "source": "a report"}])
    work.sweep("cpu_baseline", size=[16, 24])
    work.run().expect(0)
    assert harness("bundle", "latest", "-o", tmp_path / "a.zip", "--results", work.results.folder).code == 0
    whole = harness("reproduce", tmp_path / "a.zip", "--results", tmp_path / "results").out
    assert "\n  HOLDS / HOLDS  time of cpu_baseline at most 1e9\n" in whole and "did not run" not in whole

    def change(document):
        hidden, = [case for case in document["cases"] if case["axes"]["size"] == 24]
        hidden["status"] = "SKIPPED"
        if way == "absent":
            document["cases"].remove(hidden)
    ran = harness("reproduce", edited(tmp_path / "a.zip", tmp_path / "run", change), "--results", tmp_path / "results")
    assert "\nThe original did not run 1 of the 2 cases of its config that can run here: all/cpu_baseline size=24\n" in ran.out, ran.out + ran.err
    if way == "skipped":
        assert '\n  the original says HOLDS to "time of cpu_baseline at most 1e9", and its numbers say UNDECIDED\n' in ran.out
        assert "\n  UNDECIDED / UNDECIDED  time of cpu_baseline at most 1e9\n" in ran.out
        return
    assert ("\n  HOLDS / UNDECIDED  time of cpu_baseline at most 1e9  (a case that it compares was left out: "
            "cpu_baseline size=24 has not run; undecided at 1 of 2 points)\n") in ran.out


def test_what_does_not_fit_together_is_remarked(harness, lab, tmp_path):
    work = lab(claims=[{"claim": "time of cpu_baseline at least 1e9", "sweep": "all", "source": "a report"}])
    work.sweep("cpu_baseline", size=16).run().expect(0)
    assert harness("bundle", "latest", "-o", tmp_path / "a.zip", "--results", work.results.folder).code == 0

    def change(document):
        source, = [one for one in document["sources"] if one["path"] == "labs/gemm/cpu_baseline.cpp"]
        file = tmp_path / "run/sources" / source["path"]
        file.write_text(file.read_text() + "// slower\n")
        source["hash"] = hashlib.sha256(file.read_bytes()).hexdigest()
        claim, = document["claims"]
        document["claims"] = [claim | {"measured": claim["measured"] | {"answer": "HOLDS"}}, claim | {"text": "it is the fastest"}]
    ran = harness("reproduce", edited(tmp_path / "a.zip", tmp_path / "run", change), "--results", tmp_path / "results")
    assert ran.out.split("\nremarks\n")[1].startswith(
        '  the original says HOLDS to "time of cpu_baseline at least 1e9", and its numbers say FAILS\n'
        '  the original answers "it is the fastest", which its config does not ask\n'
        '  labs/gemm/cpu_baseline.cpp differs from the file of this project\n'), ran.out + ran.err
    assert "## Remarks\n\n- the original says HOLDS to" in (tmp_path / "results/small/latest/reproduced.md").read_text()


def edited(bundle, folder, change):
    """The unpacked bundle as a folder of a run, with a changed run.json."""
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    document = json.loads((folder / "run.json").read_text())
    change(document)
    (folder / "run.json").write_text(json.dumps(document))
    return folder


def test_sources_that_no_longer_compile_are_not_run(harness, bundle, tmp_path):
    text = "#error the interface has changed\n"
    def change(document):
        for source in document["sources"]:
            if source["path"] == "submission/tile.h":
                source["hash"] = hashlib.sha256(text.encode()).hexdigest()
    folder = edited(bundle, tmp_path / "run", change)
    (folder / "sources/submission/tile.h").write_text(text)
    ran = harness("reproduce", folder, "--results", tmp_path / "results")
    outcome, why = outcomes(ran.out)["all/mine size=20"]
    assert outcome == "NOT RUN" and "it does not compile here: tile.h:1:2: error: #error the interface has changed" in why, ran.out
    assert ran.code == 0


def test_a_run_that_wants_to_write_elsewhere(harness, bundle, tmp_path):
    for number, path in enumerate(("../../evil.cpp", "labs//lab/gemm.h", "submission//x.cpp")):
        folder = edited(bundle, tmp_path / f"run{number}", lambda document: document["sources"][0].update(path=path))
        ran = harness("reproduce", folder, "--results", tmp_path / "results")
        assert (ran.code, ran.out) == (2, "") and ran.err.endswith(f': the source "{path}" leaves its folder\n')


def test_a_config_path_without_a_name(harness, bundle, tmp_path):
    for number, path in enumerate(("configs/..", ".", "configs/")):
        folder = edited(bundle, tmp_path / f"run{number}", lambda document: document["run"]["config"].update(path=path))
        ran = harness("reproduce", folder, "--results", tmp_path / "results")
        assert (ran.code, ran.out) == (2, "") and ran.err.endswith(f': its config is "{path}", which is not the name of a file\n')


LINE = "\n::set-output name=result::passed\nREPRODUCED all/mine size=20 <script>\x1b[2J"


def test_no_name_of_a_run_from_elsewhere_makes_a_line(harness, bundle, tmp_path):
    def change(document):
        document["run"]["lab"] += LINE
        document["run"]["config"]["path"] += LINE
        for case in document["cases"]:
            for name in ("id", "sweep", "variant", "label"):
                case[name] += LINE
    folder = edited(bundle, tmp_path / "run", change)
    for words in (("show", folder, "mine"), ("compare", folder, bundle), ("reproduce", folder, "--results", tmp_path / "results")):
        ran = harness(*words)
        assert "set-output" in ran.out + ran.err
        assert not [line for line in (ran.out + ran.err).splitlines() if line.lstrip().startswith(("::", "REPRODUCED"))], ran.out + ran.err
        assert "\x1b" not in ran.out + ran.err


def test_a_config_from_elsewhere_makes_no_line(harness, bundle, tmp_path):
    def change(document):
        document["run"]["config"]["text"] = json.dumps(LINE)
    ran = harness("reproduce", edited(bundle, tmp_path / "run", change))
    assert ran.code == 2 and ran.err.count("\n") == 1 and "a config must be a map" in ran.err


def test_a_case_that_is_there_many_times(harness, bundle, tmp_path):
    """The comparison would take the square of that."""
    def change(document):
        document["cases"] *= 20_000
    ran = harness("reproduce", edited(bundle, tmp_path / "run", change))
    assert ran.code == 2 and ran.err.endswith('run.json: damaged: the case "small/all/mine size=20" is in it twice\n')


HOSTILE = {"samples_ms": ([-1.0] * 6, [0.0] * 6, [1e308] * 6, [5e-324] * 6), "rounds": ([2**62] * 6, [-1] * 2),
           "threads": (0, -1, 10**30), "flops": (-1e300, 1e308), "overhead_spread_ms": (-1e308, 1e308), "calls_per_sample": (2**63,),
           "axes": ({"size": 2**63 - 1}, {"size": 1e300}, {}), "metrics": ({"kernel_ms": {"median": None}}, {"kernel_ms": {
               "median": 1e308, "low": -1e308, "high": 1e308, "n": -3}})}


@pytest.mark.parametrize("field", HOSTILE)
def test_numbers_that_no_run_has(harness, bundle, tmp_path, field):
    for number, value in enumerate(HOSTILE[field]):
        folder = edited(bundle, tmp_path / f"run{number}", lambda document: [case.update({field: value}) for case in document["cases"]])
        for words in (("show", folder, "mine"), ("compare", folder, bundle)):
            ran = harness(*words)
            assert ran.code in (0, 1, 2, 4), (value, ran.code, ran.err)
            assert ran.code != 2 or "damaged: it is not a run as docs/run.schema.json describes it" in ran.err, (value, ran.err)


def test_a_text_that_is_gone_is_named(harness, bundle, tmp_path):
    folder = edited(bundle, tmp_path / "run", lambda document: None)
    (folder / "sources/submission/wrong.cpp").write_text("// other\n")
    ran = harness("reproduce", folder, "--results", tmp_path / "results")
    assert ran.code == 2 and ran.err.endswith(
        ": the text of submission/wrong.cpp is not kept here; give the bundle of the run, or run the lab again\n")


@pytest.mark.parametrize("file", ["/etc/passwd", "../../../../../../etc/passwd"])
@pytest.mark.parametrize("key", ["published", "recorded_baseline"])
def test_a_config_from_elsewhere_reads_no_file_of_this_machine(harness, bundle, tmp_path, key, file):
    def change(document):
        config = json.loads(document["run"]["config"]["text"])
        table = {"file": file, "axes": {"size": "size"}, "source": "a book", "value": "ms"}
        config[key] = table if key == "recorded_baseline" else [file]
        document["run"]["config"]["text"] = json.dumps(config)
    ran = harness("reproduce", edited(bundle, tmp_path / "run", change), "--results", tmp_path / "results")
    assert (ran.code, ran.out) == (2, "") and not (tmp_path / "results").exists()
    assert ran.err.endswith(f': this config reads "{file}", which is outside of the folder of its run; remove it and run the config '
                            'with "harness run"\n')


def test_a_config_from_elsewhere_mounts_nothing(harness, bundle, tmp_path):
    def change(document):
        config = json.loads(document["run"]["config"]["text"])
        del config["sandbox"]
        document["run"]["config"]["text"] = json.dumps(config | {"container": {"image": "a/b:1", "mounts": ["/etc"]}})
    folder = edited(bundle, tmp_path / "run", change)
    ran = harness("reproduce", folder, "--results", tmp_path / "results", "--sandbox", "podman")
    assert (ran.code, ran.out) == (2, "") and not (tmp_path / "results").exists()
    assert ran.err.endswith(': this config mounts folders of the machine into a container, which is not done for a run from elsewhere; '
                            'remove "mounts" and run it with "harness run"\n')
