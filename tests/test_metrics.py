"""Metrics that compare cases: with the baseline, the vendor's library and recorded tables; and unsupported problems."""

import re

import pytest
from conftest import CORPUS

TABLE = "dtype,n,time_s\nf32,16,0.5\nf64,24,1\n"


def recorded(folder, table=TABLE, **changes):
    """The key for a recorded table beside the config."""
    file = folder / "table.csv"
    file.write_text(table)
    return {"file": file.name, "axes": {"n": "size"}, "value": "time_s", "unit": "s",
            "source": "an earlier lab", **changes}


@pytest.fixture(scope="module")
def compared(lab, tmp_path_factory):
    """Returns the cases of two runs and the first run's document. The second run measures nothing."""
    folder = tmp_path_factory.mktemp("compared")
    work = lab(folder, baseline="cpu_baseline", vendor="cpu_unrolled", recorded_baseline=recorded(folder))
    work.sweep("cpu_baseline", "cpu_unrolled", name="sizes", size=[16, 24]).sweep("cpu_unrolled", name="macros", size=16, UNROLL=[2, 8])
    first, again = work.run().expect(), work.run().expect()
    return first.cases, again.cases, first.document


def test_speedup_is_paired_only_in_a_group(compared):
    cases, _, _ = compared
    assert cases["sizes/cpu_unrolled size=16"]["metrics"]["speedup"]["paired"] is True
    far = cases["macros/cpu_unrolled size=16 UNROLL=2"]["metrics"]["speedup"]
    ours, base = (cases[name]["metrics"]["kernel_ms"]["median"]
                  for name in ("macros/cpu_unrolled size=16 UNROLL=2", "sizes/cpu_baseline size=16"))
    assert (far["over"], far["paired"]) == ("cpu_baseline", False)
    assert far["median"] == pytest.approx(base / ours)


def test_the_share_of_the_vendor_is_only_in_its_group(compared):
    cases, _, _ = compared
    share = cases["sizes/cpu_baseline size=16"]["metrics"]["percent_of_vendor"]
    assert share["over"] == "cpu_unrolled" and share["median"] > 0
    assert "percent_of_vendor" not in cases["sizes/cpu_unrolled size=16"]["metrics"]
    assert "percent_of_vendor" not in cases["macros/cpu_unrolled size=16 UNROLL=2"]["metrics"]


def test_a_recorded_baseline_is_not_interpolated(compared):
    cases, _, run = compared
    case = cases["sizes/cpu_baseline size=16"]
    assert case["metrics"]["speedup_recorded"]["median"] == pytest.approx(500 / case["metrics"]["kernel_ms"]["median"])
    assert case["metrics"]["speedup_recorded"]["source"] == run["recorded_baseline"]["source"] == "an earlier lab"
    assert "speedup_recorded" not in cases["sizes/cpu_baseline size=24"]["metrics"]
    said = [note for case in cases.values() for note in case["notes"] if note["code"] == "no_recorded_time"]
    assert len(said) == 1
    assert re.fullmatch(r"the recorded baseline .*table\.csv has no row for f32 size=24: there is no speedup over it, because "
                        r"nothing is interpolated", said[0]["text"])


def test_the_first_call_is_measured_in_every_case(compared):
    cases, _, _ = compared
    assert all(case["metrics"]["first_call_ms"]["median"] > 0 for case in cases.values())


def test_a_reused_case_is_compared_again(compared):
    cases, again, _ = compared
    for name, case in again.items():
        assert case["reused_from"]
        assert set(case["metrics"]) == set(cases[name]["metrics"]), name
        by_code = [sorted(one["notes"], key=lambda note: note["code"]) for one in (case, cases[name])]
        assert by_code[0] == by_code[1], name  # notes of the comparison come last in a reused case


BAD_TABLES = {
    "dtype,n,times\nf32,16,1\n": r":1: no column \"time_s\" \(did you mean \"times\"\?\)",
    "dtype,m,time_s\nf32,16,1\n": r":1: no column \"n\" \(did you mean \"m\"\?\)",
    "dtype,n,time_s\nf32,16,1\nf32,32,soon\n": r":3: \"soon\" in column \"time_s\" is not a number",
    "dtype,n,time_s\nf32,16,-1\n": r":2: \"-1\" in column \"time_s\" is no time; it must be more than 0",
}


@pytest.mark.parametrize("table", BAD_TABLES)
def test_an_error_in_a_table_names_its_line(lab, tmp_path, table):
    ran = lab(tmp_path, recorded_baseline=recorded(tmp_path, table)).run().expect(2)
    assert re.search(r"table\.csv" + BAD_TABLES[table], ran.err), ran.err
    assert not (tmp_path / "results").exists()


def test_a_device_without_warps_is_refused(lab):
    ran = lab(device={"max_warps": 0, "lanes": 64}).run().expect(2)
    assert re.search(r"lab\.yaml:\d+:\d+: \"max_warps\" must be a whole number from 1 to 10000000, not \"0\"", ran.err)


def test_a_case_that_the_variant_does_not_support_is_skipped_with_the_reason(lab):
    work = lab().variant("even_k", CORPUS / "correct/even_k.cpp").variant("nothing", """#include "lab/gemm.h"
LAB_GEMM_CPU(float)(const lab::Gemm<float>&) { throw lab::Unsupported("not today"); }
""")
    cases = work.sweep(size=[16, 17]).run().expect(1, nothing="SKIPPED").cases
    even, odd = cases["all/even_k size=16"], cases["all/even_k size=17"]
    assert even["status"] == "PASSED"
    assert re.fullmatch(r"\d+ shapes and \d+ drawn at random, guard bands intact; \d+ left out: the variant does not support it: k must be even",
                        even["check"]["lines"][0]["detail"])
    assert (odd["status"], odd["reason"]) == ("SKIPPED", "the variant does not support it: k must be even")
    assert re.fullmatch(r"on all \d+ check shapes: the variant does not support it: not today",
                        cases["all/nothing size=16"]["reason"])
