"""Runs folders of the corpus (tests/corpus) with `harness selftest --corpus`, for the tests that look at each verdict."""

from types import SimpleNamespace

from conftest import CORPUS, ROOT

PLANTED = sorted((ROOT / "emulator/planted").glob("*.cu"))
LABS = sorted((ROOT / "labs").glob("*/*pu_*.c*"))


def own(folder):
    return [file for file in sorted((CORPUS / folder).iterdir()) if file.suffix in (".cpp", ".cu", ".c")]


def entries(folder):
    """The labels of a folder's variants, as the program prints them."""
    linked = {"correct": [f"{file.parent.name}/{file.name}" for file in LABS],
              "wrong": [f"planted/{file.name}" for file in PLANTED], "evil": []}
    return [f"{folder}/{name}" for name in [*(file.name for file in own(folder)), *linked[folder]]]


def run_folders(harness, folder, *names):
    """Runs these folders of the corpus from `folder`, which becomes a corpus of links."""
    for name in (*names, "gemm.yaml", "conv2d.yaml"):
        (folder / name).symlink_to(CORPUS / name)
    ran = harness.finish(harness.start("selftest", "--corpus", folder, "--json"), timeout=1500)
    assert ran.err == ""
    return SimpleNamespace(ran=ran, entries={e["entry"]: e for e in ran.of("entry")}, end=ran.of("corpus")[0])


def assert_verdict(entry):
    if entry["open"]:
        assert not entry["as_expected"], "it is caught now: take its line \"// Open:\" out"
    else:
        assert entry["as_expected"], (entry["expected"], entry["got"], entry["reason"])


def assert_all(run, *names):
    """Nothing is left out, nothing was disturbed, and the counts are those of the files."""
    assert set(run.entries) == {entry for name in names for entry in entries(name)}
    assert run.end["disturbed"] == []
    is_open = [entry for entry in run.entries.values() if entry["open"]]
    assert run.end["as_expected"] == (not is_open) and run.ran.code == (1 if is_open else 0)
    for name in names:
        missed = sum(entry["folder"] == name for entry in is_open)
        counts = run.end[name]
        assert counts["of"] > counts["left_out"]
        assert (counts["of"] + counts["left_out"], counts["as_expected"]) == (len(entries(name)), counts["of"] - missed)
