"""The table of claims, and their sentence in the summary."""

from reports import claims
from reports.document import plain
from reports.tests.small import small_run
from reports.tests.test_tables import rows


def answered(answer: str, why: str, machine: str = "") -> dict:
    points = [] if why.startswith("no case") else [{"at": "", "answer": answer}]
    return {"answer": answer, "why": why, "points": points, **({"machine": machine} if machine else {})}


def claim(text: str, measured: dict, *published: dict, **more) -> dict:
    return {"text": text, "source": "table 2", "number": "ratio", "measured": measured, "published": list(published), **more}


def run_with(*all_claims: dict):
    return small_run([], claims=all_claims)


def test_a_run_without_claims_has_no_section():
    assert claims.section(run_with()) is None and claims.highlights(run_with()) == []


def test_each_claim_stands_beside_the_published_figures():
    run = run_with(
        claim("a faster than b", answered("HOLDS", "ratio 2 (1.9 to 2.1)"), answered("HOLDS", "ratio 3", "a laptop"),
              answered("FAILS", "ratio 0.5", "a cluster")),
        claim("a | b < c", answered("UNDECIDED", "no case of a is selected"), stated="about 2"),
        claim("time of a rises along size", answered("FAILS", "ratio of neighbours 0.5")))
    _, table = claims.section(run).blocks
    assert [plain(column.head) for column in table.columns] == ["claim", "source", "published", "this run"]
    assert rows(table) == [
        ["a faster than b", "table 2", "a laptop: HOLDS: ratio 3; a cluster: FAILS: ratio 0.5", "HOLDS: ratio 2 (1.9 to 2.1)"],
        ["a | b < c", "table 2", "stated: about 2", "UNDECIDED: no case of a is selected"],
        ["time of a rises along size", "table 2", "–", "FAILS: ratio of neighbours 0.5"]]
    (sentence,) = claims.highlights(run)
    assert plain(sentence) == "Of 3 claims of the report, 1 holds, 1 fails and 1 is about cases that this run does not have, see the claims."


def point(at: str, answer: str, value: float | None = None, low: float | None = None, high: float | None = None) -> dict:
    found = {"at": at, "answer": answer, "reason": "" if value else "SKIPPED"}
    return found | {key: one for key, one in (("value", value), ("low", low), ("high", high)) if one is not None}


def test_the_numbers_of_a_ratio_stand_beside_the_published_ones():
    ours = answered("UNDECIDED", "") | {"points": [point("size=512 BLOCK=8", "HOLDS", 2.5, 2.4, 2.6), point("size=1024", "UNDECIDED", 3.5),
                                                   point("size=2048", "UNDECIDED")]}
    theirs = answered("HOLDS", "") | {"points": [point("BLOCK=8 size=512", "HOLDS", 2.894)]}
    run = run_with(claim("time of a over b below 3", ours, theirs), claim("a faster than b", answered("HOLDS", "")))
    _, _, table = claims.section(run).blocks
    assert rows(table) == [
        ["time of a over b below 3", "size=512 BLOCK=8", "2.894", "2.50", "2.40 to 2.60", "HOLDS"],
        ["time of a over b below 3", "size=1024", "–", "3.50", "–", "UNDECIDED"],
        ["time of a over b below 3", "size=2048", "–", "–", "–", "UNDECIDED"]]


def test_published_ratios_of_several_machines_have_their_names():
    ours = answered("HOLDS", "") | {"points": [point(f"size={size}", "HOLDS", 2.5, 2.4, 2.6) for size in (512, 1024)]}
    theirs = [answered("HOLDS", "", machine) | {"points": [point("size=512", "HOLDS", value)]}
              for machine, value in (("a laptop", 2.894), ("a cluster", 1.5))]
    _, _, table = claims.section(run_with(claim("time of a over b below 3", ours, *theirs))).blocks
    assert [row[2] for row in rows(table)] == ["a laptop: 2.894; a cluster: 1.500", "–"]


def test_a_narrow_interval_keeps_its_digits():
    ours = answered("HOLDS", "") | {"points": [point(f"size={size}", "HOLDS", 1.0491, 1.0487, 1.0496) for size in (512, 1024)]}
    _, _, table = claims.section(run_with(claim("time of a over b below 3", ours))).blocks
    assert rows(table)[0][2:4] == ["1.0491", "1.0487 to 1.0496"]


def test_ratios_without_published_ones_have_no_column_for_them():
    ours = answered("HOLDS", "") | {"points": [point(f"size={size}", "HOLDS", 2.5, 2.4, 2.6) for size in (512, 1024)]}
    _, _, table = claims.section(run_with(claim("time of a over b below 3", ours))).blocks
    assert [plain(column.head) for column in table.columns] == ["claim", "at", "this run", "95 % interval", "answer"]
