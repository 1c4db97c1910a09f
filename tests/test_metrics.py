"""Metrics that compare: baselines elsewhere, the vendor's share, recorded tables; and problems not supported."""

import os
import re

import pytest
from conftest import ROOT

TABLE = "dtype,n,time_s\nf32,16,0.5\nf64,24,1\n"
# Without an interval to reach: a process more for the first call is cheap beside a minute.
SLOW = {"precision": "20%", "max_time": "60s", "min_samples": 6, "max_samples": 6}


def recorded(folder, table=TABLE, **changes):
    """Configs name their tables from the root of the project."""
    file = folder / "table.csv"
    file.write_text(table)
    return {"file": os.path.relpath(file, ROOT), "axes": {"n": "size"}, "value": "time_s", "unit": "s",
            "source": "an earlier lab", **changes}


@pytest.fixture(scope="module")
def compared(harness, lab, results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared")
    config = lab(folder, baseline="cpu_baseline", vendor="cpu_unrolled", recorded_baseline=recorded(folder), measure=SLOW,
                 report={"tables": [{"title": "First calls", "sweep": "sizes", "rows": "variant", "columns": "size",
                                     "value": "first_call_ms"}]},
                 sweeps=[{"name": "sizes", "variants": ["cpu_baseline", "cpu_unrolled"], "axes": {"size": [16, 24]}},
                         {"name": "macros", "variants": ["cpu_unrolled"],
                          "axes": {"size": 16, "UNROLL": [2, 8]}}])
    ran = harness("run", config, "--results", folder / "results", "--no-report", "--json")
    assert ran.code == 0, ran.out + ran.err
    again = harness("run", config, "--results", folder / "results", "--no-report", "--json")
    assert again.code == 0, again.err
    kept = results(folder / "results")
    runs = [kept.run_json("small", event["run"]) for event in (ran.of("run")[0], again.of("run")[0])]
    return [{case["id"].split("/", 1)[1]: case for case in run["cases"]} for run in runs], runs


def test_speedup_over_the_baseline_is_paired_in_a_group_and_not_beyond(compared):
    (cases, _), _ = compared
    assert cases["sizes/cpu_unrolled size=16"]["metrics"]["speedup"]["paired"] is True
    far = cases["macros/cpu_unrolled size=16 UNROLL=2"]["metrics"]["speedup"]
    ours, base = (cases[name]["metrics"]["kernel_ms"]["median"]
                  for name in ("macros/cpu_unrolled size=16 UNROLL=2", "sizes/cpu_baseline size=16"))
    assert (far["over"], far["paired"]) == ("cpu_baseline", False)
    assert far["median"] == pytest.approx(base / ours)


def test_the_vendors_share_is_in_its_own_group_only(compared):
    (cases, _), _ = compared
    share = cases["sizes/cpu_baseline size=16"]["metrics"]["percent_of_vendor"]
    assert share["over"] == "cpu_unrolled" and share["median"] > 0
    assert "percent_of_vendor" not in cases["sizes/cpu_unrolled size=16"]["metrics"]
    assert "percent_of_vendor" not in cases["macros/cpu_unrolled size=16 UNROLL=2"]["metrics"]


def test_a_recorded_table_has_its_own_sizes_and_no_other(compared):
    (cases, _), (run, _) = compared
    case = cases["sizes/cpu_baseline size=16"]
    assert case["metrics"]["speedup_recorded"]["median"] == pytest.approx(500 / case["metrics"]["kernel_ms"]["median"])
    assert case["metrics"]["speedup_recorded"]["source"] == run["recorded_baseline"]["source"] == "an earlier lab"
    assert "speedup_recorded" not in cases["sizes/cpu_baseline size=24"]["metrics"]
    said = [note for case in cases.values() for note in case["notes"] if note["code"] == "no_recorded_time"]
    assert len(said) == 1
    assert re.fullmatch(r"the recorded baseline .*table\.csv has no row for f32 size=24: there is no speedup over it, because "
                        r"nothing is interpolated", said[0]["text"])


def test_the_first_call_is_told_apart_where_a_table_shows_it(compared):
    (cases, _), _ = compared
    shown = {name for name, case in cases.items() if "first_call_ms" in case["metrics"]}
    assert shown == {name for name in cases if name.startswith("sizes/")} != set(cases)
    assert all(cases[name]["metrics"]["first_call_ms"]["median"] > 0 for name in shown)


def test_a_known_case_is_compared_anew(compared):
    (cases, again), _ = compared
    for name, case in again.items():
        assert case["reused_from"]
        assert set(case["metrics"]) == set(cases[name]["metrics"]), name
        assert case["notes"] == cases[name]["notes"]


BAD_TABLES = {
    "dtype,n,times\nf32,16,1\n": r":1: no column \"time_s\" \(did you mean \"times\"\?\)",
    "dtype,m,time_s\nf32,16,1\n": r":1: no column \"n\" \(did you mean \"m\"\?\)",
    "dtype,n,time_s\nf32,16,1\nf32,32,soon\n": r":3: \"soon\" in column \"time_s\" is not a number",
    "dtype,n,time_s\nf32,16,-1\n": r":2: \"-1\" in column \"time_s\" is no time; it must be more than 0",
}


@pytest.mark.parametrize("table", BAD_TABLES)
def test_a_bad_table_is_told_with_its_line(harness, lab, tmp_path, table):
    config = lab(tmp_path, recorded_baseline=recorded(tmp_path, table))
    ran = harness("run", config, "--results", tmp_path / "results")
    assert ran.code == 2
    assert re.search(r"table\.csv" + BAD_TABLES[table], ran.err), ran.err
    assert not (tmp_path / "results").exists()


def test_a_device_without_warps_is_refused(harness, lab, tmp_path):
    ran = harness("run", lab(tmp_path, device={"max_warps": 0, "lanes": 64}))
    assert ran.code == 2
    assert re.search(r"lab\.yaml:\d+:\d+: \"max_warps\" must be a whole number from 1 to 10000000, not \"0\"", ran.err)


def test_what_a_variant_does_not_support_is_skipped_with_its_words(harness, lab, results, variants, tmp_path):
    config = lab(tmp_path, sweeps=[{"name": "sizes", "variants": ["even_k", "nothing"], "axes": {"size": [16, 17]}}])
    ran = harness("run", config, "--submission", variants / "unsupported", "--results", tmp_path / "results",
                  "--no-report")
    assert ran.code == 0, ran.out + ran.err
    cases = {case["id"].split("/", 2)[2]: case for case in results(tmp_path / "results").run_json("small")["cases"]}
    even, odd, nothing = cases["even_k size=16"], cases["even_k size=17"], cases["nothing size=16"]
    assert even["status"] == "PASSED"
    shapes = even["check"]["lines"][0]["detail"]
    assert re.fullmatch(r"\d+ shapes, guard bands intact; \d+ left out: the variant does not support it: k must be even",
                        shapes)
    assert (odd["status"], odd["reason"]) == ("SKIPPED", "the variant does not support it: k must be even")
    assert nothing["status"] == "SKIPPED"
    assert re.fullmatch(r"on all \d+ check shapes: the variant does not support it: not today", nothing["reason"])
