"""Claims of a lab: in run.json, on the console, in the report and in the exit code; and the sentences of docs/claims.md."""

import json
import re

import pytest
from conftest import QUICK, ROOT

PAGE = (ROOT / "docs/claims.md").read_text()
EXAMPLES = re.findall(r"`([^`]+)`", PAGE.split("## Sentences\n")[1].split("\n\n")[0])
# What the examples of the page speak of.
EXAMPLE_LAB = """lab: small
kernel: gemm
sweeps:
  - name: gpu_blocks
    variants: [gpu_naive, gpu_shared]
    axes: {size: [512, 1024, 2048], BLOCK: [16, 32]}
  - name: other
    variants: [gpu_naive]
    axes: {size: [512, 1024], BLOCK: [16, 32]}
"""


def claim(sentence, **more):
    return {"claim": sentence, "sweep": "all", "source": "a report", **more}


@pytest.fixture(scope="module")
def finished(lab):
    """Claims whose answers no busy machine changes."""
    made = lab(claims=[claim("time of cpu_avx over cpu_baseline above 0", stated="5 times"), claim("time of cpu_avx at least 1e9"),
                       claim("time of cpu_avx below 1e9 where size = 24"), claim("total_ms of cpu_avx < cpu_baseline")],
               published=["figures.csv"], measure=QUICK)
    (made.folder / "figures.csv").write_text("variant,size,kernel_ms\ncpu_avx,24,2e9\ncpu_baseline,24,1e9\n")
    return made, made.sweep("cpu_baseline", "cpu_avx", size=[16, 24]).run(report=True)


def test_claims_are_answered_in_run_json_and_on_the_console(finished):
    _, ran = finished
    claims = ran.expect(0).document["claims"]
    assert [one["measured"]["answer"] for one in claims] == ["HOLDS", "FAILS", "HOLDS", "UNDECIDED"]
    holds = claims[0]
    assert (holds["text"], holds["source"], holds["stated"]) == ("time of cpu_avx over cpu_baseline above 0", "a report", "5 times")
    points = holds["measured"]["points"]
    assert [point["at"] for point in points] == ["size=16", "size=24"] and all(0 < point["low"] <= point["value"] for point in points)
    assert [[one["answer"] for one in each["published"]] for each in claims] == [["HOLDS"], ["HOLDS"], ["FAILS"], []]
    assert holds["published"][0]["why"] == "ratio 2"
    assert re.search(r"^HOLDS          time of cpu_avx over cpu_baseline above 0\n {15}ratio from .*; 2 points\n {15}published: HOLDS$",
                     ran.out, re.M)
    assert "\nUNDECIDED      total_ms of cpu_avx < cpu_baseline\n               cpu_baseline size=16 has no total_ms" in ran.out
    assert "\nclaims: 2 hold, 1 fail, 1 undecided\n" in ran.out


def test_the_report_has_a_table_of_claims(finished):
    made, _ = finished
    report = (made.results.folder / "small/latest/report.md").read_text()
    table = report.split("## The claims of the report\n")[1]
    row = r"\| `time of cpu_avx over cpu_baseline above 0` \| a report \| stated: 5 times; \*\*HOLDS\*\*: ratio 2 \| \*\*HOLDS\*\*: ratio from .* \|"
    assert re.search(row, table)
    assert "Of 4 claims of the report, 2 hold, 1 fails and 1 is undecided, see [the claims]" in report


def test_a_claim_that_fails_can_fail_the_run(finished):
    made, ran = finished
    assert ran.code == 0
    assert made.run("--fail-on", "claims").code == 1
    undecided = made.run("--fail-on", "claims", "--variant", "cpu_baseline")
    assert undecided.code == 0 and "claims" not in undecided.out, "nothing that a claim compares was selected"
    assert made.run("--fail-on", "claim").code == 2


def test_claims_that_changed_are_answered_from_a_finished_run(finished, harness, tmp_path):
    made, _ = finished
    made.run()
    other = tmp_path / "other.yaml"
    other.write_text(made.file.read_text().replace("time of cpu_avx at least 1e9", "time of cpu_avx at least 0"))
    ran = harness("claims", made.results.folder / "small/latest", "--config", other)
    assert ran.code == 0 and ran.out.endswith("\nclaims: 3 hold, 0 fail, 1 undecided\n")
    assert harness("claims", made.results.folder / "small/latest").out.endswith("\nclaims: 2 hold, 1 fail, 1 undecided\n")


def test_events_have_the_answers(finished):
    made, _ = finished
    (event,) = made.run("--json").of("claims")
    assert [one["answer"] for one in event["claims"]] == ["HOLDS", "FAILS", "HOLDS", "UNDECIDED"]


def test_the_page_shows_every_form(harness, tmp_path):
    sentences = EXAMPLES + re.findall(r"`(\w+ of [^`]+)`", PAGE.split("- **Metric**")[1].split("- **Range**")[0])
    assert len(sentences) == 16
    config = tmp_path / "lab.yaml"
    claims = [{"claim": sentence, "sweep": "gpu_blocks", "source": "page"} for sentence in sentences]
    config.write_text(EXAMPLE_LAB + "claims: " + json.dumps(claims))
    assert harness("plan", config).code == 0, harness("plan", config).err
    example = re.search(r"```yaml\n(.*?)```", PAGE, re.S)[1]
    config.write_text(EXAMPLE_LAB + example)
    assert harness("plan", config).code == 0, harness("plan", config).err
